import Dispatch
import SwiftData
import Testing

/// A container may be released on any thread, while the main actor uses the models of its main context.
@MainActor @Suite("The end of a main context on another thread")
struct MainContextEndTests {
    /// The only reference to a container, which another thread releases.
    private final class Last: @unchecked Sendable {
        // Safe: one thread uses it while the other one waits.
        var container: ModelContainer?

        init(_ container: ModelContainer) { self.container = container }

        func release() { SmallThread.run { self.container = nil } }
    }

    /// An author with unsaved changes, and the last reference to the container.
    private func changedAuthor(_ place: LibraryPlace, _ store: LibraryStore) throws -> (Library.Author, Last) {
        let container = try place.container(store)
        let author = try container.mainContext.savedAuthor("Ursula", books: "A")
        author.name = "Changed"
        return (author, Last(container))
    }

    @Test("models stay as they are until the main actor goes on", arguments: LibraryStore.allCases)
    func modelsInUse(_ store: LibraryStore) async throws {
        let place = try LibraryPlace()
        let (author, last) = try changedAuthor(place, store)
        weak let context = author.modelContext
        #expect(context != nil)
        last.release()
        expectEqual(context, nil)
        expectEqual(author.modelContext, nil)
        expectEqual(author.name, "Changed")
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        expectEqual(author.name, "Ursula")
        expectEqual(author.books.map(\.title), ["A"])
    }
}
