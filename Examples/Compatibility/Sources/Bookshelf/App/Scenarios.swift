import CoreData
import Foundation

/// The work of the app, with a check of each step.
@MainActor
struct Scenarios {
    static let json = Data(
        """
        [{"id": 1, "title": "Emma", "pages": 474, "genre": 1, "keywords": ["village", "marriage"],
          "authors": [{"id": 10, "name": "Jane Austen"}]},
         {"id": 2, "title": "Persuasion", "pages": 249, "genre": 1, "authors": [{"id": 10, "name": "Jane Austen"}]},
         {"id": 3, "title": "Elements", "pages": 465, "genre": 2, "authors": [{"id": 11, "name": "Euclid"}]}]
        """.utf8)

    let stack: CoreDataStack
    let importer: Importer
    let history: HistoryProcessor

    init(storeURL: URL) throws {
        stack = try CoreDataStack(storeURL: storeURL)
        importer = Importer(stack: stack)
        history = HistoryProcessor(stack: stack)
    }

    func run() async throws {
        try templates()
        try importing()
        try persistentHistory()
        try lifeCycle()
        try list()
        try observers()
        try requests()
        try undo()
        try spyContexts()
        try await concurrency()
    }

    private func templates() throws {
        print("Xcode's template")
        let context = PersistenceController.preview.container.viewContext
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        check(try context.count(for: request) == 10, "the previews have data in memory")
        check(
            PersistenceController(inMemory: true).container.viewContext.registeredObjects.isEmpty,
            "another stack in memory is empty")
    }

