/// The saves of another context of the container.
@Suite struct ContextMergingTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    /// The same book in two contexts.
    private func books(_ store: LibraryStore) throws -> (
        context: ModelContext, other: ModelContext, book: Library.Book, same: Library.Book
    ) {
        let (context, other) = try place.contexts(store)
        let book = try context.savedBook("A")
        return (context, other, book, try other.only(Library.Book.self))
    }

    @Test("a saved value is there after the next fetch", arguments: LibraryStore.allCases)
    func value(_ store: LibraryStore) throws {
        let (context, other, book, same) = try books(store)
        book.title = "B"
        try context.save()
        _ = try other.count(Library.Book.self)
        expectEqual(same.title, "B")
    }

    @Test("values that were read stay until the context is used", arguments: LibraryStore.allCases)
    func untilUse(_ store: LibraryStore) throws {
        let (context, other, book, same) = try books(store)
        expectEqual(same.title, "A")
        book.title = "B"
        try context.save()
        expectEqual(same.title, "A")
        other.processPendingChanges()
        expectEqual(same.title, "B")
    }

    @Test("unsaved changes stay, property by property", arguments: LibraryStore.allCases)
    func unsaved(_ store: LibraryStore) throws {
        let (context, other, book, same) = try books(store)
        same.pages = 7
        book.title = "B"
        book.pages = 500
        try context.save()
        other.processPendingChanges()
        expectEqual(same.title, "B")
        expectEqual(same.pages, 7)
        try other.save()
        context.processPendingChanges()
        expectEqual(book.pages, 7)
    }

    @Test("an inserted model is found", arguments: LibraryStore.allCases)
    func inserted(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        try expectEqual(other.count(Library.Book.self), 0)
        try context.savedBook("A")
        try expectEqual(other.books(), ["A"])
    }

    @Test("a deleted model has no context any more, and answers its values", arguments: LibraryStore.allCases)
    func deleted(_ store: LibraryStore) throws {
        let (context, other, book, same) = try books(store)
        expectEqual(same.title, "A")
        context.delete(book)
        try context.save()
        try expectEqual(other.count(Library.Book.self), 0)
        other.processPendingChanges()
        expectEqual(same.modelContext, nil)
        expectEqual(same.title, "A")
    }

    @Test("a relationship that was read is read again", arguments: LibraryStore.allCases)
    func relationship(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        let author = try context.savedAuthor("Ursula", books: "A")
        let same = try other.only(Library.Author.self)
        expectEqual(same.books.count, 1)
        author.books.append(Library.Book("B"))
        try context.save()
        other.processPendingChanges()
        expectEqual(same.books.map(\.title).sorted(), ["A", "B"])
    }

    @Test("books that both contexts add to an author are all there", arguments: LibraryStore.allCases)
    func bothAdd(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        let author = try context.savedAuthor("Ursula")
        let same = try other.only(Library.Author.self)
        author.books.append(Library.Book("A"))
        same.books.append(Library.Book("B"))
        try context.save()
        try other.save()
        expectEqual(same.books.map(\.title).sorted(), ["A", "B"])
        let third = ModelContext(context.container)
        try expectEqual(third.only(Library.Author.self).books.map(\.title).sorted(), ["A", "B"])
    }

    @Test("the later save wins where both have changed a value", arguments: LibraryStore.allCases)
    func conflict(_ store: LibraryStore) throws {
        let (context, other, book, same) = try books(store)
        book.title = "B"
        same.title = "C"
        try context.save()
        try other.save()
        try expectEqual(ModelContext(context.container).only(Library.Book.self).title, "C")
    }

    @Test("a model that another context has deleted is not saved by a change", arguments: LibraryStore.allCases)
    func changedAndDeleted(_ store: LibraryStore) throws {
        let (context, other, book, same) = try books(store)
        same.title = "C"
        context.delete(book)
        try context.save()
        try other.save()
        try expectEqual(ModelContext(context.container).count(Library.Book.self), 0)
    }

    @Test("both may delete a model", arguments: LibraryStore.allCases)
    func bothDelete(_ store: LibraryStore) throws {
        let (context, other, book, same) = try books(store)
        context.delete(book)
        other.delete(same)
        try context.save()
        try other.save()
        expectFalse(other.hasChanges)
    }

    @MainActor @Test("the main context and others share what they save", arguments: LibraryStore.allCases)
    func main(_ store: LibraryStore) throws {
        let container = try place.container(store)
        container.mainContext.autosaveEnabled = false
        let book = try container.mainContext.savedBook("A")
        let same = try ModelContext(container).only(Library.Book.self)
        #expect(same !== book)
        expectEqual(same.persistentModelID, book.persistentModelID)
    }
}
