/// Models that are inserted.
@Suite struct InsertionTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    @Test("A model of a class that the schema doesn't have is refused by the save")
    func foreignModel() throws {
        let context = try RecipeBox.context()
        context.insert(DiaryPage(text: "Monday"))
        expectTrue(context.hasChanges)
        let error = #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
        expectEqual(error?.localizedDescription.contains("DiaryPage"), true)
        context.rollback()
        context.insert(Recipe(title: "Soup"))
        try context.save()
        try expectEqual(context.fetchCount(FetchDescriptor<Recipe>()), 1)
    }

    @Test(
        "an inserted model has the context at once, and a permanent identifier after the save",
        arguments: LibraryStore.allCases)
    func identifier(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = Library.Book("Malafrena")
        expectEqual(book.modelContext, nil)
        context.insert(book)
        #expect(book.modelContext === context)
        expectTrue(book.persistentModelID.isTemporary)
        try context.save()
        expectFalse(book.persistentModelID.isTemporary)
    }

    @Test("a fetch gives the inserted model itself", arguments: LibraryStore.allCases)
    func identity(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        #expect(try context.only(Library.Book.self) === book)
    }

    @Test("inserting a model twice inserts it once", arguments: LibraryStore.allCases)
    func twice(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = Library.Book("Malafrena")
        context.insert(book)
        context.insert(book)
        try context.save()
        context.insert(book)
        expectFalse(context.hasChanges)
        try expectEqual(context.count(Library.Book.self), 1)
    }

    @Test("a model inserts the models that its relationships lead to", arguments: LibraryStore.allCases)
    func graph(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = Library.Book("Malafrena")
        book.author = Library.Author("Ursula")
        book.shelf = Library.Shelf("A")
        book.subjects = [Library.Subject("Europe"), Library.Subject("Liberty")]
        context.insert(book)
        try context.save()
        try expectEqual(context.count(Library.Author.self), 1)
        try expectEqual(context.count(Library.Shelf.self), 1)
        try expectEqual(context.count(Library.Subject.self), 2)
    }

    @Test("a model whose initializer sets a relationship is inserted when it is used", arguments: LibraryStore.allCases)
    func initializer(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        let loan = Library.Loan("Ada", book: book)
        #expect(loan.modelContext === context)
        #expect(book.loans.first === loan)
        try context.save()
        try expectEqual(context.count(Library.Loan.self), 1)
    }

    @Test("a model that is deleted before the save is not saved", arguments: LibraryStore.allCases)
    func deletedBeforeSave(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = Library.Book("Malafrena")
        context.insert(book)
        context.delete(book)
        try context.save()
        try expectEqual(context.count(Library.Book.self), 0)
    }

    @Test("inserting a model whose deletion isn't saved keeps it", arguments: LibraryStore.allCases)
    func keptAgain(_ store: LibraryStore) throws {
        let context = try place.context(store)
        let book = try context.savedBook()
        context.delete(book)
        context.insert(book)
        try context.save()
        #expect(try context.only(Library.Book.self) === book)
    }

    @Test("models that the program has released are saved", arguments: LibraryStore.allCases)
    func released(_ store: LibraryStore) throws {
        let context = try place.context(store)
        for number in 0..<20 { context.insert(Library.Book("Book \(number)", pages: number)) }
        try context.save()
        let pages = try context.fetch(FetchDescriptor<Library.Book>()).map(\.pages)
        expectEqual(pages.sorted(), Array(0..<20))
    }
}