    private func importing() throws {
        print("Importing")
        let observer = ContextObserver(context: stack.backgroundContext)
        let ids = try importer.importBooks(from: Self.json)
        check(ids.count == 3 && ids.allSatisfy { !$0.isTemporaryID }, "three books with permanent IDs")
        check(observer.insertedCount == 5, "the observer's method saw three books and two authors")
        check(observer.savedNames == ["background"], "the observer's method saw one save")
        check(observer.willSaveCount == 1, "the method without parameter was called")
        try importer.importBooks(from: Self.json)
        check(observer.savedNames == ["background"], "importing again changes nothing")
        let books = try Repository<Book>(context: stack.viewContext).all(sortedBy: #keyPath(Book.title))
        check(books.map(\.title) == ["Elements", "Emma", "Persuasion"], "the books by title")
        check(books[1].keywords == ["village", "marriage"], "a transformer of the app stores the keywords")
        check(books[1].summary == "Emma, 474 pages", "awakeFromFetch set a transient property")
        check(books.map(\.genre) == [.science, .novel, .novel], "an enumeration over raw values")
        let author = (books[1].authors as? Set<Author>)?.first
        check(
            author?.initials == "JA" && author?.createdAt == Date(timeIntervalSinceReferenceDate: 0),
            "a generated class with an override in an extension")
        check(author?.sortedBooks.map(\.title) == ["Emma", "Persuasion"], "sorting by a selector")
    }

    private func persistentHistory() throws {
        print("Persistent history")
        let transactions = try history.process()
        check(transactions.count == 1, "one transaction of the import")
        check(
            transactions.first?.author == "sync" && transactions.first?.contextName == "background",
            "its author and the name of its context")
        let changes = transactions.first?.changes ?? []
        check(changes.count == 5 && changes.allSatisfy { $0.changeType == .insert }, "five insertions")
        check(changes.contains { $0.changedObjectID.entity.name == "Author" }, "with the objects' IDs")
        let data = try NSKeyedArchiver.archivedData(withRootObject: history.lastToken!, requiringSecureCoding: true)
        let token = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        check(token == history.lastToken, "a token survives archiving")
        check(try history.process().isEmpty, "nothing new")
        let deadline = Date(timeIntervalSinceNow: 10)
        while history.remoteChangeCount == 0 && Date() < deadline {
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        }
        check(history.remoteChangeCount > 0, "the method for remote changes was called")
        try history.purge(before: Date())
        let batch = NSBatchUpdateRequest(entityName: "Book")
        batch.predicate = NSPredicate(format: "%K == %d", #keyPath(Book.rawGenre), 2)
        batch.propertiesToUpdate = [#keyPath(Book.isFavourite): true]
        batch.resultType = .updatedObjectIDsResultType
        let result = try stack.viewContext.execute(batch) as? NSBatchUpdateResult
        let updated = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: updated], into: [stack.viewContext])
        let favourites = try Repository<Book>(context: stack.viewContext).count(
            NSPredicate(format: "isFavourite == YES"))
        check(updated.count == 1 && favourites == 1, "a batch update, merged into the view context")
    }

    private func lifeCycle() throws {
        print("Life cycle")
        let context = stack.viewContext
        let book = Book(context: context)
        check(book.addedAt != nil, "awakeFromInsert in an extension was called")
        book.title = " Endless "
        book.remoteID = 99
        book.pages = 20_000
        book.colour = Colour(red: 1, green: 0.5, blue: 0)
        do {
            try context.save()
            check(false, "too many pages can't be saved")
        } catch BookError.tooManyPages(let pages) {
            check(pages == 20_000, "an error of the app comes out as it was thrown")
        }
        book.pages = 200
        let shelf = Shelf(context: context)
        shelf.name = "Left"
        shelf.addToBooks(book)
        let session = ReadingSession(minutes: 25, of: book, in: context)
        try context.save()
        check(Book.saveCount > 0 && book.title == "Endless", "willSave in an extension trimmed the title")
        context.refreshAllObjects()
        check(book.colour?.green == 0.5, "a transformer with secure coding")
        check(session.book === book && book.totalMinutes == 25, "a relationship and a computed property")
        check(shelf.value(forKey: "bookCount") as? Int == 1, "a computed property by its key")
        check(book.value(forKeyPath: "shelf.bookCount") as? Int == 1, "a computed property in a key path")

        let author = Author(context: context)
        author.remoteID = 12
        author.name = "X"
        do {
            try context.save()
            check(false, "a short name can't be saved")
        } catch let error as NSError {
            check(error.domain == "Bookshelf" && error.code == 7, "validateName(_:) is found by its name")
        }
        context.delete(author)

        context.delete(shelf)
        do {
            try context.save()
            check(false, "a shelf with books can't be deleted")
        } catch let error as NSError {
            check(error.code == NSValidationRelationshipDeniedDeleteError, "the delete rule refuses")
        }
        context.rollback()
        context.delete(book)
        try context.save()
        check(deletedTitles == ["Endless"], "prepareForDeletion in an extension was called")
        let sessions: NSFetchRequest<ReadingSession> = ReadingSession.fetchRequest()
        check(try context.count(for: sessions) == 0, "the delete rule cascades")
    }

    private func list() throws {
        print("A list")
        let list = BookList(context: stack.viewContext)
        let counter = ChangeCounter()
        list.next = counter
        list.delegate = counter
        try list.load()
        check(list.titles == ["[E]", "Elements", "Emma", "[P]", "Persuasion"], "sections by a computed property")
        let book = Book(context: stack.viewContext)
        book.title = "Sanditon"
        book.remoteID = 4
        stack.saveIfNeeded()
        check(list.log == ["begin", "insert section S", "insert Sanditon at 2.0", "end"], "the delegate's calls")
        check(counter.count == 1, "an optional method of the next delegate was called")
        book.title = "Emma, again"
        stack.viewContext.processPendingChanges()
        check(counter.moved == ["Emma, again"], "a move")
        stack.viewContext.rollback()
    }

    private func observers() throws {
        print("Observers")
        let context = stack.viewContext
        var observer: ContextObserver? = ContextObserver(context: context)
        let isReleased = { [weak observer] in observer == nil }
        _ = Author(context: context)
        context.processPendingChanges()
        check(observer?.insertedCount == 1, "an insertion")
        observer?.stop()
        _ = Author(context: context)
        context.processPendingChanges()
        check(observer?.insertedCount == 1, "nothing after removeObserver(_:name:object:)")
        observer = nil
        check(isReleased(), "the notification centre does not retain its observers")
        context.rollback()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { _ in failures += 1 }
        NotificationCenter.default.removeObserver(token)
        try context.save()
    }

    private func requests() throws {
        print("Requests")
        let context = stack.viewContext
        let books = Repository<Book>(context: context)
        check(try context.fetch(books.anyRequest()).count == 3, "a request of another type")
        check(try books.count(NSPredicate(format: "ANY authors.name CONTAINS[cd] %@", "austen")) == 2, "a predicate")
        let all = try books.all(sortedBy: "title") as NSArray
        let sorted = all.sortedArray(using: [
            NSSortDescriptor(key: #keyPath(Book.genreName), ascending: false),
            NSSortDescriptor(key: "totalMinutes", ascending: true),
            NSSortDescriptor(key: "title", ascending: true),
        ])
        check(
            (sorted as! [Book]).map(\.title) == ["Elements", "Sanditon", "Emma", "Persuasion"],
            "sorting in memory by computed properties")
        let novels = all.filtered(using: NSPredicate(format: "%K == %@", "genreName", "Novel"))
        check(novels.count == 2, "a predicate on a computed property in memory")
        let model = stack.container.managedObjectModel
        let template = model.fetchRequestFromTemplate(withName: "LongBooks", substitutionVariables: ["PAGES": 400])
        check(try context.fetch(template!).count == 2, "a template of the model")
        let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Book")
        dictionaries.resultType = .dictionaryResultType
        let sum = NSExpressionDescription()
        sum.name = "total"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")])
        sum.expressionResultType = .integer64AttributeType
        dictionaries.propertiesToFetch = [sum]
        check(try context.fetch(dictionaries).first?["total"] as? Int == 474 + 249 + 465 + 1, "a sum")
    }

    private func undo() throws {
        print("Undo")
        let context = stack.viewContext
        context.undoManager = UndoManager()
        context.undoManager?.groupsByEvent = false
        defer { context.undoManager = nil }
        let book = try Repository<Book>(context: context).first(where: "title == %@", "Emma")!
        context.undoManager?.beginUndoGrouping()
        book.isFavourite = true
        context.processPendingChanges()
        context.undoManager?.setActionName("Mark as favourite")
        context.undoManager?.endUndoGrouping()
        check(context.undoManager?.undoActionName == "Mark as favourite", "the action's name")
        context.undoManager?.undo()
        check(!book.isFavourite && context.undoManager?.canRedo == true, "undo")
        context.redo()
        check(book.isFavourite, "redo")
        context.rollback()
    }

    private func spyContexts() throws {
        print("Contexts of tests")
        let context = SpyContext(parent: stack.viewContext)
        let book = Book(context: context)
        book.title = "Child"
        book.remoteID = 50
        context.refusesSaves = true
        do {
            try context.save()
            check(false, "the context refuses to save")
        } catch is SpyContext.Refused {
            check(context.hasChanges, "the changes are kept")
        }
        context.refusesSaves = false
        context.delete(book)
        try context.save()
        check(context.saveCount == 1 && context.deletedObjectsLog == [book], "overridden methods were called")
    }

    private func concurrency() async throws {
        print("Concurrency")
        let count = try await importer.importAsynchronously(Self.json)
        check(count == 3, "a background task")
        let titles = try await stack.viewContext.perform {
            try self.stack.viewContext.fetch(Book.fetchRequest()).map(\.title).sorted()
        }
        check(titles == ["Elements", "Emma", "Persuasion", "Sanditon"], "the merge policy found the same books")
    }
}
