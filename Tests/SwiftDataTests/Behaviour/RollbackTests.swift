/// Discarding unsaved changes.
@Suite struct RollbackTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    @Test("values are those of the store again", arguments: LibraryStore.allCases)
    func values(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook("A")
        book.title = "B"
        book.rating = 3
        context.rollback()
        expectEqual(book.title, "A")
        expectEqual(book.rating, nil)
        expectFalse(context.hasChanges)
    }

    @Test("a new model leaves the context and keeps its values", arguments: LibraryStore.allCases)
    func inserted(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = Library.Book("A")
        context.insert(book)
        context.rollback()
        expectEqual(book.modelContext, nil)
        expectEqual(book.title, "A")
        try expectEqual(context.count(Library.Book.self), 0)
    }

    @Test("a new model can be inserted again", arguments: LibraryStore.allCases)
    func insertedAgain(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = Library.Book("A")
        context.insert(book)
        context.rollback()
        context.insert(book)
        try context.save()
        #expect(try context.only(Library.Book.self) === book)
    }

    @Test("a deleted model is there again, with its relationships", arguments: LibraryStore.allCases)
    func deleted(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let author = try context.savedAuthor("Ursula", books: "A", "B")
        context.delete(author)
        context.processPendingChanges()
        context.rollback()
        expectFalse(author.isDeleted)
        #expect(author.modelContext === context)
        expectEqual(author.books.map(\.title).sorted(), ["A", "B"])
        try expectEqual(context.count(Library.Book.self), 2)
    }

    @Test("relationships are those of the store on both sides", arguments: LibraryStore.allCases)
    func relationships(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let author = try context.savedAuthor("Ursula", books: "A")
        let book = try requireValue(author.books.first)
        book.author = nil
        author.books.append(Library.Book("New"))
        context.rollback()
        #expect(book.author === author)
        expectEqual(author.books.map(\.title), ["A"])
    }

    @Test("without changes nothing happens", arguments: LibraryStore.allCases)
    func nothing(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook("A")
        context.rollback()
        expectEqual(book.title, "A")
        #expect(book.modelContext === context)
    }

    @Test("all actions of the undo manager are removed", arguments: LibraryStore.allCases)
    func undo(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook("A")
        let undo = UndoManager()
        context.undoManager = undo
        book.title = "B"
        context.processPendingChanges()
        expectTrue(undo.canUndo)
        context.rollback()
        expectFalse(undo.canUndo)
    }
}
