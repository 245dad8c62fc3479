/// Undo and redo by the undo manager of a context.
@Suite struct ContextUndoTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    /// A context whose changes are actions from now on.
    private func context(_ store: LibraryStore, _ prepare: (ModelContext) throws -> Void = { _ in }) throws
        -> (ModelContext, UndoManager)
    {
        let context = try place.context(store)
        try prepare(context)
        let undo = UndoManager()
        undo.groupsByEvent = false
        context.undoManager = undo
        return (context, undo)
    }

    /// Makes one action of changes.
    private func action(_ context: ModelContext, _ undo: UndoManager, _ change: () throws -> Void) rethrows {
        undo.beginUndoGrouping()
        try change()
        context.processPendingChanges()
        undo.endUndoGrouping()
    }

    @Test("a context has no undo manager by default", arguments: LibraryStore.allCases)
    func none(_ store: LibraryStore) throws { try expectEqual(place.context(store).undoManager, nil) }

    @Test("values are undone and redone, newest first", arguments: LibraryStore.allCases)
    func values(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) { try $0.savedBook("A") }
        let book = try context.only(Library.Book.self)
        action(context, undo) { book.title = "B" }
        action(context, undo) { book.title = "C" }
        undo.undo()
        expectEqual(book.title, "B")
        undo.undo()
        expectEqual(book.title, "A")
        undo.redo()
        expectEqual(book.title, "B")
    }

    @Test("an optional value is nil again", arguments: LibraryStore.allCases)
    func optional(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) { try $0.savedBook() }
        let book = try context.only(Library.Book.self)
        action(context, undo) { book.rating = 4.5 }
        undo.undo()
        expectEqual(book.rating, nil)
    }

    @Test("an insertion is undone and redone", arguments: LibraryStore.allCases)
    func insertion(_ store: LibraryStore) throws {
        let (context, undo) = try context(store)
        action(context, undo) { context.insert(Library.Book("A")) }
        undo.undo()
        try expectEqual(context.count(Library.Book.self), 0)
        undo.redo()
        try context.save()
        try expectEqual(context.only(Library.Book.self).title, "A")
    }

    @Test("a deletion is undone with its relationships", arguments: LibraryStore.allCases)
    func deletion(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) { try $0.savedAuthor("Ursula", books: "A") }
        let book = try context.only(Library.Book.self)
        action(context, undo) { context.delete(book) }
        undo.undo()
        expectFalse(book.isDeleted)
        expectEqual(book.author?.name, "Ursula")
        #expect(try context.only(Library.Author.self).books.first === book)
    }

    @Test("a cascade is undone as a whole", arguments: LibraryStore.allCases)
    func cascade(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) { try $0.savedAuthor("Ursula", books: "A", "B") }
        let author = try context.only(Library.Author.self)
        action(context, undo) { context.delete(author) }
        try expectEqual(context.count(Library.Book.self), 0)
        undo.undo()
        try expectEqual(context.count(Library.Book.self), 2)
        expectEqual(author.books.count, 2)
    }

    @Test("a relationship is undone on both sides", arguments: LibraryStore.allCases)
    func relationship(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) {
            try $0.savedAuthor("One", books: "A")
            try $0.savedAuthor("Other")
        }
        let authors = try context.fetch(FetchDescriptor<Library.Author>(sortBy: [SortDescriptor(\.name)]))
        let book = try context.only(Library.Book.self)
        action(context, undo) { book.author = authors[1] }
        undo.undo()
        #expect(book.author === authors[0])
        expectEqual(authors[0].books.count, 1)
        expectEmpty(authors[1].books)
    }

    @Test("a many-to-many relationship is undone", arguments: LibraryStore.allCases)
    func manyToMany(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) {
            try $0.savedBook()
            $0.insert(Library.Subject("Space"))
            try $0.save()
        }
        let (book, subject) = (try context.only(Library.Book.self), try context.only(Library.Subject.self))
        action(context, undo) { subject.books = [book] }
        undo.undo()
        expectEmpty(book.subjects)
        expectEmpty(subject.books)
    }

    @Test("several changes of a group are one action", arguments: LibraryStore.allCases)
    func group(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) { try $0.savedBook("A") }
        let book = try context.only(Library.Book.self)
        action(context, undo) {
            book.title = "B"
            context.processPendingChanges()
            book.pages = 9
        }
        undo.undo()
        expectEqual(book.title, "A")
        expectEqual(book.pages, 100)
    }

    @Test("changes while registration is disabled are no action", arguments: LibraryStore.allCases)
    func disabled(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) { try $0.savedBook("A") }
        let book = try context.only(Library.Book.self)
        context.processPendingChanges()
        undo.disableUndoRegistration()
        book.title = "B"
        context.processPendingChanges()
        undo.enableUndoRegistration()
        expectFalse(undo.canUndo)
        expectEqual(book.title, "B")
    }

    @Test("a saved change is undone, and saved again", arguments: LibraryStore.allCases)
    func saved(_ store: LibraryStore) throws {
        let (context, undo) = try context(store) { try $0.savedBook("A") }
        let book = try context.only(Library.Book.self)
        action(context, undo) { book.title = "B" }
        try context.save()
        undo.undo()
        expectTrue(context.hasChanges)
        try context.save()
        try expectEqual(ModelContext(context.container).only(Library.Book.self).title, "A")
    }
}
