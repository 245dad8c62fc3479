import CoreData
import Testing

/// Records the calls of its overridden members, and calls super.
private final class RecordingContext: NSManagedObjectContext, @unchecked Sendable {
    var calls: [String] = []

    override func save() throws {
        calls.append("save")
        try super.save()
    }

    override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        calls.append("fetch \(request.entityName ?? "")")
        return try super.fetch(request)
    }

    override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        calls.append("count \(request.entityName ?? "")")
        return try super.count(for: request)
    }

    override func insert(_ object: NSManagedObject) {
        calls.append("insert \(object.entity.name ?? "")")
        super.insert(object)
    }

    override func delete(_ object: NSManagedObject) {
        calls.append("delete \(object.entity.name ?? "")")
        super.delete(object)
    }

    override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        calls.append("refresh \(flag)")
        super.refresh(object, mergeChanges: flag)
    }

    override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        calls.append("object")
        return super.object(with: objectID)
    }

    override func rollback() {
        calls.append("rollback")
        super.rollback()
    }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }
}

/// Overrides every other member that Apple's class lets a subclass override.
private final class OverridingContext: NSManagedObjectContext, @unchecked Sendable {
    private(set) var count = 0

    override func reset() {
        count += 1
        super.reset()
    }
    override func refreshAllObjects() {
        count += 1
        super.refreshAllObjects()
    }
    override func processPendingChanges() {
        count += 1
        super.processPendingChanges()
    }
    override func mergeChanges(fromContextDidSave notification: Notification) {
        count += 1
        super.mergeChanges(fromContextDidSave: notification)
    }
    override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        count += 1
        return try super.existingObject(with: objectID)
    }
    override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        count += 1
        return super.registeredObject(for: objectID)
    }
    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        count += 1
        return try super.execute(request)
    }
    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        count += 1
        try super.obtainPermanentIDs(for: objects)
    }
    override func assign(_ object: Any, to store: NSPersistentStore) {
        count += 1
        super.assign(object, to: store)
    }
    override func detectConflicts(for object: NSManagedObject) {
        count += 1
        super.detectConflicts(for: object)
    }
    override func undo() {
        count += 1
        super.undo()
    }
    override func redo() {
        count += 1
        super.redo()
    }
    override func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        count += 1
        try super.setQueryGenerationFrom(generation)
    }
    override var queryGenerationToken: NSQueryGenerationToken? { super.queryGenerationToken }
    override var userInfo: NSMutableDictionary { super.userInfo }
    override var parent: NSManagedObjectContext? {
        get { super.parent }
        set {
            count += 1
            super.parent = newValue
        }
    }
    override class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts { context.userInfo["merged"] = true }
        super.mergeChanges(fromRemoteContextSave: changeNotificationData, into: contexts)
    }
}

@Suite("Subclasses of contexts")
struct ContextSubclassTests {
    private func withContext<Context: NSManagedObjectContext>(
        _ context: Context, _ kind: StoreKind = .sqlite, _ body: (Context) throws -> Void
    ) throws {
        let stack = try TestStack(kind)
        context.persistentStoreCoordinator = stack.coordinator
        try withExtendedLifetime(stack) { try context.performAndWait { try body(context) } }
    }

    @Test("overridden functions see the calls, and super does the work", arguments: StoreKind.allCases)
    func calls(_ kind: StoreKind) throws {
        try withContext(RecordingContext(concurrencyType: .privateQueueConcurrencyType), kind) { context in
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            let book = context.make("Book", "b", ["author": author])
            expectEqual(context.takeCalls(), ["insert Author", "insert Book"])
            try context.save()
            expectEqual(context.takeCalls(), ["save"])
            expectFalse(book.objectID.isTemporaryID)
            #expect(context.object(with: book.objectID) === book)
            expectEqual(context.takeCalls(), ["object"])
            book.setValue("c", forKey: "name")
            context.rollback()
            expectEqual(context.takeCalls(), ["rollback"])
            expectEqual(book.text("name"), "b")
            context.refreshAllObjects()
            expectEqual(context.takeCalls(), ["refresh true", "refresh true"])
            // A cascade deletes the author's book.
            context.delete(author)
            context.processPendingChanges()
            expectEqual(context.takeCalls(), ["delete Author", "delete Book"])
        }
    }

    @Test(
        "an overridden fetch sees the fetches of every result type",
        arguments: StoreKind.allCases.without(.objectsFromContext))
    func fetches(_ kind: StoreKind) throws {
        try withContext(RecordingContext(concurrencyType: .privateQueueConcurrencyType), kind) { context in
            let book = context.make("Book", "b", ["pages": 7])
            try context.save()
            context.calls = []
            let objects = NSFetchRequest<NSManagedObject>(entityName: "Book")
            try expectEqual(context.fetch(objects), [book])
            try expectEqual(context.fetch(NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")).count, 1)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            try expectEqual(context.fetch(ids), [book.objectID])
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Book")
            dictionaries.resultType = .dictionaryResultType
            dictionaries.propertiesToFetch = ["name"]
            try expectEqual(context.fetch(dictionaries).map { $0["name"] as? String }, ["b"])
            try #expect(context.execute(objects) is NSAsynchronousFetchResult<NSManagedObject>)
            try expectEqual(objects.execute(), [book])
            expectEqual(context.takeCalls(), Array(repeating: "fetch Book", count: 6))
            try expectEqual(context.count(for: objects), 1)
            expectEqual(context.takeCalls(), ["count Book"])
        }
    }

    @Test("a fetched results controller fetches through an overridden fetch")
    func controller() throws {
        try withContext(RecordingContext(concurrencyType: .privateQueueConcurrencyType)) { context in
            let book = context.make("Book", "b")
            try context.save()
            context.calls = []
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            expectEqual(controller.fetchedObjects, [book])
            expectEqual(context.takeCalls(), ["fetch Book"])
        }
    }

    @Test("every member of the class can be overridden")
    func members() throws {
        try withContext(OverridingContext(concurrencyType: .privateQueueConcurrencyType)) { context in
            let book = context.make("Book", "b")
            context.assign(book, to: try requireValue(context.persistentStoreCoordinator?.persistentStores.first))
            try context.obtainPermanentIDs(for: [book])
            try context.save()
            context.processPendingChanges()
            _ = try context.existingObject(with: book.objectID)
            #expect(context.registeredObject(for: book.objectID) === book)
            _ = try context.execute(NSFetchRequest<NSManagedObject>(entityName: "Book"))
            context.detectConflicts(for: book)
            context.undo()
            context.redo()
            try context.setQueryGenerationFrom(nil)
            context.refreshAllObjects()
            context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
            expectEqual(context.count, 12)
            OverridingContext.mergeChanges(fromRemoteContextSave: [:], into: [context])
            #expect(context.userInfo["merged"] as? Bool == true)
            expectEqual(context.queryGenerationToken, nil)
            context.reset()
            expectEqual(context.count, 13)
            let child = OverridingContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            expectEqual(child.count, 1)
            #expect(child.parent === context)
        }
    }
}
