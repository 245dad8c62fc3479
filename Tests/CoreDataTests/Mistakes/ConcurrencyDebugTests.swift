import CoreData
import Testing

/// Programs that were started with `-com.apple.CoreData.ConcurrencyDebug 1`; here by the environment, in separate
/// processes, one after the other: each is a copy of the test program.
@Suite("ConcurrencyDebug", .serialized)
struct ConcurrencyDebugTests {
    /// The uses of a context and its objects, as the message names them.
    enum Use: String, CaseIterable, Codable, Sendable {
        case readingText = "'name' of an object of entity 'Book' was read"
        case readingNumber = "'pages' of an object of entity 'Book' was read"
        case readingToOne = "'author' of an object of entity 'Book' was read"
        case readingToMany = "'books' of an object of entity 'Author' was read"
        case readingOrdered = "'chapters' of an object of entity 'Book' was read"
        case readingPrimitive = "'price' of an object of entity 'Book' was read"
        case firingFault = "'name' of an object of entity 'Author' was read"
        case writing = "'name' of an object of entity 'Book' was changed"
        case writingToOne = "'cover' of an object of entity 'Book' was read"
        case changingToMany = "'tags' of an object of entity 'Book' was changed"
        case inserting = "insert(_:) of the context was used"
        case deleting = "delete(_:) of the context was used"
        case fetching = "fetch(_:) of the context was used"
        case counting = "count(for:) of the context was used"
        case saving = "save() of the context was used"
        case rollingBack = "rollback() of the context was used"
        case resetting = "reset() of the context was used"
        case undoing = "undo() of the context was used"
        case redoing = "redo() of the context was used"
        case refreshing = "refresh(_:mergeChanges:) of the context was used"
        case findingByID = "object(with:) of the context was used"
        case findingExisting = "existingObject(with:) of the context was used"
        case findingRegistered = "registeredObject(for:) of the context was used"
        case listingInserted = "insertedObjects of the context was used"
        case listingUpdated = "updatedObjects of the context was used"
        case listingDeleted = "deletedObjects of the context was used"
        case listingRegistered = "registeredObjects of the context was used"
        case askingForChanges = "hasChanges of the context was used"
        case processing = "processPendingChanges() of the context was used"

        func run(_ stack: WatchedStack) throws {
            let context = stack.context
            let book = stack.book
            let author = stack.author
            switch self {
            case .readingText: _ = book.value(forKey: "name")
            case .readingNumber: _ = book.value(forKey: "pages")
            case .readingToOne: _ = book.value(forKey: "author")
            case .readingToMany: _ = author.value(forKey: "books")
            case .readingOrdered: _ = book.mutableOrderedSetValue(forKey: "chapters").count
            case .readingPrimitive: _ = book.primitiveValue(forKey: "price")
            case .firingFault: _ = author.value(forKey: "name")
            case .writing: book.setValue("B", forKey: "name")
            case .writingToOne: book.setValue(nil, forKey: "cover")
            case .changingToMany: book.mutableSetValue(forKey: "tags").removeAllObjects()
            case .inserting: context.make("Tag")
            case .deleting: context.delete(book)
            case .fetching: _ = try context.all("Book")
            case .counting: _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
            case .saving: try context.save()
            case .rollingBack: context.rollback()
            case .resetting: context.reset()
            case .undoing: context.undo()
            case .redoing: context.redo()
            case .refreshing: context.refresh(book, mergeChanges: true)
            case .findingByID: _ = context.object(with: stack.id)
            case .findingExisting: _ = try context.existingObject(with: stack.id)
            case .findingRegistered: _ = context.registeredObject(for: stack.id)
            case .listingInserted: _ = context.insertedObjects
            case .listingUpdated: _ = context.updatedObjects
            case .listingDeleted: _ = context.deletedObjects
            case .listingRegistered: _ = context.registeredObjects
            case .askingForChanges: _ = context.hasChanges
            case .processing: context.processPendingChanges()
            }
        }
    }

    /// A context with a saved book, which has its values, and its author, a fault.
    final class WatchedStack: @unchecked Sendable {
        let stack: TestStack
        let context: NSManagedObjectContext
        let id: NSManagedObjectID
        let book: NSManagedObject
        let author: NSManagedObject

