import CoreData
import Testing

@Suite("A table of predicates")
struct PredicateTableTests {
    @Test(
        "evaluated on objects, as SQL, in a store in memory and on unsaved objects they find the same",
        arguments: PredicateTable.rows.sampled(300))
    func find(_ row: PredicateRow) throws {
        for realm in try Realm.all() {
            try realm.context.performAndWait { try row.check(row.predicate(realm), realm, "\(realm.place)") }
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
                try row.check(again, realm, "\(text), parsed again, \(realm.place)")
            }
        }
    }

    @Test("there are six hundred of them, each once")
    func size() {
        #expect(PredicateTable.rows.count >= 600)
        expectEqual(Set(PredicateTable.rows.map(\.testDescription)).count, PredicateTable.rows.count)
    }
}

/// The text of a predicate: Linux's Foundation deprecates `predicateFormat`, and Apple's does not.
private protocol Formatted {
    var predicateFormat: String { get }
}

extension NSPredicate: Formatted {}
