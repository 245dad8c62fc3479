import CoreData
import Testing

@Suite("Predicates in SQL")
struct PredicatesInSQLTests {
    @Test(
        "find what they find in memory, with casts, functions and constants of every type",
        arguments: PredicateTable.rowsForSQL)
    func find(_ row: PredicateRow) throws {
        for realm in try Realm.all() {
            try realm.context.performAndWait {
                try row.check(row.predicate(realm), realm, "\(realm.place)", mayRefuse: false)
            }
        }
    }

    @Test("find values that another fetch finds in the store", arguments: PredicateTable.fetchedValues)
    func findFetched(_ row: PredicateRow) throws {
        for realm in try Realm.stored() {
            try realm.context.performAndWait {
                try row.check(row.predicate(realm), realm, "\(realm.place)", mayRefuse: false)
            }
        }
    }

    @Test("none of the table is refused", arguments: PredicateTable.rows.filter { $0.ways.contains(.sql) })
    func findAll(_ row: PredicateRow) throws {
        let realm = try Realm.of(StoreKind.tables)
        try realm.context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: row.entity)
            request.predicate = row.predicate(realm)
            let found = try realm.context.fetch(request).map { $0.text("name")! }.sorted()
            let all = try realm.context.all(row.entity).map { $0.text("name")! }.sorted()
            expectTrue(row.isExpected(found, of: all, inSQL: true), "\(found) is not \(row.expectedInSQL)")
        }
    }

    @Test("each row stands in one table, once")
    func size() {
        let all = (PredicateTable.rows + PredicateTable.rowsForSQL).map(\.testDescription)
        expectEqual(Set(all).count, all.count)
    }
}
