import CoreData
import CoreDataTestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Objects of other programs, in other schemas, that depend on the tables of a store.
@Suite("Objects of other programs", .enabled(if: TestServer.isPresent))
struct DependentObjectTests {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    /// Makes objects that depend on the tables of a store with the model of libraries.
    private func makeDependents() throws {
        let (own, other) = (database.schema("store"), database.schema("other"))
        try database.execute(
            """
            CREATE SCHEMA \(other);
            CREATE VIEW \(other).names AS SELECT zname FROM \(own).zperson;
            CREATE MATERIALIZED VIEW \(other).counts AS SELECT count(*) FROM \(own).zbook;
            CREATE FUNCTION \(other).total() RETURNS bigint LANGUAGE sql \
            BEGIN ATOMIC SELECT count(*) FROM \(own).ztag; END;
            CREATE TABLE \(other).review \
            (book bigint REFERENCES \(own).zbook (z_pk), author \(own).zperson, stars integer)
            """)
    }

    private func dependents() throws -> [String] {
        let connection = try TestServer.connect()
        defer { connection.close() }
        let other = database.schema("other")
        return try connection.execute(
            """
            SELECT relname::text FROM pg_class WHERE relnamespace = '\(other)'::regnamespace UNION ALL \
            SELECT proname::text FROM pg_proc WHERE pronamespace = '\(other)'::regnamespace UNION ALL \
            SELECT conname::text FROM pg_constraint WHERE connamespace = '\(other)'::regnamespace \
            AND contype = 'f' UNION ALL \
            SELECT attname::text FROM pg_attribute WHERE attrelid = '\(other).review'::regclass \
            AND attnum > 0 AND NOT attisdropped ORDER BY 1
            """
        ).map { $0.text(0) }
    }

    private static let expected = [
        "author", "book", "counts", "names", "review", "review_book_fkey", "stars", "total",
    ]

    private func check(_ error: NSError) {
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, NSPersistentStoreOperationError)
        let reason = error.localizedFailureReason ?? ""
        for name in ["names", "counts", "total()", "review_book_fkey", "author"] {
            expectContains(reason, name, "\(name) isn\u{2019}t in: \(reason)")
        }
        expectEqual(error.localizedRecoverySuggestion?.isEmpty, false)
        #expect(error.userInfo[NSURLErrorKey] as? URL == database.url())
    }

    @Test("A store isn\u{2019}t destroyed while objects of other programs depend on its tables")
    func destroying() throws {
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        try makeDependents()
        check(
            try requireError { try coordinator.destroyPersistentStore(at: database.url(), type: .postgreSQL) })
        try expectEqual(dependents(), Self.expected)
        // The store is as before, and open.
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
        try database.execute("DROP SCHEMA \(database.schema("other")) CASCADE")
        try coordinator.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        try expectFalse(database.hasSchema())
    }

    @Test("A store isn\u{2019}t replaced while objects of other programs depend on its tables")
    func replacing() throws {
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        let source = try database.coordinator(at: database.url("source"))
        try makeDependents()
        check(
            try requireError {
                try source.replacePersistentStore(
                    at: database.url(), withPersistentStoreFrom: database.url("source"), type: .postgreSQL)
            })
        try expectEqual(dependents(), Self.expected)
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
    }
}

extension PostgreSQLMigrationTests {
    @Test("A migration doesn\u{2019}t remove what objects of other programs depend on", arguments: [false, true])
    func dependents(removesTable: Bool) throws {
        let old = try open(Self.first())
        try make("Song", ["name": "a", "minutes": 3], in: old)
        let (own, other) = (database.schema("store"), database.schema("other"))
        try database.execute(
            "CREATE SCHEMA \(other); CREATE VIEW \(other).lengths AS SELECT zminutes FROM \(own).zsong")
        let new =
            removesTable
            ? model([entity("Band", [Self.name()])])
            : Self.first { _, song in
                song.properties.removeAll { $0.name == "minutes" }
                return []
            }
        let error = try requireError { _ = try open(new) }
        expectEqual(error.code, NSMigrationError)
        expectEqual(error.localizedFailureReason?.contains("lengths"), true, "\(error)")
        expectEqual(error.localizedRecoverySuggestion?.isEmpty, false)
        try expectEqual(values("Song", "minutes", in: old), ["3"])
    }

    @Test("The end of a deferred migration doesn\u{2019}t remove what objects of other programs depend on")
    func dependentsOfParts() throws {
        let old = try open(Self.first())
        try make("Song", ["name": "a", "minutes": 3], in: old)
        let (own, other) = (database.schema("store"), database.schema("other"))
        let new = try open(
            model([entity("Band", [Self.name()])]),
            [NSPersistentStoreDeferredLightweightMigrationOptionKey: NSNumber(value: true)])
        try database.execute(
            "CREATE SCHEMA \(other); CREATE VIEW \(other).lengths AS SELECT zminutes FROM \(own).zsong")
        let error = try requireError { try new.finishDeferredLightweightMigration() }
        expectEqual(error.code, NSPersistentStoreOperationError)
        expectEqual(error.localizedFailureReason?.contains("lengths"), true, "\(error)")
        try expectEqual(rows("SELECT zminutes::text FROM \(other).lengths"), ["3"])
    }

    @Test("A migration leaves the triggers of other programs that call its functions")
    func triggersOfOthers() throws {
        let old = try open(Self.counted())
        try make("Song", ["name": "a"], in: old)
        let function = try requireValue(
            rows(
                """
                SELECT oid::regproc::text FROM pg_proc WHERE pronamespace = to_regnamespace('$') \
                AND proname ~ '^z_da_' AND prorettype = 'trigger'::regtype
                """
            ).first)
        let other = database.schema("other")
        try database.execute(
            """
            CREATE SCHEMA \(other); CREATE TABLE \(other).mine (z_pk bigint);
            CREATE TRIGGER mine AFTER INSERT ON \(other).mine REFERENCING NEW TABLE AS new_rows \
            FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
            """)
        let error = try requireError { _ = try open(Self.first()) }
        expectEqual(error.code, NSMigrationError)
        expectEqual(error.localizedFailureReason?.contains("mine"), true, "\(error)")
        try expectEqual(rows("SELECT tgname::text FROM pg_trigger WHERE tgrelid = '\(other).mine'::regclass"), ["mine"])
    }

    /// The first one with the number of a band's songs.
    private static func counted() -> NSManagedObjectModel {
        first { band, _ in
            let derived = NSDerivedAttributeDescription()
            derived.name = "songCount"
            derived.attributeType = .integer64AttributeType
            derived.derivationExpression = NSExpression(format: "songs.@count")
            derived.isOptional = true
            band.properties.append(derived)
            return []
        }
    }
}
