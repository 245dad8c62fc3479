import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@Suite("Features of contexts over incremental stores")
struct IncrementalFeatureTests {
    private func fill(_ context: NSManagedObjectContext) throws {
        let author = context.make("Author", "Ada")
        for number in 1...3 { context.make("Book", "Book \(number)", ["author": author, "pages": number * 100]) }
        try context.save()
    }

    @Test("prefetched relationships are there when the fetch ends")
    func prefetching() throws {
        try withStack(.incremental) { stack in
            try fill(stack.context)
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.relationshipKeyPathsForPrefetching = ["books"]
                let author = try requireValue(try context.fetch(request).first)
                expectFalse(author.hasFault(forRelationshipNamed: "books"))
                expectEqual(author.names("books"), ["Book 1", "Book 2", "Book 3"])
            }
        }
    }

    @Test("a fetched property finds objects of the store")
    func fetchedProperty() throws {
        let thing = entity(
            "Thing", [attribute("name", .stringAttributeType), attribute("size", .integer64AttributeType)])
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = thing
        request.predicate = NSPredicate(format: "size > $FETCH_SOURCE.size")
        request.sortDescriptors = [up("size")]
        let larger = NSFetchedPropertyDescription()
        larger.name = "larger"
        larger.fetchRequest = request
        thing.properties.append(larger)
        try withStack(.incremental, model: model([thing])) { stack in
            for size in 1...3 { stack.context.make("Thing", "\(size)", ["size": size]) }
            try stack.context.save()
            try inFreshContext(stack) { context in
                let found = try context.one("Thing", "1").value(forKey: "larger") as? [NSManagedObject]
                expectEqual(found?.map { $0.text("name") }, ["2", "3"])
            }
        }
    }

    @Test(
        "one fetch sorts and limits the objects of a store and of another kind",
        arguments: [StoreKind.sqlite, .memory, .xml, .json])
    func mixedKinds(_ kind: StoreKind) throws {
        try withStack(.incremental) { stack in
            let other = try stack.coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: stack.folder.file("other"))
            for number in 1...6 {
                let tag = stack.context.make("Tag", "\(number)")
                stack.context.assign(tag, to: number % 2 == 0 ? other : stack.store)
            }
            try stack.context.save()
            let context = stack.newContext()
            try on(context) {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                request.sortDescriptors = [down("name")]
                request.fetchOffset = 1
                request.fetchLimit = 3
                let tags = try context.fetch(request)
                expectEqual(tags.map { $0.text("name") }, ["5", "4", "3"])
                #expect(tags[0].objectID.persistentStore === stack.store)
                #expect(tags[1].objectID.persistentStore === other)
                try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")), 6)
                request.affectedStores = [stack.store]
                request.fetchOffset = 0
                try expectEqual(context.fetch(request).map { $0.text("name") }, ["5", "3", "1"])
                tags[0].setValue("changed", forKey: "name")
                context.delete(tags[1])
                try context.save()
                try expectEqual(context.names("Tag"), ["1", "2", "3", "6", "changed"])
            }
        }
    }

    @Test("a read-only store is read, and a save of its objects is refused")
    func readOnly() throws {
        try withStack(.incremental) { stack in
            try fill(stack.context)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
            let store = try coordinator.addPersistentStore(
                ofType: stack.kind.type, configurationName: nil, at: stack.url,
                options: [NSReadOnlyPersistentStoreOption: true])
            expectTrue(store.isReadOnly)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try on(context) {
                let book = try context.one("Book", "Book 1")
                expectEqual(book.number("pages"), 100)
                book.setValue(7, forKey: "pages")
                expectEqual(thrownError { try context.save() }?.code, CocoaError.fileWriteNoPermission.rawValue)
                context.rollback()
                context.make("Tag", "new")
                expectEqual(thrownError { try context.save() }?.code, CocoaError.fileWriteNoPermission.rawValue)
                context.rollback()
            }
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Book", "Book 1").number("pages"), 100)
                try expectEmpty(context.names("Tag"))
            }
        }
    }

    @Test("a fetched results controller follows the changes of its objects")
    func fetchedResults() throws {
        try withStack(.incremental) { stack in
            try fill(stack.context)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [up("name")]
            request.predicate = NSPredicate(format: "pages > 100")
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "author.name",
                cacheName: nil)
            let changes = ChangeCounter()
            controller.delegate = changes
            try controller.performFetch()
            func names() -> [String?] { controller.fetchedObjects?.map { $0.text("name") } ?? [] }
            expectEqual(names(), ["Book 2", "Book 3"])
            expectEqual(controller.sections?.map(\.name), ["Ada"])
            let (first, last) = (try stack.context.one("Book", "Book 1"), try stack.context.one("Book", "Book 3"))
            first.setValue(101, forKey: "pages")
            stack.context.delete(last)
            stack.context.processPendingChanges()
            expectEqual(names(), ["Book 1", "Book 2"])
            expectEqual(changes.count, 1)
            try stack.context.save()
            expectEqual(names(), ["Book 1", "Book 2"])
        }
    }

    private final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate {
        var count = 0

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            count += 1
        }
    }

    @Test(
        "an answer of a wrong shape is an error that names the class and the question", arguments: WrongAnswer.allCases)
    func wrongShapes(_ answer: WrongAnswer) throws {
        NSPersistentStoreCoordinator.registerStoreClass(WrongStore.self, forStoreType: WrongStore.storeType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try requireValue(
            try coordinator.addPersistentStore(
                ofType: WrongStore.storeType, configurationName: nil, at: URL(string: "wrong://\(UUID())"))
                as? WrongStore)
        store.answer = answer
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.returnsObjectsAsFaults = false
            request.relationshipKeyPathsForPrefetching = ["chapters"]
            let book = try requireValue(coordinator.managedObjectModel.entitiesByName["Book"])
            let error = try requireValue(
                thrownError {
                    switch answer {
                    case .count: _ = try context.count(for: request)
                    case .attribute, .toOne, .foreignEntity:
                        _ = try context.existingObject(with: store.newObjectID(for: book, referenceObject: "a"))
                    default: _ = try context.fetch(request)
                    }
                })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSPersistentStoreOperationError)
            let reason = error.localizedFailureReason ?? ""
            expectContains(reason, "WrongStore", "\(error)")
            expectContains(reason, answer.question, "\(error)")
        }
    }
}

