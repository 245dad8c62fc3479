/// Models of several contexts.
@Suite struct SeveralContextsTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    @Test("each context has a model of its own for a row", arguments: LibraryStore.allCases)
    func own(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        let book = try context.savedBook()
        let same = try requireValue(other.model(for: book.persistentModelID) as? Library.Book)
        #expect(same !== book)
        #expect(same.modelContext === other)
        expectEqual(same.title, book.title)
    }

    @Test("unsaved changes are seen in their context alone", arguments: LibraryStore.allCases)
    func unsaved(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        let book = try context.savedBook("A")
        book.title = "B"
        context.insert(Library.Book("C"))
        try expectEqual(other.books(), ["A"])
    }

    @Test("a relationship to a saved model of another context leads to the own one", arguments: LibraryStore.allCases)
    func relationship(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        let author = try context.savedAuthor()
        let book = try other.savedBook()
        book.author = author
        #expect(book.author !== author)
        #expect(book.author?.modelContext === other)
        try other.save()
        context.processPendingChanges()
        expectEqual(author.books.count, 1)
    }

    @Test("deleting a model of another context deletes the own one", arguments: LibraryStore.allCases)
    func deletion(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        let book = try context.savedBook()
        other.delete(book)
        expectFalse(book.isDeleted)
        expectEqual(other.deletedModelsArray.count, 1)
        try other.save()
        try expectEqual(context.count(Library.Book.self), 0)
    }

    @Test("models outlive their context and keep their values", arguments: LibraryStore.allCases)
    func outlived(_ store: LibraryStore) throws {
        let container = try place.container(store)
        var context: ModelContext? = ModelContext(container)
        let author = try requireValue(context).savedAuthor("Ursula", books: "A")
        weak let weakContext = context
        context = nil
        expectEqual(weakContext, nil)
        expectEqual(author.modelContext, nil)
        expectEqual(author.name, "Ursula")
        expectEqual(author.books.map(\.title), ["A"])
    }

    @Test("a context that is released discards its changes", arguments: LibraryStore.allCases)
    func discarded(_ store: LibraryStore) throws {
        let container = try place.container(store)
        let book = Library.Book("A")
        do {
            let context = ModelContext(container)
            context.insert(book)
        }
        expectEqual(book.modelContext, nil)
        let context = ModelContext(container)
        try expectEqual(context.count(Library.Book.self), 0)
        context.insert(book)
        try context.save()
        try expectEqual(context.books(), ["A"])
    }

    @Test("two containers on one file see each other's saves")
    func twoContainers() throws {
        let (context, other) = (try place.context(.file), try place.context(.file))
        try context.savedBook("A")
        try expectEqual(other.books(), ["A"])
        try other.only(Library.Book.self).title = "B"
        try other.save()
        try expectEqual(ModelContext(context.container).books(), ["B"])
    }
}
