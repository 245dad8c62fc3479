import CoreData
import Testing

/// A file closes with the last thing that the program holds of its stack, and SQLite then moves the log into it.
@Suite("The file of a stack that nothing holds")
struct ClosedStackTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("library.sqlite") }

    private func makeContainer() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "library", managedObjectModel: LibraryModel.make())
        let description = NSPersistentStoreDescription(url: url)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    /// The names of the books in a copy of the main file alone, with their authors.
    private func contentOfCopy() throws -> [String: String?] {
        let copy = folder.file("copy.sqlite")
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: url, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: copy)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            var content: [String: String?] = [:]
            for book in try context.all("Book") {
                content[book.text("name") ?? ""] = .some(book.object("author")?.text("name"))
            }
            return content
        }
    }

    private func expectClosed(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try #expect(folder.contents == ["library.sqlite"], sourceLocation: sourceLocation)
        try #expect(contentOfCopy() == ["Emma": "Jane", "Persuasion": "Jane"], sourceLocation: sourceLocation)
    }

    @discardableResult
    private func fill(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        try context.performAndWait {
            let author = context.make("Author", "Jane")
            for name in ["Emma", "Persuasion"] { context.make("Book", name, ["author": author]) }
            try context.save()
            return author
        }
    }

    @Test("is closed after related objects were saved in the view context")
    func viewContext() throws {
        do { try fill(try makeContainer().viewContext) }
        try expectClosed()
    }

    @Test("is closed after related objects were saved in a background context, which merges")
    func backgroundContext() throws {
        do {
            let container = try makeContainer()
            container.viewContext.automaticallyMergesChangesFromParent = true
            try fill(container.newBackgroundContext())
            try on(container.viewContext) {
                let books = try container.viewContext.all("Book")
                #expect(books.allSatisfy { $0.object("author")?.objects("books").count == 2 })
            }
        }
        try expectClosed()
    }

    @Test("is closed after the relationships of fetched objects were read, and the objects outlive the container")
    func keptObjects() throws {
        do { try fill(try makeContainer().viewContext) }
        do {
            var books: [NSManagedObject] = []
            do {
                let context = try makeContainer().viewContext
                try on(context) {
                    books = try context.all("Book")
                    for book in books { expectEqual(book.object("author")?.names("books").count, 2) }
                }
            }
            expectEqual(books.count, 2)
        }
        try expectClosed()
    }

    @Test("is closed after a child context has saved related objects")
    func childContext() throws {
        do {
            let container = try makeContainer()
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = container.viewContext
            try fill(child)
            try on(container.viewContext) { try container.viewContext.save() }
            // The child learns of its objects' permanent IDs on its queue, and is kept until then.
            child.performAndWait {}
        }
        try expectClosed()
    }

    @Test("is closed after a results controller and an observer have followed it")
    func observers() throws {
        do {
            let container = try makeContainer()
            let context = container.viewContext
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let count = LockedValue(0)
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { _ in count.withLock { $0 += 1 } }
            try fill(context)
            try on(context) {
                try controller.performFetch()
                let authors = controller.fetchedObjects?.compactMap { $0.object("author")?.text("name") }
                expectEqual(authors, ["Jane", "Jane"])
            }
            NotificationCenter.default.removeObserver(token)
            expectEqual(count.withLock { $0 }, 1)
        }
        try expectClosed()
    }

    @Test("is closed after related objects were changed and undone, and not saved")
    func unsaved() throws {
        do {
            let context = try makeContainer().viewContext
            context.undoManager = UndoManager()
            let author = try fill(context)
            try on(context) {
                let book = context.make("Book", "Sanditon", ["author": author])
                context.processPendingChanges()
                context.undoManager?.undo()
                book.setValue("again", forKey: "name")
                author.mutableSetValue(forKey: "books").removeAllObjects()
            }
        }
        try expectClosed()
    }

    @Test("is closed after a pinned generation and an asynchronous fetch")
    func generations() throws {
        do { try fill(try makeContainer().viewContext) }
        do {
            let context = try makeContainer().viewContext
            try on(context) {
                try context.setQueryGenerationFrom(.current)
                for book in try context.all("Book") { #expect(book.object("author") != nil) }
            }
        }
        try expectClosed()
    }

    @Test("1,000 stacks with related objects leave no file open")
    func manyStacks() throws {
        for _ in 0..<TestRun.quick(100, long: 1_000) {
            let context = try makeContainer().viewContext
            try on(context) {
                let author = context.make("Author", "A")
                context.make("Book", "B", ["author": author])
                try context.save()
                for author in try context.all("Author", limit: 3) { _ = author.names("books") }
            }
        }
        try expectEqual(folder.contents, ["library.sqlite"])
    }
}
