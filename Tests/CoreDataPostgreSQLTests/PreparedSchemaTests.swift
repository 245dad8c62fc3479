import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Schemas that an administrator has made for users without the right to create schemas.
@Suite("A schema of an administrator", .enabled(if: TestServer.isPresent && TestServer.cluster != .citus))
struct PreparedSchemaTests {
    /// How the user may create tables in the schema.
    enum Right: CaseIterable { case owner, create }

    private func tables(_ schema: String) throws -> [String] {
        let connection = try TestServer.connect()
        defer { connection.close() }
        return try connection.execute(
            "SELECT relname::text FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace"
        ).map { $0.text(0) }
    }

    private func mayUse(_ schema: String, _ role: String) throws -> Bool {
        let connection = try TestServer.connect()
        defer { connection.close() }
        return try connection.execute("SELECT has_schema_privilege('\(role)', '\(schema)', 'USAGE')")[0].bool(0)
    }

    @Test("gets a store, its replacement and its next store", arguments: Right.allCases)
    func schema(_ right: Right) throws {
        let database = try TestDatabase()
        let (schema, user, reader) = (database.schema("store"), database.schema("app"), database.schema("reader"))
        try database.execute("CREATE ROLE \(user) LOGIN; CREATE ROLE \(reader)")
        defer {
            try? database.execute(
                "DROP OWNED BY \(user), \(reader) CASCADE; DROP ROLE \(user); DROP ROLE \(reader)")
        }
        switch right {
        case .owner: try database.execute("CREATE SCHEMA \(schema) AUTHORIZATION \(user)")
        case .create:
            try database.execute(
                "CREATE SCHEMA \(schema); GRANT USAGE, CREATE ON SCHEMA \(schema) TO \(user)")
        }
        try database.execute("GRANT USAGE ON SCHEMA \(schema) TO \(reader)")
        let url = database.url("store", "user=\(user)")
        let first = try database.coordinator(at: url)
        try database.fill(first)
        try expectEqual(database.contents(first), TestDatabase.expected)

        let source = try database.coordinator(at: database.url("source"))
        try database.fill(source)
        try database.fill(source)
        try first.replacePersistentStore(
            at: url, withPersistentStoreFrom: database.url("source"), type: .postgreSQL)
        try expectTrue(mayUse(schema, reader))
        let second = try database.coordinator(at: url)
        try expectEqual(database.contents(second).count, 4)

        try second.destroyPersistentStore(at: url, type: .postgreSQL)
        try expectTrue(database.hasSchema())
        try expectEqual(tables(schema), [])
        let third = try database.coordinator(at: url)
        try database.fill(third)
        try expectEqual(database.contents(third), TestDatabase.expected)
        for coordinator in [first, second, third] {
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }
}
