/// The options of a fetch descriptor.
@Suite struct FetchOptionTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    /// A container with authors and their books.
    private func container(_ store: LibraryStore) throws -> ModelContainer {
        let container = try place.container(store)
        let context = ModelContext(container)
        for number in 0..<6 {
            let author = Library.Author("Author \(number)")
            context.insert(author)
            author.books = [Library.Book("A\(number)", pages: number), Library.Book("B\(number)", pages: number)]
        }
        try context.save()
        return container
    }

    @Test("prefetched relationships are read with the models", arguments: LibraryStore.allCases)
    func prefetching(_ store: LibraryStore) throws {
        let container = try container(store)
        let ids = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Library.Book>())
        /// How many books a context has after it fetched the authors.
        func registeredBooks(_ prefetched: [PartialKeyPath<Library.Author>]) throws -> Int {
            let context = ModelContext(container)
            var descriptor = FetchDescriptor<Library.Author>()
            descriptor.relationshipKeyPathsForPrefetching = prefetched
            let authors = try context.fetch(descriptor)
            return withExtendedLifetime(authors) {
                ids.filter { context.registeredModel(for: $0) as Library.Book? != nil }.count
            }
        }
        try expectEqual(registeredBooks([]), 0)
        try expectEqual(registeredBooks([\.books]), 12)
    }

    @Test("a relationship of a class that isn't fetched is no relationship to prefetch")
    func wrongPrefetching() throws {
        let context = ModelContext(try container(.memory))
        var descriptor = FetchDescriptor<Library.Author>()
        descriptor.relationshipKeyPathsForPrefetching = [\.hashValue]
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(descriptor) }
    }

    @Test("properties that aren't fetched are read when they are used", arguments: LibraryStore.allCases)
    func properties(_ store: LibraryStore) throws {
        let context = ModelContext(try container(store))
        var descriptor = FetchDescriptor<Library.Book>(sortBy: [SortDescriptor(\.title)])
        descriptor.propertiesToFetch = [\.title]
        let books = try context.fetch(descriptor)
        expectEqual(books.map(\.title).first, "A0")
        expectEqual(books.map(\.pages), [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5])
        books[0].title = "C"
        try context.save()
        expectEqual(books[0].pages, 0)
    }

    @Test("a computed property can't be fetched")
    func computed() throws {
        let context = ModelContext(try container(.memory))
        var descriptor = FetchDescriptor<Library.Book>()
        descriptor.propertiesToFetch = [\.hashValue]
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(descriptor) }
    }

    @Test("identifiers in batches are those of the models, in order", arguments: LibraryStore.allCases)
    func identifiers(_ store: LibraryStore) throws {
        let context = ModelContext(try container(store))
        let descriptor = FetchDescriptor<Library.Book>(sortBy: [SortDescriptor(\.title, order: .reverse)])
        let models = try context.fetch(descriptor).map(\.persistentModelID)
        for size in [1, 5, 12, 100] {
            let identifiers = try context.fetchIdentifiers(descriptor, batchSize: size)
            expectEqual(Array(identifiers), models)
            expectEqual(identifiers[7], models[7])
        }
    }

    @Test("identifiers in batches stay when the store changes", arguments: LibraryStore.allCases)
    func identifiersStay(_ store: LibraryStore) throws {
        let context = ModelContext(try container(store))
        let descriptor = FetchDescriptor<Library.Book>(sortBy: [SortDescriptor(\.title)])
        let expected = try context.fetchIdentifiers(descriptor)
        let identifiers = try context.fetchIdentifiers(descriptor, batchSize: 5)
        let other = ModelContext(context.container)
        for book in try other.fetch(descriptor).prefix(3) { other.delete(book) }
        try other.save()
        expectEqual(Array(identifiers), expected)
    }

    @Test("identifiers are those of unsaved models, too", arguments: LibraryStore.allCases)
    func unsavedIdentifiers(_ store: LibraryStore) throws {
        let context = ModelContext(try container(store))
        let book = Library.Book("0")
        context.insert(book)
        let descriptor = FetchDescriptor<Library.Book>(sortBy: [SortDescriptor(\.title)])
        try expectEqual(context.fetchIdentifiers(descriptor).first, book.persistentModelID)
        try expectEqual(context.fetchIdentifiers(descriptor, batchSize: 4).first, book.persistentModelID)
    }

    @Test("identifiers need no models", arguments: LibraryStore.allCases)
    func withoutModels(_ store: LibraryStore) throws {
        let context = ModelContext(try container(store))
        let id = try requireValue(try context.fetchIdentifiers(FetchDescriptor<Library.Book>()).first)
        let registered: Library.Book? = context.registeredModel(for: id)
        expectEqual(registered, nil)
    }
}
