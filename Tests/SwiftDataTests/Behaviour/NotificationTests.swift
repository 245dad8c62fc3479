/// The notifications of a context.
@Suite struct ContextNotificationTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    @Test("a save is announced before and after, with the context", arguments: LibraryStore.allCases)
    func order(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let posts = Posts(context)
        context.insert(Library.Book("A"))
        try context.save()
        expectEqual(posts.names, [ModelContext.willSave, ModelContext.didSave])
    }

    @Test("a save tells the inserted, changed and deleted models", arguments: LibraryStore.allCases)
    func identifiers(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let (changed, deleted) = (try context.savedBook("A"), try context.savedBook("B"))
        let deletedID = deleted.persistentModelID
        let posts = Posts(context)
        let inserted = Library.Book("C")
        context.insert(inserted)
        changed.title = "D"
        context.delete(deleted)
        try context.save()
        expectEqual(posts.identifiers(.insertedIdentifiers), [inserted.persistentModelID])
        expectEqual(posts.identifiers(.updatedIdentifiers), [changed.persistentModelID])
        expectEqual(posts.identifiers(.deletedIdentifiers), [deletedID])
    }

    @Test("what delete rules delete is told, too", arguments: LibraryStore.allCases)
    func cascade(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let author = try context.savedAuthor("Ursula", books: "A", "B")
        let ids = Set(author.books.map(\.persistentModelID) + [author.persistentModelID])
        let posts = Posts(context)
        context.delete(author)
        try context.save()
        expectEqual(posts.identifiers(.deletedIdentifiers), ids)
    }

    @Test("the other side of a relationship counts as changed", arguments: LibraryStore.allCases)
    func inverse(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let (author, book) = (try context.savedAuthor(), try context.savedBook())
        let posts = Posts(context)
        book.author = author
        try context.save()
        expectEqual(posts.identifiers(.updatedIdentifiers), [author.persistentModelID, book.persistentModelID])
    }

    @Test("identifiers are those of saved models", arguments: LibraryStore.allCases)
    func permanent(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let posts = Posts(context)
        context.insert(Library.Book("A"))
        try context.save()
        let ids = try requireValue(posts.identifiers(.insertedIdentifiers))
        #expect(ids.allSatisfy { !$0.isTemporary })
    }

    @Test("changes that an observer makes before the save are saved", arguments: LibraryStore.allCases)
    func changedBefore(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = Library.Book("A")
        context.insert(book)
        nonisolated(unsafe) let observed = book
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave, object: context, queue: nil
        ) { _ in observed.title = "B" }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        expectFalse(context.hasChanges)
        try expectEqual(ModelContext(context.container).books(), ["B"])
    }

    @Test("a save that fails isn't announced after it", arguments: LibraryStore.allCases)
    func failure(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        context.insert(Library.Loan("Ada", book: book))
        try context.save()
        context.delete(book)
        let posts = Posts(context)
        #expect(throws: CocoaError.self) { try context.save() }
        expectEqual(posts.names, [ModelContext.willSave])
    }

    @Test("without changes nothing is announced", arguments: LibraryStore.allCases)
    func nothing(_ store: LibraryStore) throws {
        let context = try place.context(store)
        try context.savedBook()
        let posts = Posts(context)
        try context.save()
        expectEqual(posts.names, [])
    }

    @Test("the saves of another context are announced by that", arguments: LibraryStore.allCases)
    func other(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        let posts = Posts(context)
        try other.savedBook()
        _ = try context.count(Library.Book.self)
        expectEqual(posts.names, [])
    }
}

/// The notifications of a context. Used on one thread, hence Sendable.
private final class Posts: @unchecked Sendable {
    private(set) var names: [Notification.Name] = []
    private var userInfo: [AnyHashable: Any] = [:]
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: ModelContext) {
        tokens = [ModelContext.willSave, ModelContext.didSave].map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] post in
                self?.names.append(post.name)
                self?.userInfo = post.userInfo ?? [:]
            }
        }
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    /// The identifiers of the last post.
    func identifiers(_ key: ModelContext.NotificationKey) -> Set<PersistentIdentifier>? {
        (userInfo[key.rawValue] as? [PersistentIdentifier]).map { Set($0) }
    }
}
