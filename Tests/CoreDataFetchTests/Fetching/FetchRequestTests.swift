import CoreData
import Testing

@Suite("Fetch requests as values")
struct FetchRequestTests {
    typealias Request = NSFetchRequest<NSManagedObject>
    typealias Change = @Sendable (Request) -> Void

    @Test("a new request has Core Data's defaults")
    func defaults() {
        let request = Request(entityName: "Book")
        expectEqual(request.entityName, "Book")
        expectEqual(request.entity, nil)
        expectEqual(request.requestType, .fetchRequestType)
        expectEqual(request.predicate, nil)
        expectEqual(request.sortDescriptors, nil)
        expectEqual(request.affectedStores, nil)
        expectEqual(request.fetchLimit, 0)
        expectEqual(request.fetchOffset, 0)
        expectEqual(request.fetchBatchSize, 0)
        expectEqual(request.resultType, .managedObjectResultType)
        expectTrue(request.includesSubentities)
        expectTrue(request.includesPropertyValues)
        expectTrue(request.includesPendingChanges)
        expectTrue(request.returnsObjectsAsFaults)
        expectFalse(request.returnsDistinctResults)
        expectFalse(request.shouldRefreshRefetchedObjects)
        #expect(request.propertiesToFetch == nil)
        #expect(request.propertiesToGroupBy == nil)
        expectEqual(request.havingPredicate, nil)
        expectEqual(request.relationshipKeyPathsForPrefetching, [])
    }

    @Test(
        "a request made by name has its entity after its first use",
        arguments: ["fetch", "count", "controller", "asynchronous"])
    func resolution(_ use: String) async throws {
        let stack = try TestStack(.memory)
        try await stack.context.perform {
            let request = Request(entityName: "Book")
            request.sortDescriptors = []
            switch use {
            case "fetch": _ = try stack.context.fetch(request)
            case "count": _ = try stack.context.count(for: request)
            case "asynchronous":
                try stack.context.execute(NSAsynchronousFetchRequest(fetchRequest: request))
            default:
                try NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
                    cacheName: nil
                ).performFetch()
            }
            #expect(request.entity === stack.model.entitiesByName["Book"])
        }
    }

    @Test("properties set by name read back as descriptions of the entity, once the request has it")
    func propertiesByName() throws {
        try withStack(.memory) { stack in
            let book = try requireValue(stack.model.entitiesByName["Book"])
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "author.name"]
            request.propertiesToGroupBy = ["name", "author.name"]
            #expect(request.propertiesToFetch as? [String] == ["name", "author.name"])
            _ = try stack.context.fetch(request)
            for properties in [request.propertiesToFetch, request.propertiesToGroupBy] {
                #expect(properties?.first as? NSPropertyDescription === book.propertiesByName["name"])
                #expect(properties?.last as? String == "author.name")
            }
            let described = NSFetchRequest<NSDictionary>()
            described.entity = book
            described.propertiesToFetch = ["pages"]
            #expect(described.propertiesToFetch?.first as? NSPropertyDescription === book.propertiesByName["pages"])
        }
    }

    private static let changes: [(name: String, change: Change)] = [
        ("predicate", { $0.predicate = NSPredicate(format: "name == 'a'") }),
        ("sortDescriptors", { $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)] }),
        ("fetchLimit", { $0.fetchLimit = 1 }), ("fetchOffset", { $0.fetchOffset = 1 }),
        ("fetchBatchSize", { $0.fetchBatchSize = 1 }),
        ("resultType", { $0.resultType = .managedObjectIDResultType }),
        ("includesSubentities", { $0.includesSubentities = false }),
        ("includesPropertyValues", { $0.includesPropertyValues = false }),
        ("includesPendingChanges", { $0.includesPendingChanges = false }),
        ("returnsObjectsAsFaults", { $0.returnsObjectsAsFaults = false }),
        ("returnsDistinctResults", { $0.returnsDistinctResults = true }),
        ("shouldRefreshRefetchedObjects", { $0.shouldRefreshRefetchedObjects = true }),
        ("propertiesToFetch", { $0.propertiesToFetch = ["name"] }),
        ("propertiesToGroupBy", { $0.propertiesToGroupBy = ["name"] }),
        ("havingPredicate", { $0.havingPredicate = NSPredicate(format: "name == 'a'") }),
        ("relationshipKeyPathsForPrefetching", { $0.relationshipKeyPathsForPrefetching = ["author"] }),
    ]

    @Test(
        "a copy is equal and a request of its own; each part counts for equality",
        arguments: changes.map(\.name))
    func copying(_ name: String) throws {
        let change = try requireValue(Self.changes.first { $0.name == name }).change
        let plain = Request(entityName: "Book")
        let changed = Request(entityName: "Book")
        change(changed)
        let copy = try requireValue(changed.copy() as? Request)
        #expect(copy !== changed)
        expectEqual(copy, changed)
        expectEqual(copy.hash, changed.hash)
        #expect(plain != changed)
        #expect(copy != plain)
        change(plain)
        expectEqual(plain, changed)
    }

    @Test("requests for different entities differ, and a copy keeps its stores")
    func entities() throws {
        #expect(Request(entityName: "Book") != Request(entityName: "Novel"))
        try withStack(.memory) { stack in
            let request = Request(entityName: "Book")
            request.affectedStores = [stack.store]
            expectEqual((request.copy() as? Request)?.affectedStores, [stack.store])
        }
    }
}
