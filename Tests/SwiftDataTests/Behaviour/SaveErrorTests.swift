import CoreData

/// Saves that fail.
@Suite struct SaveErrorTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    /// A context whose save fails: the book of a loan is deleted.
    private func failing(_ store: LibraryStore) throws -> (ModelContext, Library.Book, Library.Loan) {
        let context = try place.context(store)
        let book = try context.savedBook("A")
        let loan = Library.Loan("Ada", book: book)
        context.insert(loan)
        try context.save()
        context.delete(book)
        return (context, book, loan)
    }

    @Test("the error names the entity and the property", arguments: LibraryStore.allCases)
    func description(_ store: LibraryStore) throws {
        let (context, _, _) = try failing(store)
        let error = try #require(throws: CocoaError.self) { try context.save() }
        expectEqual(error.code, .validationMissingMandatoryProperty)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "book")
    }

    @Test("nothing is written", arguments: LibraryStore.allCases)
    func nothingWritten(_ store: LibraryStore) throws {
        let (context, _, loan) = try failing(store)
        loan.reader = "Grace"
        context.insert(Library.Book("B"))
        #expect(throws: CocoaError.self) { try context.save() }
        let other = ModelContext(context.container)
        try expectEqual(other.books(), ["A"])
        try expectEqual(other.only(Library.Loan.self).reader, "Ada")
    }

    @Test("the changes are kept, and saved when they are right", arguments: LibraryStore.allCases)
    func repaired(_ store: LibraryStore) throws {
        let (context, _, loan) = try failing(store)
        #expect(throws: CocoaError.self) { try context.save() }
        expectTrue(context.hasChanges)
        context.delete(loan)
        try context.save()
        try expectEqual(context.count(Library.Loan.self), 0)
        try expectEqual(context.count(Library.Book.self), 0)
    }

    @Test("a rollback leaves a context that saves", arguments: LibraryStore.allCases)
    func rolledBack(_ store: LibraryStore) throws {
        let (context, book, _) = try failing(store)
        #expect(throws: CocoaError.self) { try context.save() }
        context.rollback()
        book.title = "B"
        try context.save()
        try expectEqual(context.books(), ["B"])
    }

    @Test("a transaction passes on the error of its closure, and doesn't save", arguments: LibraryStore.allCases)
    func transaction(_ store: LibraryStore) throws {
        struct Failure: Error {}
        let context = try place.context(store)
        #expect(throws: Failure.self) {
            try context.transaction {
                context.insert(Library.Book("A"))
                throw Failure()
            }
        }
        expectTrue(context.hasChanges)
        try expectEqual(ModelContext(context.container).count(Library.Book.self), 0)
    }

    @Test("a store that doesn't allow saving refuses it, and is read")
    func readOnly() throws {
        do {
            try place.context(.file).savedBook("A")
        }
        let context = ModelContext(try place.container(.file, allowsSave: false))
        let book = try context.only(Library.Book.self)
        book.title = "B"
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        expectEqual(book.title, "A")
    }

    @Test("unique values of two shelves become one", arguments: LibraryStore.allCases)
    func unique(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        context.insert(Library.Shelf("A"))
        let shelf = Library.Shelf("A")
        shelf.books = [Library.Book("B")]
        other.insert(shelf)
        try context.save()
        try other.save()
        let third = ModelContext(context.container)
        try expectEqual(third.only(Library.Shelf.self).books.map(\.title), ["B"])
    }
}
