import HTTPTypes
import Testing

@testable import TeamServer

/// Requests that a server must refuse.
@Suite("Bad requests")
struct BadRequestTests {
    @Test("Requests without the token of a team are refused", arguments: [nil, "", "x", TestServer.blue + "x"])
    func tokens(token: String?) async throws {
        try await TestServer().run { client in
            try await #expect(client.send(.get, "/tasks", token: token).status == .unauthorized)
            try await #expect(client.send(.post, "/tasks", #"{"title":"a"}"#, token: token).status == .unauthorized)
        }
    }

    @Test("Oversized bodies are refused, and the server goes on")
    func oversizedBodies() async throws {
        try await TestServer { $0.bodyLimit = 1000 }.run { client in
            let large = #"{"title":"\#(String(repeating: "a", count: 5000))"}"#
            try await #expect(client.send(.post, "/tasks", large).status == .contentTooLarge)
            try await #expect(client.send(.post, "/tasks", #"{"title":"a"}"#).status == .created)
        }
    }

    @Test("A body whose length isn't announced is read up to the limit only")
    func chunkedBodies() async throws {
        try await TestServer { $0.bodyLimit = 1000 }.run { client in
            let connection = try Connection(port: client.port)
            try connection.send(
                "POST /tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(TestServer.blue)\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<20 { try connection.send("64\r\n\(String(repeating: "x", count: 100))\r\n") }
            try connection.send("0\r\n\r\n")
            try await #expect(connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 413"))
        }
    }

    /// Begins a request with the rest of its head and a body.
    private func begin(_ path: String, _ rest: String, _ client: Client) throws -> Connection {
        let connection = try Connection(port: client.port)
        try connection.send(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(TestServer.blue)\r\n\(rest)")
        return connection
    }

    private static let chunks =
        "Transfer-Encoding: chunked\r\n\r\n\(String(repeating: "1\r\nx\r\n", count: 20))0\r\n\r\n"

    @Test(
        "A request for changes with a body is refused, and the server can shut down", .timeLimit(.minutes(2)),
        arguments: [BadRequestTests.chunks, "Content-Length: 5\r\n\r\nhello", "Content-Length: 5\r\n\r\n"])
    func bodiesOfChanges(rest: String) async throws {
        try await TestServer().run { client in
            let connection = try begin("/changes", rest, client)
            try await #expect(connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 400"))
            let answer = try await client.send(.get, "/changes", "{}")
            #expect(answer.status == .badRequest)
            #expect(answer.message.contains("no body"))
        }
    }

    @Test("A request for changes may say that its body is empty")
    func emptyBodyOfChanges() async throws {
        try await TestServer().run { client in
            let connection = try begin("/changes", "Content-Length: 0\r\n\r\n", client)
            try await #expect(connection.receive(until: ": connected").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("Other requests without use for a body leave it unread, and go on", arguments: ["/tasks", "/health"])
    func unusedBodies(path: String) async throws {
        try await TestServer().run { client in
            let connection = try begin(path, Self.chunks, client)
            try await #expect(connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 20"))
            try connection.send("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await #expect(connection.receive(until: "}}").contains("HTTP/1.1 404"))
        }
    }

    @Test(
        "A method that an address doesn't have is refused with the names of the others",
        arguments: [
            (.put, "/tasks", "GET, POST, HEAD, OPTIONS"), (.post, "/tasks/x", "GET, PATCH, DELETE, HEAD, OPTIONS"),
            (.delete, "/changes", "GET, HEAD, OPTIONS"),
        ] as [(HTTPRequest.Method, String, String)])
    func otherMethods(method: HTTPRequest.Method, path: String, allowed: String) async throws {
        try await TestServer().run { client in
            let answer = try await client.send(method, path)
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == allowed)
            let options = try await client.send(.options, path)
            #expect(options.status == .noContent)
            #expect(options.headers[.allow] == allowed)
        }
    }

    @Test("HEAD has the answer of GET without its body")
    func head() async throws {
        try await TestServer().run { client in
            let (whole, head) = (try await client.send(.get, "/tasks"), try await client.send(.head, "/tasks"))
            #expect(head.status == .ok)
            #expect(head.headers[.contentLength] == "\(whole.text.utf8.count)")
            #expect(head.text.isEmpty)
            try await #expect(client.send(.head, "/tasks", token: nil).status == .unauthorized)
        }
    }

    @Test("Broken JSON is refused", arguments: ["", "{", "[]", "null", #"{"title":}"#, "\u{0}", #"{"title":"a"}}"#])
    func brokenJSON(body: String) async throws {
        try await TestServer().run { client in
            let answer = try await client.send(.post, "/tasks", body)
            #expect(answer.status == .badRequest)
            #expect(answer.problems == [""])
        }
    }

    @Test("Unknown keys, wrong types and broken rules are refused with their key paths")
    func problems() async throws {
        try await TestServer().run { client in
            for (body, keyPaths) in [
                (#"{"title":"a","owner":"red"}"#, ["owner"]), (#"{"title":"a","key":"x"}"#, ["key"]),
                (#"{"title":1}"#, ["title"]), (#"{"title":""}"#, ["title"]), ("{}", ["title"]),
                (#"{"title":"a","priority":10}"#, ["priority"]), (#"{"title":"a","priority":1.5}"#, ["priority"]),
                (#"{"title":"a","due":"soon","isDone":1}"#, ["due", "isDone"]),
                (#"{"title":"a","assignee":{"name":"x"}}"#, ["assignee"]),
                (#"{"title":"a","assignee":"x"}"#, ["assignee"]),
            ] {
                let answer = try await client.send(.post, "/tasks", body)
                #expect(answer.status == .unprocessableContent, "\(body)")
                #expect(answer.problems == keyPaths, "\(body): \(answer.text)")
            }
            try await #expect(client.send(.get, "/tasks").items.isEmpty)
        }
    }

    @Test("Other teams' objects are as if they didn't exist")
    func otherTeams() async throws {
        try await TestServer().run { client in
            let member = try await client.send(
                .post, "/members", #"{"name":"Eve","email":"eve@example.org"}"#, token: TestServer.red
            ).key
            let task = try await client.send(.post, "/tasks", #"{"title":"red"}"#, token: TestServer.red).key
            try await #expect(client.send(.get, "/tasks/\(task)").status == .notFound)
            try await #expect(client.send(.patch, "/tasks/\(task)", #"{"title":"x"}"#, match: "*").status == .notFound)
            try await #expect(client.send(.delete, "/tasks/\(task)").status == .notFound)
            try await #expect(client.send(.get, "/tasks").items.isEmpty)
            let named = try await client.send(.post, "/tasks", #"{"title":"a","assignee":"\#(member)"}"#)
            #expect(named.status == .unprocessableContent)
            #expect(named.problems == ["assignee"])
            #expect(!named.text.contains("Eve"))
            try await #expect(client.send(.get, "/tasks/\(task)", token: TestServer.red).status == .ok)
        }
    }

    @Test(
        "Queries with unknown attributes, operators or values are refused",
        arguments: [
            "owner.eq=red", "title.like=*", "title=a", "isDone.lt=true", "isDone.eq=1", "priority.eq=x",
            "due.ge=today", "limit=0", "limit=101", "limit=x", "offset=-1", "offset=10001", "order=owner",
            "order=title,title,title,title,title", "assignee.name.eq=Ada", "title.eq.x=1", ".eq=1",
            "title.eq=%00",
        ])
    func queries(query: String) async throws {
        try await TestServer().run { client in
            try await #expect(client.send(.get, "/tasks?\(query)").status == .badRequest)
        }
    }

    @Test(
        "A value of a query is a value, whatever it contains",
        arguments: ["'", "' OR 1=1 --", "\"", "%25", "$owner", "@"])
    func valuesOfQueries(value: String) async throws {
        try await TestServer().run { client in
            _ = try await client.send(.post, "/tasks", #"{"title":"a"}"#)
            let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let answer = try await client.send(.get, "/tasks?title.contains=\(escaped)")
            #expect(answer.status == .ok)
            #expect(answer.items.isEmpty)
        }
    }

    @Test("Keys that are no keys are not found", arguments: ["x", "1", "..", "8C3D0A5E-2F4B-4E53-9E0B-0A2B6F0C1D2E"])
    func keys(key: String) async throws {
        try await TestServer().run { client in
            try await #expect(client.send(.get, "/tasks/\(key)").status == .notFound)
        }
    }
}
