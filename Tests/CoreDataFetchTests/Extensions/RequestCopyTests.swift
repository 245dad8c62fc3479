import CoreData
import Testing

@Suite("Copies of a fetch request of another result type")
struct RequestCopyTests {
    typealias General = NSFetchRequest<any NSFetchRequestResult>

    /// A way to copy a request.
    enum Copying: String, CaseIterable {
        case copy, cast, template, filledTemplate, batchDeletion, batchDeletionCopy

        func callAsFunction(_ request: NSFetchRequest<NSManagedObject>) -> General? {
            let model = NSManagedObjectModel()
            switch self {
            case .copy: return General.cast(request)?.copy() as? General
            case .cast: return General.cast(request)
            case .template, .filledTemplate:
                model.setFetchRequestTemplate(request, forName: "all")
                return self == .template
                    ? model.fetchRequestTemplate(forName: "all")
                    : model.fetchRequestFromTemplate(withName: "all", substitutionVariables: [:])
            case .batchDeletion: return NSBatchDeleteRequest(fetchRequest: request).fetchRequest
            case .batchDeletionCopy:
                return (NSBatchDeleteRequest(fetchRequest: request).copy() as? NSBatchDeleteRequest)?.fetchRequest
            }
        }
    }

    /// A request whose properties all differ from their defaults.
    private func request(_ store: NSPersistentStore) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = store.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Book"]
        request.affectedStores = [store]
        request.predicate = NSPredicate(format: "name == 'Sea'")
        request.sortDescriptors = [up("name")]
        request.fetchLimit = 7
        request.fetchOffset = 3
        request.fetchBatchSize = 5
        request.resultType = .dictionaryResultType
        request.includesSubentities = false
        request.includesPropertyValues = false
        request.includesPendingChanges = false
        request.returnsObjectsAsFaults = false
        request.returnsDistinctResults = true
        request.shouldRefreshRefetchedObjects = true
        request.propertiesToFetch = ["name"]
        request.propertiesToGroupBy = ["name"]
        request.havingPredicate = NSPredicate(format: "name != nil")
        request.relationshipKeyPathsForPrefetching = ["author"]
        return request
    }

    @Test("have every property of it", arguments: Copying.allCases)
    func everyProperty(_ copying: Copying) throws {
        try withStack(.memory) { stack in
            let request = request(stack.store)
            let copy = try requireValue(copying(request))
            #expect(copy.entity === request.entity)
            expectEqual(copy.affectedStores, [stack.store])
            expectEqual(copy.predicate, request.predicate)
            expectEqual(copy.sortDescriptors, request.sortDescriptors)
            expectEqual(copy.fetchLimit, 7)
            expectEqual(copy.fetchOffset, 3)
            expectEqual(copy.fetchBatchSize, 5)
            expectEqual(copy.resultType, .dictionaryResultType)
            expectFalse(copy.includesSubentities)
            expectFalse(copy.includesPropertyValues)
            expectFalse(copy.includesPendingChanges)
            expectFalse(copy.returnsObjectsAsFaults)
            expectTrue(copy.returnsDistinctResults)
            expectTrue(copy.shouldRefreshRefetchedObjects)
            expectEqual(names(copy.propertiesToFetch), ["name"])
            expectEqual(names(copy.propertiesToGroupBy), ["name"])
            expectEqual(copy.havingPredicate, request.havingPredicate)
            expectEqual(copy.relationshipKeyPathsForPrefetching, ["author"])
            expectEqual(copy, request)
        }
    }

    /// The names of properties that were set by name. They are read back as descriptions once the entity is known.
    private func names(_ properties: [Any]?) -> [String?]? {
        properties?.map { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
    }

    @Test("don't change it", arguments: Copying.allCases)
    func independent(_ copying: Copying) throws {
        try withStack(.memory) { stack in
            let request = request(stack.store)
            let copy = try requireValue(copying(request))
            copy.affectedStores = nil
            copy.fetchLimit = 1
            expectEqual(request.affectedStores, [stack.store])
            expectEqual(request.fetchLimit, 7)
        }
    }

    @Test("fetch from its stores alone")
    func stores() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: RealmModel.make())
        let stores = try ["a", "b"].map {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("\($0).sqlite"), options: nil)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for (name, store) in zip(["first", "second"], stores) {
                context.assign(context.make("Tag", name), to: store)
            }
            try context.save()
            let request = General(entityName: "Tag")
            request.affectedStores = [stores[1]]
            let cast = try #require(NSFetchRequest<NSManagedObject>.cast(request))
            try expectEqual(context.fetch(cast).map { $0.text("name") }, ["second"])
        }
    }

    @Test("are nil for what is no fetch request")
    func others() {
        expectEqual(General.cast(nil), nil)
        expectEqual(General.cast("Book"), nil)
        expectEqual(General.cast(NSBatchUpdateRequest(entityName: "Book")), nil)
    }
}