/// The wrong answers of a store.
enum WrongAnswer: String, CaseIterable, Sendable {
    case results, element, count, attribute, toOne, foreignEntity, toMany, member

    /// A part of the reason.
    var question: String {
        switch self {
        case .results, .element: "fetch"
        case .count: "count"
        case .attribute: "Book.pages"
        case .toOne, .foreignEntity: "Book.author"
        case .toMany, .member: "Book.chapters"
        }
    }
}

/// A store of one book that gives one answer of a wrong shape.
final class WrongStore: NSIncrementalStore, @unchecked Sendable {
    static let storeType = "Wrong"

    var answer = WrongAnswer.results

    override var type: String { Self.storeType }

    override func loadMetadata() throws { metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: url?.host ?? ""] }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        guard let entity = (request as? NSFetchRequest<any NSFetchRequestResult>)?.entity else { return [Any]() }
        switch answer {
        case .results: return NSNumber(value: 1)
        case .element: return ["a book"]
        case .count: return ["many"]
        default: return [newObjectID(for: entity, referenceObject: "a")]
        }
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        let values: [String: Any] =
            switch answer {
            case .attribute: ["pages": "many"]
            case .toOne: ["author": "Ada"]
            case .foreignEntity: ["author": objectID]
            default: [:]
            }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: 1)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        guard relationship.name == "chapters" else { return relationship.isToMany ? [Any]() : NSNull() }
        return switch answer {
        case .toMany: "chapters"
        case .member: [objectID]
        default: [NSManagedObjectID]()
        }
    }
}
