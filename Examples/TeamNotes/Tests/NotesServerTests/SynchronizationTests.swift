import CoreData
import NotesModel
import Testing

/// The model layer of the app, twice, with the server between.
@Suite("Synchronization")
struct SynchronizationTests {
    @Test("A note that one phone makes comes to the other, and its changes come back")
    func twoPhones() async throws {
        let (one, other) = (PersistenceController(inMemory: true), PersistenceController(inMemory: true))
        try await TestServer.run { server in
            try await one.container.viewContext.perform {
                let note = Note(context: one.container.viewContext)
                note.title = "Milk"
                note.topicNames = ["shop"]
                note.touch()
                try one.container.viewContext.save()
            }
            #expect(try await server.client.synchronize(one.container) == (1, 0))
            #expect(try await server.client.synchronize(other.container) == (0, 1))
            try await other.container.viewContext.perform {
                let note = try #require(try other.container.viewContext.fetch(Note.fetchRequest()).first)
                #expect(note.topicNames == ["shop"])
                note.isTrashed = true
                note.touch()
                try other.container.viewContext.save()
            }
            #expect(try await server.client.synchronize(other.container) == (1, 0))
            #expect(try await server.client.synchronize(one.container) == (0, 1))
            #expect(try await server.client.synchronize(one.container) == (0, 0))
            let isTrashed = try await one.container.newBackgroundContext().perform {
                try one.container.newBackgroundContext().fetch(Note.fetchRequest()).map(\.isTrashed)
            }
            #expect(isTrashed == [true])
        }
    }

    @Test("Without the right token nothing is sent or lost")
    func refused() async throws {
        let phone = PersistenceController(inMemory: true)
        try await TestServer.run { server in
            try await phone.container.viewContext.perform {
                let note = Note(context: phone.container.viewContext)
                note.title = "Milk"
                note.touch()
                try phone.container.viewContext.save()
            }
            await #expect(throws: NotesClient.Refused.self) {
                try await NotesClient(server: server.url, token: "wrong").synchronize(phone.container)
            }
            #expect(try await server.client.synchronize(phone.container) == (1, 0))
        }
    }
}
