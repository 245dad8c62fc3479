import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Texts compared under options: the server leaves out rows of ASCII texts, the process decides on the others.
@Suite("Text comparison on the server", .enabled(if: TestServer.isPresent))
struct TextComparisonTests {
    private static let names = [
        "needle", "NEEDLE", "Needle in hay", "hay", "", "néedle", "NÉEDLE", "nee\u{301}dle", "ﬁne", "fine",
        "\u{212A}ey",
        "key", "KEY", "ſalt", "salt", "SALT", "İstanbul", "istanbul", "straße", "STRASSE", "Ångström", "angstrom", "日本",
    ]

    @Test(
        "A fetch finds what the predicate finds in memory",
        arguments: [
            "name ==[c] 'key'", "name ==[cd] 'needle'", "name CONTAINS[cd] 'need'", "name BEGINSWITH[c] 'SA'",
            "name ENDSWITH[d] 'e'", "name CONTAINS[c] 'É'", "NOT name CONTAINS[cd] 'e'", "name !=[c] 'hay'",
            "name CONTAINS[cd] 'angs' OR name ==[c] 'strasse'", "name CONTAINS[cd] '' AND name CONTAINS[c] 'K'",
            "name ==[c] 'istanbul'", "name CONTAINS[d] 'NEEDLE'", "name LIKE[cd] 'n*e'",
        ])
    func fetches(_ format: String) throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.use(coordinator) { context in
            for name in Self.names {
                NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(name, forKey: "name")
            }
            try context.save()
            let predicate = NSPredicate(format: format)
            let expected = Self.names.filter { predicate.evaluate(with: ["name": $0] as NSDictionary) }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.predicate = predicate
            let found = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
            expectEqual(found.sorted(), expected.sorted())
            try expectEqual(context.count(for: request), expected.count)
        }
    }

    @Test("The server leaves out rows of ASCII texts that don't match")
    func functions() throws {
        let database = try TestDatabase()
        _ = try database.coordinator(at: database.url())
        let connection = try TestServer.connect()
        defer { connection.close() }
        let schema = "\"\(database.schema("store"))\""
        let result = try connection.execute(
            """
            SELECT \(schema).z_maybe_contains('Hay', 'needle', 1), \
            \(schema).z_maybe_contains('A Needle', 'needle', 1), \
            \(schema).z_maybe_contains('A Needle', 'needle', 0), \
            \(schema).z_maybe_contains('Häy', 'needle', 1), \
            \(schema).z_maybe_equal(NULL, 'needle', 1)
            """)
        expectEqual((0..<5).map { result[0].bool($0) }, [false, true, false, true, false])
    }
}
