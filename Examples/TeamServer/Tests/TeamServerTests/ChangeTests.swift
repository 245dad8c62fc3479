import CoreData
import HTTPTypes
import Hummingbird
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
            _ = try connection.receive(until: ": connected")
            _ = try await client.send(.post, "/tasks", #"{"title":"red"}"#, token: TestServer.red)
            let key = try await client.send(.post, "/tasks", #"{"title":"blue"}"#).key
            let text = try connection.receive(until: key)
            #expect(text.components(separatedBy: "event: change").count == 2)
            _ = try await client.send(.delete, "/tasks/\(key)")
            #expect(try connection.receive(until: "delete").contains(key))
        }
    }

    @Test("A client that names its last event gets what it has missed")
    func missed() async throws {
        try await TestServer().run { client in
            let first = try listen(client, TestServer.blue)
            _ = try first.receive(until: ": connected")
            let known = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
            let event = try first.receive(until: known)
            let id = event.components(separatedBy: "id: ").last?.prefix { $0.isNumber } ?? ""
            let missed = try await client.send(.post, "/tasks", #"{"title":"b"}"#).key
            let second = try listen(client, TestServer.blue, after: String(id))
            let text = try second.receive(until: missed)
            #expect(!text.contains(known))
        }
    }

    @Test("Clients hear of what another server on the same database saves")
    func otherServer() async throws {
        let server = try TestServer()
        try await server.run { client in
            try await other(server).run { second in
                let connection = try listen(second, TestServer.blue)
                _ = try connection.receive(until: ": connected")
                let key = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
                #expect(try connection.receive(until: key).contains("insert"))
                #expect(try await second.send(.get, "/tasks/\(key)").status == .ok)
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
            _ = try connection.receive(until: ": connected")
            connections.add(connection)
        }
        #expect(connections.all.allSatisfy { $0.isClosed() })
    }

    private final class Connections: @unchecked Sendable {
        private(set) var all: [Connection] = []
        func add(_ connection: Connection) { all.append(connection) }
    }
}
