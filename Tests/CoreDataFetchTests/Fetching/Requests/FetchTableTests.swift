import CoreData
import Testing

@Suite("A table of fetch requests")
struct FetchTableTests {
    @Test("objects, their IDs and their count agree, wherever the objects are", arguments: FetchTable.objects)
    func find(_ row: FetchRow) throws {
        for realm in try Realm.all() {
            try realm.context.performAndWait {
                let objects = try realm.context.fetch(row.request())
                let names = row.arranged(objects.map { $0.text("name")! })
                expectEqual(names, row.names, "\(realm.place): \(names)")
                let ids = row.request(NSManagedObjectID.self)
                ids.resultType = .managedObjectIDResultType
                let found = row.arranged(
                    try realm.context.fetch(ids).map { realm.context.object(with: $0).text("name")! })
                expectEqual(found, row.names, "\(realm.place), IDs: \(found)")
                let count = try realm.context.count(for: row.request())
                let number = row.request(NSNumber.self)
                number.resultType = .countResultType
                let counted = try realm.context.fetch(number).first?.intValue
                expectEqual(count, row.names.count, "\(realm.place): \(count), \(String(describing: counted))")
                expectEqual(counted, count, "\(realm.place): \(count), \(String(describing: counted))")
            }
        }
    }

    @Test("how objects are loaded doesn't change what is found", arguments: FetchTable.objects.sampled(50))
    func loading(_ row: FetchRow) throws {
        for realm in try Realm.all() {
            try realm.context.performAndWait {
                for (name, change) in Self.ways {
                    let request = row.request()
                    change(request)
                    let names = row.arranged(try realm.context.fetch(request).map { $0.text("name")! })
                    expectEqual(names, row.names, "\(realm.place), \(name): \(names)")
                }
            }
        }
    }

    private static let ways: [(name: String, change: @Sendable (NSFetchRequest<NSManagedObject>) -> Void)] = [
        ("objects instead of faults", { $0.returnsObjectsAsFaults = false }),
        ("without values", { $0.includesPropertyValues = false }),
        ("fired without values", { ($0.includesPropertyValues, $0.returnsObjectsAsFaults) = (false, false) }),
        ("in batches of two", { $0.fetchBatchSize = 2 }),
        ("in a batch of all", { $0.fetchBatchSize = 100 }),
        ("names only", { $0.propertiesToFetch = ["name"] }),
        ("refreshed", { $0.shouldRefreshRefetchedObjects = true }),
        ("with what relationships name", { $0.relationshipKeyPathsForPrefetching = relationships[$0.entityName!] }),
        (
            "in batches with what relationships name",
            {
                ($0.relationshipKeyPathsForPrefetching, $0.fetchBatchSize, $0.returnsObjectsAsFaults) = (
                    relationships[$0.entityName!], 3, false
                )
            }
        ),
    ]

    private static let relationships: [String: [String]] = [
        "Work": ["author", "author.home.land", "tags", "chapters"], "Sample": ["next.next", "before"],
        "Being": ["home", "friends", "children"],
        "Person": ["works.tags", "pets", "teacher.students"], "Scholar": ["students"], "Animal": ["owner.works"],
        "Chapter": ["work"],
        "Land": ["towns.dwellers"], "Word": [],
    ]

    @Test("dictionaries, in SQL and in memory", arguments: FetchTable.dictionaries)
    func dictionaries(_ row: FetchRow) throws {
        for realm in try Realm.stored() {
            try realm.context.performAndWait {
                let rows = row.arranged(try realm.context.texts(row.request(NSDictionary.self)))
                expectEqual(rows, row.dictionaries, "\(realm.place): \(rows.joined(separator: " | "))")
                try expectEqual(realm.context.count(for: row.request(NSDictionary.self)), row.dictionaries.count)
            }
        }
    }

    @Test("there are a hundred and twenty of them, each once")
    func size() {
        let rows = FetchTable.objects + FetchTable.dictionaries
        #expect(rows.count >= 120)
        expectEqual(Set(rows.map(\.testDescription)).count, rows.count)
    }
}
