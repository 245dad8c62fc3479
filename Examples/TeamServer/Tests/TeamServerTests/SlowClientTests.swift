import CoreData
import HTTPTypes
import Testing

@testable import TeamServer

/// Clients that hold connections.
@Suite("Slow clients", .serialized)
struct SlowClientTests {
    private static let head = """
        POST /tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(TestServer.blue)\r\nContent-Length: 100\r\n
        """

    @Test("A thousand clients that send half a request don't keep others from being answered")
    func thousand() async throws {
        try await TestServer { $0.requestLimit = .seconds(60) }.run { client in
            let connections = try (0..<1000).map { number in
                let connection = try Connection(port: client.port)
                // Some stop in the head, others in the body.
                try connection.send(number.isMultiple(of: 2) ? Self.head : Self.head + "\r\n{\"title\":")
                return connection
            }
            for _ in 0..<20 {
                try await #expect(client.send(.post, "/tasks", #"{"title":"a"}"#).status == .created)
            }
            try await #expect(client.send(.get, "/tasks").items.count == 20)
            withExtendedLifetime(connections) {}
        }
    }

    @Test("A client that doesn't send its request in time loses its connection")
    func limits() async throws {
        try await TestServer { $0.requestLimit = .milliseconds(300) }.run { client in
            let texts = ["", "GET /ta", Self.head, Self.head + "\r\n{\"title\":"]
            let connections = try texts.map { text in
                let connection = try Connection(port: client.port)
                try connection.send(text)
                return connection
            }
            for connection in connections { try await #expect(connection.isClosed()) }
            try await #expect(client.send(.get, "/tasks").status == .ok)
        }
    }

    @Test("A client can't prolong its request byte by byte")
    func drops() async throws {
        try await TestServer { $0.requestLimit = .milliseconds(500) }.run { client in
            let connection = try Connection(port: client.port)
            try connection.send(Self.head + "\r\n{")
            let begin = ContinuousClock.now
            // Each byte is progress, but the limit is one for the whole request.
            while ContinuousClock.now - begin < .seconds(20) {
                guard (try? connection.send(" ")) != nil else { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(ContinuousClock.now - begin < .seconds(20))
        }
    }

    @Test("A later request of a connection has the same limit, from its first bytes", arguments: [false, true])
    func laterRequests(comesEarly: Bool) async throws {
        try await TestServer { $0.requestLimit = .milliseconds(300) }.run { client in
            let connection = try Connection(port: client.port)
            let first =
                "GET /tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(TestServer.blue)\r\n\r\n"
            // The timeout of an idle connection is a minute: it is longer than this connection waits for its end.
            try connection.send(first)
            if comesEarly { try connection.send("GET /ta") }
            _ = try await connection.receive(until: "total")
            try connection.send(comesEarly ? "s" : "GET /ta")
            try await #expect(connection.isClosed())
        }
    }

    @Test("A connection without a request stays open")
    func idle() async throws {
        try await TestServer { $0.requestLimit = .milliseconds(200) }.run { client in
            let connection = try Connection(port: client.port)
            let request =
                "GET /tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(TestServer.blue)\r\n\r\n"
            for _ in 0..<2 {
                try connection.send(request)
                try await #expect(connection.receive(until: "total").contains("200 OK"))
                try await Task.sleep(for: .milliseconds(400))
            }
        }
    }
}
