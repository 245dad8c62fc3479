import CoreData
import Testing

/// The examples in the documentation of contexts, word for word.
private enum Examples {
    static func rename(_ book: NSManagedObjectID, to title: String, in container: NSPersistentContainer) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            let object = try context.existingObject(with: book)
            object.setValue(title, forKey: "title")
            try context.save()
        }
    }

    static func delete(_ book: NSManagedObject, in context: NSManagedObjectContext) {
        let id = book.objectID
        context.perform {
            context.delete(context.object(with: id))
        }
    }

    static func title(of book: NSManagedObjectID, in context: NSManagedObjectContext) throws -> String? {
        do {
            return try context.existingObject(with: book).value(forKey: "title") as? String
        } catch CocoaError.managedObjectReferentialIntegrity {
            return nil
        }
    }

    static func addBook(_ title: String, to context: NSManagedObjectContext) -> NSManagedObject {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        return book
    }

    static func deleteBooks(before year: Int, in context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "year < %d", year)
        for book in try context.fetch(request) { context.delete(book) }
        try context.save()
    }

    static func saveOrRollback(_ context: NSManagedObjectContext) throws {
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
    }

    static func permanentURI(of book: NSManagedObject) throws -> URL {
        try book.managedObjectContext?.obtainPermanentIDs(for: [book])
        return book.objectID.uriRepresentation()
    }

    static func cancelEditing(_ book: NSManagedObject) {
        book.managedObjectContext?.rollback()
    }

    static func importBooks(_ titles: [[String]], into context: NSManagedObjectContext) throws {
        for batch in titles {
            for title in batch {
                NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    .setValue(title, forKey: "title")
            }
            try context.save()
            context.reset()
        }
    }

    static func newestTitle(of book: NSManagedObject) -> String? {
        book.managedObjectContext?.refresh(book, mergeChanges: true)
        return book.value(forKey: "title") as? String
    }

    static func follow(_ other: NSManagedObjectContext, in context: NSManagedObjectContext) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { notification in
            nonisolated(unsafe) let notification = notification
            context.performAndWait { context.mergeChanges(fromContextDidSave: notification) }
        }
    }

    static func books(by author: NSManagedObject, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "author == %@ AND pages > %d", author, 100)
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        request.fetchLimit = 20
        return try context.fetch(request)
    }

    static func hasBooks(_ context: NSManagedObjectContext) throws -> Bool {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) > 0
    }

    static func load(_ context: NSManagedObjectContext, show: @escaping ([NSManagedObject]) -> Void) {
        context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                if let error = result.operationError { return print("No books: \(error)") }
                show(result.finalResult ?? [])
            }
            do { try context.execute(asynchronous) } catch { print("A bad request: \(error)") }
        }
    }

    static func saveNewBook(_ title: String, in context: NSManagedObjectContext) throws {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        try context.save()
    }
}

@Suite("Examples in the documentation of contexts")
struct ContextExamplesTests {
    private func books() -> NSManagedObjectModel {
        let book = entity("Book")
        let author = entity("Author")
        let books = toMany("books", book)
        let owner = toOne("author", author)
        pair(books, owner)
        author.properties = [books]
        book.properties = [
            attribute("title", .stringAttributeType), attribute("pages", .integer32AttributeType),
            attribute("year", .integer32AttributeType), owner,
        ]
        return model([book, author])
    }

    @Test("inserting, fetching, counting and deleting", arguments: StoreKind.allCases)
    func basics(_ kind: StoreKind) throws {
        try withStack(kind, model: books()) { stack in
            let context = stack.context
            try expectFalse(Examples.hasBooks(context))
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            let book = Examples.addBook("b", to: context)
            for (key, value) in ["author": author, "pages": 200, "year": 1900] as [String: Any] {
                book.setValue(value, forKey: key)
            }
            try expectEqual(Examples.permanentURI(of: book), book.objectID.uriRepresentation())
            try Examples.saveOrRollback(context)
            try expectEqual(Examples.books(by: author, in: context), [book])
            try expectTrue(Examples.hasBooks(context))
            book.setValue("c", forKey: "title")
            Examples.cancelEditing(book)
            expectEqual(book.text("title"), "b")
            expectEqual(Examples.newestTitle(of: book), "b")
            try expectEqual(Examples.title(of: book.objectID, in: context), "b")
            let id = book.objectID
            try Examples.deleteBooks(before: 1950, in: context)
            try expectEqual(Examples.title(of: id, in: context), nil)
            try Examples.saveNewBook("d", in: context)
            try Examples.importBooks([["e", "f"], ["g"]], into: context)
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")), 4)
        }
    }

    @Test("merging what another context saves", arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) throws {
        let stack = try TestStack(kind, model: books())
        let other = stack.newContext()
        let observer = Examples.follow(other, in: stack.context)
        defer { NotificationCenter.default.removeObserver(observer) }
        var ids: [NSManagedObjectID] = []
        try on(other) {
            let book = Examples.addBook("a", to: other)
            try other.save()
            ids = [book.objectID]
        }
        try on(stack.context) {
            try expectEqual(requireValue(ids.first).isTemporaryID, false)
            try expectEqual(Examples.title(of: ids[0], in: stack.context), "a")
        }
        try on(other) {
            Examples.delete(other.object(with: ids[0]), in: other)
        }
        // Blocks of a queue run in order.
        try on(other) { expectEqual(other.deletedObjects.count, 1) }
    }

    @Test("fetching asynchronously", arguments: StoreKind.allCases)
    func asynchronous(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind, model: books())
        try on(stack.context) { try Examples.saveNewBook("a", in: stack.context) }
        let titles = await withCheckedContinuation { continuation in
            Examples.load(stack.context) { continuation.resume(returning: $0.map { $0.text("title") }) }
        }
        expectEqual(titles, ["a"])
    }

    @Test("changing an object of a container")
    func container() async throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentContainer(name: "Books", managedObjectModel: books())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("books.sqlite"))]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let context = container.newBackgroundContext()
        let id = try await context.perform {
            let book = Examples.addBook("a", to: context)
            try context.save()
            return book.objectID
        }
        try await Examples.rename(id, to: "b", in: container)
        let other = container.newBackgroundContext()
        try await other.perform { try expectEqual(other.existingObject(with: id).text("title"), "b") }
        withExtendedLifetime(folder) {}
    }
}
