import HTTPTypes
import Testing

@testable import TeamServer

/// Requests as a well-behaved client sends them.
@Suite("Requests")
struct RequestTests {
    @Test("A task is created, read, changed, listed and deleted")
    func life() async throws {
        try await TestServer().run { client in
            let created = try await client.send(
                .post, "/tasks", #"{"title":"Report","priority":7,"due":"2026-12-01T12:00:00Z"}"#)
            #expect(created.status == .created)
            #expect(created.headers[.eTag] == "\"1\"")
            let path = "/tasks/\(created.key)"
            #expect(created.headers[.location] == path)
            let read = try await client.send(.get, path)
            #expect(read.text == created.text)
            let changed = try await client.send(.patch, path, #"{"isDone":true}"#, match: "\"1\"")
            #expect(changed.status == .ok)
            #expect(changed.headers[.eTag] == "\"2\"")
            #expect(changed.values["isDone"] as? Bool == true)
            #expect(changed.values["title"] as? String == "Report")
            let list = try await client.send(.get, "/tasks?isDone.eq=true")
            #expect(list.items.count == 1)
            try await #expect(client.send(.delete, path).status == .noContent)
            try await #expect(client.send(.get, path).status == .notFound)
        }
    }

    @Test("A change needs the version that the object has")
    func versions() async throws {
        try await TestServer().run { client in
            let key = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
            let path = "/tasks/\(key)"
            try await #expect(client.send(.patch, path, #"{"title":"b"}"#).status == .preconditionRequired)
            try await #expect(client.send(.patch, path, #"{"title":"b"}"#, match: "\"1\"").status == .ok)
            try await #expect(
                client.send(.patch, path, #"{"title":"c"}"#, match: "\"1\"").status == .preconditionFailed)
            try await #expect(
                client.send(.patch, path, #"{"title":"c","version":1}"#, match: "*").status
                    == .preconditionFailed)
            try await #expect(client.send(.patch, path, #"{"title":"c"}"#, match: "*").status == .ok)
            try await #expect(client.send(.delete, path, match: "\"1\"").status == .preconditionFailed)
            try await #expect(client.send(.delete, path, match: "\"3\"").status == .noContent)
        }
    }

    @Test("Of changes to one version that come at the same time one succeeds")
    func concurrentChanges() async throws {
        let server = try TestServer()
        try await server.run { client in
            let key = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await client.send(
                            .patch, "/tasks/\(key)", #"{"title":"\#(number)"}"#, match: "\"1\""
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .ok } == 1)
            #expect(statuses.allSatisfy { [.ok, .conflict, .preconditionFailed].contains($0) })
        }
    }

    @Test("Lists are filtered, ordered and paged")
    func lists() async throws {
        try await TestServer().run { client in
            for number in 0..<25 {
                _ = try await client.send(.post, "/tasks", #"{"title":"Task \#(number)","priority":\#(number % 10)}"#)
            }
            var keys: Set<String> = []
            for offset in [0, 10, 20] {
                let page = try await client.send(.get, "/tasks?order=-priority&limit=10&offset=\(offset)")
                #expect(page.values["total"] as? Int == 25)
                for item in page.items { keys.insert(item["key"] as? String ?? "") }
            }
            #expect(keys.count == 25)
            let high = try await client.send(.get, "/tasks?priority.ge=8&order=priority")
            #expect(high.items.map { $0["priority"] as? Int } == [8, 8, 9, 9])
            let named = try await client.send(.get, "/tasks?title.contains=TASK%202&title.ne=Task%2020")
            #expect(named.items.count == 5)
        }
    }

    @Test("Members are assigned by their keys, and their addresses are unique in a team")
    func members() async throws {
        try await TestServer().run { client in
            let ada = try await client.send(.post, "/members", #"{"name":"Ada","email":"ada@example.org"}"#)
            #expect(ada.status == .created)
            try await #expect(
                client.send(.post, "/members", #"{"name":"Ada","email":"ada@example.org"}"#).status
                    == .conflict)
            try await #expect(
                client.send(
                    .post, "/members", #"{"name":"Ada","email":"ada@example.org"}"#, token: TestServer.red
                ).status == .created)
            let task = try await client.send(.post, "/tasks", #"{"title":"a","assignee":"\#(ada.key)"}"#)
            let assignee = task.values["assignee"] as? [String: Any]
            #expect(assignee?["name"] as? String == "Ada")
            #expect(assignee?["key"] as? String == ada.key)
        }
    }
}
