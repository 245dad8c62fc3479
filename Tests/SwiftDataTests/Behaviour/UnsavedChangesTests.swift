/// Changes that aren't saved yet.
@Suite struct UnsavedChangesTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    @Test("lists have the inserted, changed and deleted models", arguments: LibraryStore.allCases)
    func lists(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let (changed, deleted) = (try context.savedBook("A"), try context.savedBook("B"))
        let inserted = Library.Book("C")
        context.insert(inserted)
        changed.pages = 7
        context.delete(deleted)
        expectEqual(context.insertedModelsArray.map(\.persistentModelID), [inserted.persistentModelID])
        expectEqual(context.changedModelsArray.map(\.persistentModelID), [changed.persistentModelID])
        expectEqual(context.deletedModelsArray.map(\.persistentModelID), [deleted.persistentModelID])
    }

    @Test("a save empties the lists", arguments: LibraryStore.allCases)
    func saved(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        book.pages = 7
        expectTrue(context.hasChanges)
        expectTrue(book.hasChanges)
        try context.save()
        expectFalse(context.hasChanges)
        expectFalse(book.hasChanges)
        expectEmpty(context.changedModelsArray)
    }

    @Test("a fetch finds an inserted model, and one by its changed value", arguments: LibraryStore.allCases)
    func fetched(_ store: LibraryStore) throws {
        let context = try place.context(store)
        try context.savedBook("A").pages = 500
        context.insert(Library.Book("B", pages: 600))
        try expectEqual(context.books(where: #Predicate { $0.pages >= 500 }), ["A", "B"])
        try expectEqual(context.books(where: #Predicate { $0.pages < 500 }), [])
    }

    @Test("a fetch leaves out a deleted model", arguments: LibraryStore.allCases)
    func deleted(_ store: LibraryStore) throws {
        let context = try place.context(store)
        try context.savedBook("A")
        context.delete(try context.savedBook("B"))
        try expectEqual(context.books(), ["A"])
        try expectEqual(context.count(Library.Book.self), 1)
    }

    @Test("a fetch sorts by changed values", arguments: LibraryStore.allCases)
    func sorted(_ store: LibraryStore) throws {
        let context = try place.context(store)
        try context.savedBook("A")
        try context.savedBook("B")
        try context.savedBook("C").title = "0"
        try expectEqual(context.books(), ["0", "A", "B"])
    }

    @Test("a fetch follows changed relationships", arguments: LibraryStore.allCases)
    func related(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let author = try context.savedAuthor("Ursula", books: "A")
        let other = try context.savedBook("B")
        other.author = author
        try expectEqual(context.books(where: #Predicate { $0.author?.name == "Ursula" }), ["A", "B"])
    }

    @Test("without pending changes a fetch gives what is saved", arguments: LibraryStore.allCases)
    func withoutPending(_ store: LibraryStore) throws {
        let context = try place.context(store)
        try context.savedBook("A")
        context.insert(Library.Book("B"))
        var descriptor = FetchDescriptor<Library.Book>()
        descriptor.includePendingChanges = false
        try expectEqual(context.fetchCount(descriptor), 1)
        try expectEqual(context.fetch(descriptor).map(\.title), ["A"])
    }

    @Test("both sides of a relationship change at once", arguments: LibraryStore.allCases)
    func inverse(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let (one, other) = (try context.savedAuthor("One", books: "A"), try context.savedAuthor("Other"))
        let book = try requireValue(one.books.first)
        other.books.append(book)
        #expect(book.author === other)
        expectEmpty(one.books)
    }

    @Test("a many-to-many relationship changes on both sides", arguments: LibraryStore.allCases)
    func manyToMany(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        let subject = Library.Subject("Space")
        subject.books = [book]
        expectEqual(book.subjects.map(\.name), ["Space"])
        book.subjects = []
        expectEmpty(subject.books)
    }
}
