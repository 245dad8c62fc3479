import CoreData
import Testing

@Suite("A table of predicates")
struct PredicateTableTests {
    @Test(
        "evaluated on objects, as SQL, in a store in memory and on unsaved objects they find the same",
        arguments: PredicateTable.rows.sampled(300))
    func find(_ row: PredicateRow) throws {
        for realm in try Realm.all() {
            try realm.context.performAndWait { try check(row, row.predicate(realm), realm, "\(realm.place)") }
        }
    }

    @Test(
        "their text can be parsed again, and means the same",
        arguments: PredicateTable.rows.filter { $0.ways.contains(.text) }.sampled(100))
    func text(_ row: PredicateRow) throws {
        for realm in try Realm.all() {
            try realm.context.performAndWait {
                let text = (row.predicate(realm) as any Formatted).predicateFormat
                let again = NSPredicate(format: text, argumentArray: nil)
                // The seconds of a date are shown with six places. The seconds of a cast that was parsed are shown as a
                // number.
                expectEqual(
                    (again as any Formatted).predicateFormat, text.replacingOccurrences(of: ".000000,", with: ","))
                try check(row, again, realm, "\(text), parsed again, \(realm.place)")
            }
        }
    }

    @Test("there are six hundred of them, each once")
    func size() {
        #expect(PredicateTable.rows.count >= 600)
        expectEqual(Set(PredicateTable.rows.map(\.testDescription)).count, PredicateTable.rows.count)
    }

    private func check(_ row: PredicateRow, _ predicate: NSPredicate, _ realm: Realm, _ way: String) throws {
        let objects = try realm.context.all(row.entity)
        let all = Self.names(objects)
        if row.ways.contains(.objects) {
            let found = Self.names(objects.filter { predicate.evaluate(with: $0) })
            expectTrue(row.isExpected(found, of: all), "\(way), on objects: \(found) is not \(row.expected)")
        }
        guard row.ways.contains(realm.place == .memory ? .stores : .sql) else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: row.entity)
        request.predicate = predicate
        let found: [String]
        do {
            found = Self.names(try realm.context.fetch(request))
        } catch let error as NSError
            where row.ways.contains(.mayRefuse) && error.code == NSCoreDataError && realm.place != .memory
        {
            return
        }
        let isSQL = realm.place == .sqlite || realm.place == .postgresql
        expectTrue(
            row.isExpected(found, of: all, inSQL: isSQL),
            "\(way), fetched: \(found) is not \(isSQL ? row.expectedInSQL : row.expected)")
        let count = try realm.context.count(for: request)
        expectEqual(count, found.count, "\(way), counted: \(count)")
    }

    private static func names(_ objects: [NSManagedObject]) -> [String] { objects.map { $0.text("name")! }.sorted() }
}

/// The text of a predicate: Linux's Foundation deprecates `predicateFormat`, and Apple's does not.
private protocol Formatted {
    var predicateFormat: String { get }
}

extension NSPredicate: Formatted {}