        init(_ kind: StoreKind = .sqlite, type: NSManagedObjectContextConcurrencyType = .privateQueueConcurrencyType)
            throws
        {
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            stack = try TestStack(kind)
            let context = NSManagedObjectContext(concurrencyType: type)
            context.persistentStoreCoordinator = stack.coordinator
            context.name = "import"
            self.context = context
            let id = try context.performAndWait {
                let author = context.make("Author", "a")
                let book = context.make("Book", "b", ["author": author, "pages": 7, "price": 1.5])
                try context.save()
                return book.objectID
            }
            let book = try context.performAndWait { try context.existingObject(with: id) }
            author = try context.performAndWait {
                guard let author = book.object("author") else { throw TestFailure("no author") }
                context.refresh(author, mergeChanges: false)
                return author
            }
            self.id = id
            self.book = book
        }
    }

    @Test(
        "each use of a context and of its objects off the context's queue stops, naming both queues and what was used",
        arguments: Use.allCases)
    func violation(_ use: Use) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [use = use as Use] in
            let stack = try WatchedStack()
            try DispatchQueue(label: "elsewhere").sync { try use.run(stack) }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in [
            "Multithreading violation: \(use.rawValue)", "'elsewhere'", "private-queue context 'import'",
            "the queue 'NSManagedObjectContext'", "perform(_:)",
        ] {
            expectContains(said, part, "\(part) is missing in: \(said.prefix(800))")
        }
    }

    @Test("a block of another context is named, and the main queue's context belongs to the main queue")
    func otherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try WatchedStack(type: .mainQueueConcurrencyType)
            let other = stack.stack.newContext()
            other.name = "other"
            await other.perform { _ = stack.book.value(forKey: "name") }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(said, "in a block of the private-queue context 'other'", "\(said.prefix(800))")
        expectContains(said, "belongs to the main queue", "\(said.prefix(800))")
    }

    @Test("nothing stops on the context's queue, or where it is held", arguments: StoreKind.allCases)
    func rightQueue(_ kind: StoreKind) async {
        await #expect(processExitsWith: .success) { [kind = kind.rawValue as String] in
            let kind = StoreKind(rawValue: kind)!
            for use in Use.allCases.sampled(8) {
                let stack = try WatchedStack(kind)
                try stack.context.performAndWait { try use.run(stack) }
                let held = try WatchedStack(kind)
                let other = held.stack.newContext()
                try held.context.performAndWait { try other.performAndWait { try use.run(held) } }
                let main = try WatchedStack(kind, type: .mainQueueConcurrencyType)
                try await MainActor.run { try use.run(main) }
            }
        }
    }

    @Test("a child asks its parent on the parent's queue", arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) async {
        await #expect(processExitsWith: .success) { [kind = kind.rawValue as String] in
            let watched = try WatchedStack(StoreKind(rawValue: kind)!)
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = watched.context
            try child.performAndWait {
                let book = try child.existingObject(with: watched.id)
                book.setValue(9, forKey: "pages")
                guard book.object("author")?.text("name") == "a" else { throw TestFailure("no author") }
                try child.save()
            }
            guard watched.context.performAndWait({ watched.book.number("pages") }) == 9 else {
                throw TestFailure("not saved")
            }
        }
    }

    @Test("fetching, merging and letting go of objects stop nothing", arguments: StoreKind.allCases)
    func framework(_ kind: StoreKind) async {
        await #expect(processExitsWith: .success) { [kind = kind.rawValue as String] in
            let watched = try WatchedStack(StoreKind(rawValue: kind)!)
            let context = watched.context
            let other = watched.stack.newContext()
            context.automaticallyMergesChangesFromParent = true
            try await other.perform {
                other.make("Book", "c")
                (try other.existingObject(with: watched.id)).setValue(8, forKey: "pages")
                try other.save()
            }
            let merged = await context.perform { watched.book.number("pages") }
            guard merged == 8 else { throw TestFailure("not merged") }
            let count: Int = await withCheckedContinuation { continuation in
                performLater(context) {
                    let request = NSAsynchronousFetchRequest(
                        fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Book")
                    ) { result in
                        continuation.resume(returning: result.finalResult?.count ?? -1)
                    }
                    do { _ = try context.execute(request) } catch { fatalError("\(error)") }
                }
            }
            guard count == 2 else { throw TestFailure("\(count) objects") }
            // Objects may go on any thread.
            let objects = UnsafeSender(NSMutableArray())
            try await context.perform { objects.value.addObjects(from: try context.all("Book")) }
            await Task.detached { objects.value.removeAllObjects() }.value
        }
    }
}
