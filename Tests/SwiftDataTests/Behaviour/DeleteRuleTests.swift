/// Delete rules, and models whose deletion is saved.
@Suite struct DeleteRuleTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    @Test("cascade deletes the members", arguments: LibraryStore.allCases)
    func cascade(_ store: LibraryStore) throws {
        let context = try place.context(store)
        context.delete(try context.savedAuthor("Ursula", books: "A", "B"))
        context.processPendingChanges()
        expectEqual(context.deletedModelsArray.count, 3)
        try context.save()
        try expectEqual(context.count(Library.Book.self), 0)
    }

    @Test("cascade deletes members that aren't saved", arguments: LibraryStore.allCases)
    func cascadeToInserted(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let author = try context.savedAuthor()
        author.books = [Library.Book("A")]
        context.delete(author)
        try context.save()
        try expectEqual(context.count(Library.Book.self), 0)
    }

    @Test("a member that was taken away before is kept", arguments: LibraryStore.allCases)
    func takenAway(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let author = try context.savedAuthor("Ursula", books: "A", "B")
        author.books.removeAll { $0.title == "A" }
        context.delete(author)
        try context.save()
        try expectEqual(context.books(), ["A"])
    }

    @Test("nullify takes the model out of the other side", arguments: LibraryStore.allCases)
    func nullify(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let author = try context.savedAuthor("Ursula", books: "A", "B")
        let book = try requireValue(author.books.first { $0.title == "A" })
        context.delete(book)
        try context.save()
        expectEqual(author.books.map(\.title), ["B"])
        #expect(author.modelContext === context)
    }

    @Test("nullify ends a many-to-many relationship", arguments: LibraryStore.allCases)
    func manyToMany(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        let subject = Library.Subject("Space")
        book.subjects = [subject]
        try context.save()
        context.delete(book)
        try context.save()
        expectEmpty(subject.books)
        try expectEqual(context.count(Library.Subject.self), 1)
    }

    @Test("deny refuses the save as long as there are members", arguments: LibraryStore.allCases)
    func deny(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let shelf = Library.Shelf("A")
        shelf.books = [Library.Book("A")]
        context.insert(shelf)
        try context.save()
        context.delete(shelf)
        #expect(throws: CocoaError.self) { try context.save() }
        context.rollback()
        try expectEqual(context.only(Library.Shelf.self).books.count, 1)
    }

    @Test("deny accepts a deletion with all members", arguments: LibraryStore.allCases)
    func denyWithMembers(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let shelf = Library.Shelf("A")
        shelf.books = [Library.Book("A"), Library.Book("B")]
        context.insert(shelf)
        try context.save()
        for book in shelf.books { context.delete(book) }
        context.delete(shelf)
        try context.save()
        try expectEqual(context.count(Library.Shelf.self), 0)
    }

    @Test("a deletion that leaves a required relationship empty is refused", arguments: LibraryStore.allCases)
    func required(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        context.insert(Library.Loan("Ada", book: book))
        try context.save()
        context.delete(book)
        #expect(throws: CocoaError.self) { try context.save() }
        context.rollback()
        #expect(try context.only(Library.Loan.self).book === book)
    }

    @Test("a deleted model answers its values, and has a context until the save", arguments: LibraryStore.allCases)
    func values(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook("Malafrena")
        context.delete(book)
        expectTrue(book.isDeleted)
        #expect(book.modelContext === context)
        try context.save()
        expectFalse(book.isDeleted)
        expectEqual(book.modelContext, nil)
        expectEqual(book.title, "Malafrena")
    }

    @Test("a deleted model that another context fetched only now is gone", arguments: LibraryStore.allCases)
    func goneElsewhere(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        let book = try context.savedBook()
        context.delete(book)
        try context.save()
        try expectEqual(other.count(Library.Book.self), 0)
    }

    @Test("deleting a model twice deletes it once", arguments: LibraryStore.allCases)
    func twice(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        context.delete(book)
        context.delete(book)
        try context.save()
        context.delete(book)
        expectFalse(context.hasChanges)
    }

    @Test("a model without context can't be deleted", arguments: LibraryStore.allCases)
    func withoutContext(_ store: LibraryStore) throws {
        let context = try place.context(store)
        context.delete(Library.Book("A"))
        expectFalse(context.hasChanges)
    }
}
