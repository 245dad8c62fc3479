import CoreData
import HTTPTypes
import Testing

@testable import TeamServer

/// Live changes.
@Suite("Server-sent events")
struct ChangeTests {
    @Test("A client hears of the changes of its team, and of no others")
    func changes() async throws {
        try await TestServer().run { client in
            let connection = try client.listen()
            _ = try await connection.receive(until: ": connected")
            _ = try await client.send(.post, "/tasks", #"{"title":"red"}"#, token: TestServer.red)
            let key = try await client.send(.post, "/tasks", #"{"title":"blue"}"#).key
            let text = try await connection.receive(until: key)
            #expect(text.components(separatedBy: "event: change").count == 2)
            _ = try await client.send(.delete, "/tasks/\(key)")
            try await #expect(connection.receive(until: "delete").contains(key))
        }
    }

    @Test("A client that names its last event gets what it has missed")
    func missed() async throws {
        try await TestServer().run { client in
            let first = try client.listen()
            _ = try await first.receive(until: ": connected")
            let known = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
            let event = try await first.receive(until: known)
            let id = event.components(separatedBy: "id: ").last?.prefix { $0.isNumber } ?? ""
            let missed = try await client.send(.post, "/tasks", #"{"title":"b"}"#).key
            let second = try client.listen(after: String(id))
            let text = try await second.receive(until: missed)
            #expect(!text.contains(known))
        }
    }

    @Test("Clients hear of what another server on the same database saves")
    func otherServer() async throws {
        let server = try TestServer()
        try await server.run { client in
            try await server.another().run { second in
                let connection = try second.listen()
                _ = try await connection.receive(until: ": connected")
                let key = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
                try await #expect(connection.receive(until: key).contains("insert"))
                try await #expect(second.send(.get, "/tasks/\(key)").status == .ok)
            }
        }
    }

    @Test("All changes of a large transaction come, and only the last one has the number of the transaction")
    func largeTransaction() async throws {
        try await TestServer().runServer { client, server in
            let known = try await client.lastEvent()
            let listening = try client.listen()
            // The number of the last transaction before comes in one piece with this.
            _ = try await listening.receive(until: ": connected")
            try await server.database.perform { context in
                for number in 0..<1500 {
                    let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
                    task.setValue(UUID(), forKey: "key")
                    task.setValue("blue", forKey: "owner")
                    task.setValue("Task \(number)", forKey: "title")
                }
                try context.save()
            }
            let events = try await listening.receive(until: "id: ")
            let count = events.components(separatedBy: "event: change").count - 1
            #expect(count == 1500)
            // A client that loses its connection before the last event begins after the number that it had before.
            let again = try await client.listen(after: known).receive(until: "id: ")
            let countAgain = again.components(separatedBy: "event: change").count - 1
            #expect(countAgain == 1500)
        }
    }

    @Test("Clients that go away leave nothing in the feed")
    func departed() async throws {
        try await TestServer().runServer { client, server in
            for _ in 0..<3 {
                let connections = try (0..<50).map { _ in try client.listen() }
                for connection in connections { _ = try await connection.receive(until: ": connected") }
                try await #expect(eventually { server.feed.subscriberCount == connections.count })
                // The connections end with their last references.
                withExtendedLifetime(connections) {}
            }
            try await #expect(eventually { server.feed.subscriberCount == 0 })
        }
    }

    @Test("A server that shuts down ends the streams")
    func shutdown() async throws {
        let connections = Connections()
        try await TestServer().run { client in
            let connection = try client.listen()
            _ = try await connection.receive(until: ": connected")
            connections.add(connection)
        }
        for connection in connections.all { try await #expect(connection.isClosed()) }
    }

    private final class Connections: @unchecked Sendable {
        private(set) var all: [Connection] = []
        func add(_ connection: Connection) { all.append(connection) }
    }
}
