import CoreData
import NotesModel
import Testing

@Suite("Requests")
struct RequestTests {
    private let record = NoteRecord(title: "Report", changed: Date(timeIntervalSince1970: 1_764_000_000))

    @Test("A note is made, read, changed and found")
    func life() async throws {
        try await TestServer.run { server in
            let path = "notes/\(record.key)"
            #expect(try await server.send("PUT", path, NoteJSON.encode(record)).status == 201)
            #expect(try await NoteJSON.decode(NoteRecord.self, from: server.send("GET", path).body) == record)
            var changed = record
            (changed.text, changed.topics) = ("Figures", ["q3"])
            changed.changed = Date(timeIntervalSince1970: 1_764_000_001)
            #expect(try await server.send("PUT", path, NoteJSON.encode(changed)).status == 200)
            let found = try await server.send("GET", "notes?search=q3").body
            #expect(try NoteJSON.decode([NoteRecord].self, from: found) == [changed])
            #expect(try await server.send("GET", "notes/\(UUID())").status == 404)
        }
    }

    @Test("An older version is refused with the newer one")
    func older() async throws {
        try await TestServer.run { server in
            let path = "notes/\(record.key)"
            _ = try await server.send("PUT", path, NoteJSON.encode(record))
            var old = record
            (old.title, old.changed) = ("Old", Date(timeIntervalSince1970: 1))
            let answer = try await server.send("PUT", path, NoteJSON.encode(old))
            #expect(answer.status == 409)
            #expect(try NoteJSON.decode(NoteRecord.self, from: answer.body) == record)
        }
    }

    @Test("Of requests that make one note at the same time each one is answered, and there is one note")
    func concurrent() async throws {
        try await TestServer.run { server in
            let body = try NoteJSON.encode(record)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await server.send("PUT", "notes/\(record.key)", body).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 200, 200, 200, 200, 200, 200, 201])
            let all = try await server.send("GET", "notes").body
            #expect(try NoteJSON.decode([NoteRecord].self, from: all).count == 1)
        }
    }

    @Test("Bad requests are refused")
    func refused() async throws {
        try await TestServer.run { server in
            let path = "notes/\(record.key)"
            let body = try NoteJSON.encode(record)
            #expect(try await server.send("PUT", path, body, token: nil).status == 401)
            #expect(try await server.send("GET", "notes", token: "a-token-of-16-or-mort").status == 401)
            #expect(try await server.send("PUT", path, Data("{".utf8)).status == 400)
            #expect(try await server.send("PUT", "notes/1", body).status == 404)
            #expect(try await server.send("PUT", path, Data(repeating: 32, count: 65_537)).status == 413)
            var untitled = record
            untitled.title = ""
            #expect(try await server.send("PUT", path, NoteJSON.encode(untitled)).status == 422)
            #expect(try await server.send("GET", "notes").body == Data("[]".utf8))
        }
    }
}
