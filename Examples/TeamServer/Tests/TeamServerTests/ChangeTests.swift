import CoreData
import HTTPTypes
import Testing

@testable import TeamServer

/// Live changes.
@Suite("Server-sent events")
struct ChangeTests {
    private func listen(_ client: Client, _ token: String, after last: String? = nil) throws -> Connection {
        let connection = try Connection(port: client.port)
        let header = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        try connection.send(
            "GET /changes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\(header)\r\n")
        return connection
    }

    @Test("A client hears of the changes of its team, and of no others")
    func changes() async throws {
        try await TestServer().run { client in
            let connection = try listen(client, TestServer.blue)
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
            let first = try listen(client, TestServer.blue)
            _ = try await first.receive(until: ": connected")
            let known = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
            let event = try await first.receive(until: known)
            let id = event.components(separatedBy: "id: ").last?.prefix { $0.isNumber } ?? ""
            let missed = try await client.send(.post, "/tasks", #"{"title":"b"}"#).key
            let second = try listen(client, TestServer.blue, after: String(id))
            let text = try await second.receive(until: missed)
            #expect(!text.contains(known))
        }
    }

    @Test("Clients hear of what another server on the same database saves")
    func otherServer() async throws {
        let server = try TestServer()
        try await server.run { client in
            try await other(server).run { second in
                let connection = try listen(second, TestServer.blue)
                _ = try await connection.receive(until: ": connected")
                let key = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
                try await #expect(connection.receive(until: key).contains("insert"))
                try await #expect(second.send(.get, "/tasks/\(key)").status == .ok)
            }
        }
    }

    private func other(_ server: TestServer) throws -> TestServer {
        try TestServer { $0.database = server.settings.database }
    }

    @Test("A server that shuts down ends the streams")
    func shutdown() async throws {
        let connections = Connections()
        try await TestServer().run { client in
            let connection = try listen(client, TestServer.blue)
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
