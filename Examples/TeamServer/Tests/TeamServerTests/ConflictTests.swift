import CoreData
import HTTPTypes
import Testing

@testable import TeamServer

/// Requests that come at the same time, and the versions that clients name.
@Suite("Conflicts and versions")
struct ConflictTests {
    private func member(_ client: Client, _ name: String = "Ada") async throws -> String {
        try await client.send(.post, "/members", #"{"name":"\#(name)","email":"\#(name)@example.org"}"#).key
    }

    private func statuses(
        _ count: Int, _ send: @escaping @Sendable (Int) async throws -> HTTPResponse.Status
    ) async throws -> [HTTPResponse.Status] {
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 0..<count { group.addTask { try await send(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("Tasks of one assignee can be made, changed and deleted at the same time")
    func sameAssignee() async throws {
        try await TestServer().run { client in
            let member = try await member(client)
            let created = try await statuses(40) { number in
                try await client.send(.post, "/tasks", #"{"title":"\#(number)","assignee":"\#(member)"}"#).status
            }
            #expect(created == Array(repeating: .created, count: 40))
            let keys = try await client.send(.get, "/tasks?limit=100").items.compactMap { $0["key"] as? String }
            try #require(keys.count == 40)
            let changed = try await statuses(16) { number in
                try await client.send(.patch, "/tasks/\(keys[number])", #"{"assignee":null}"#, match: "\"1\"").status
            }
            #expect(changed == Array(repeating: .ok, count: 16))
            let deleted = try await statuses(16) { number in
                try await client.send(.delete, "/tasks/\(keys[16 + number])", match: "\"1\"").status
            }
            #expect(deleted == Array(repeating: .noContent, count: 16))
        }
    }

    @Test("If-Match is a list of tags or *, and other forms are refused")
    func tags() async throws {
        try await TestServer().run { client in
            let path = "/tasks/\(try await client.send(.post, "/tasks", #"{"title":"a"}"#).key)"
            for tag in ["W/\"1\"", "1", "\"1", "\"1\" \"2\"", "*, \"1\"", ""] {
                let answer = try await client.send(.patch, path, #"{"title":"b"}"#, match: tag)
                #expect(answer.status == .badRequest, "\(tag)")
                #expect(answer.message.hasPrefix("If-Match"))
                try await #expect(client.send(.delete, path, match: tag).status == .badRequest, "\(tag)")
            }
            try await #expect(
                client.send(.patch, path, #"{"title":"b"}"#, match: "\"7\", \"8\"").status == .preconditionFailed)
            try await #expect(client.send(.patch, path, #"{"title":"b"}"#, match: "\"7\" ,\"1\"").status == .ok)
        }
    }

    @Test("An answer that hasn't changed isn't sent again, unless it has values of other objects")
    func notModified() async throws {
        try await TestServer().run { client in
            let member = try await member(client)
            let (path, list) = ("/members/\(member)", ["If-None-Match": "\"9\", W/\"1\""])
            let answer = try await client.send(.get, path, headers: list)
            #expect(answer.status == .notModified)
            #expect(answer.headers[.eTag] == "\"1\"")
            _ = try await client.send(.patch, path, #"{"name":"Grace"}"#, match: "\"1\"")
            try await #expect(client.send(.get, path, headers: list).status == .ok)
            // The name of the assignee changes, and the version of the task doesn't.
            let task = try await client.send(.post, "/tasks", #"{"title":"a","assignee":"\#(member)"}"#)
            _ = try await client.send(.patch, path, #"{"name":"Ada"}"#, match: "*")
            let tag = try #require(task.headers[.eTag])
            let again = try await client.send(.get, "/tasks/\(task.key)", headers: ["If-None-Match": tag])
            #expect(again.status == .ok)
            #expect(again.text.contains("Ada"))
        }
    }

    @Test("A member's version grows with the tasks that get it as their assignee")
    func inverses() async throws {
        try await TestServer().run { client in
            let path = "/members/\(try await member(client))"
            let key = try #require(path.split(separator: "/").last)
            _ = try await client.send(.post, "/tasks", #"{"title":"a","assignee":"\#(key)"}"#)
            try await #expect(
                client.send(.patch, path, #"{"name":"Grace"}"#, match: "\"1\"").status == .preconditionFailed)
            let tag = try #require(try await client.send(.get, path).headers[.eTag])
            try await #expect(client.send(.patch, path, #"{"name":"Grace"}"#, match: tag).status == .ok)
        }
    }
}
