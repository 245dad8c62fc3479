import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Copying stores between kinds.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLCopyTests {
    @Test("A file is copied into a schema", arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aFileIsCopied(_ type: String) throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(type, at: database.folder.file("source"))
        try database.fill(coordinator)
        let store = try coordinator.migratePersistentStore(
            requireValue(coordinator.persistentStores.first), to: database.url(), type: .postgreSQL)
        expectEqual(store.type, NSPostgreSQLStoreType)
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
        // New objects have other keys than the copied ones.
        try database.fill(coordinator)
        let other = try database.coordinator(at: database.url())
        try expectEqual(database.contents(other).count, 4)
    }

    @Test("A schema is copied into a file", arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aSchemaIsCopied(_ type: String) throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        let url = database.folder.file("copy")
        try coordinator.migratePersistentStore(
            requireValue(coordinator.persistentStores.first), to: url, type: .init(rawValue: type))
        try database.fill(coordinator)
        try expectEqual(database.contents(coordinator).count, 4)
        try expectEqual(database.contents(database.coordinator(at: database.url())), TestDatabase.expected)
    }

    @Test("A schema is copied into another one")
    func aSchemaIsCopiedInto() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        try coordinator.migratePersistentStore(
            requireValue(coordinator.persistentStores.first), to: database.url("copy"), type: .postgreSQL)
        try expectEqual(database.contents(database.coordinator(at: database.url("copy"))), TestDatabase.expected)
    }

    @Test("Objects are added to a schema with objects")
    func objectsAreAddedToASchema() throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let coordinator = try database.coordinator(NSSQLiteStoreType, at: database.folder.file("source"))
        try database.fill(coordinator)
        try coordinator.migratePersistentStore(
            requireValue(coordinator.persistentStores.first), to: database.url(), type: .postgreSQL)
        let expected = TestDatabase.expected.flatMap { [$0, $0] }
        try expectEqual(database.contents(coordinator), expected)
    }

    @Test("The rows keep keys and versions")
    func theRowsKeepKeys() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(NSSQLiteStoreType, at: database.folder.file("source"))
        try database.fill(coordinator)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let author = try context.performAndWait {
            try requireValue(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
        }
        try coordinator.migratePersistentStore(
            requireValue(coordinator.persistentStores.first), to: database.url(), type: .postgreSQL)
        // The existing object goes on with the copy, and its version equals the version of the row.
        try context.performAndWait {
            author.setValue("Grace", forKey: "name")
            try context.save()
        }
        let connection = try TestServer.connect()
        defer { connection.close() }
        let schema = database.schema("store")
        let rows = try connection.execute("SELECT zname, z_opt::bigint FROM \(schema).zperson")
        expectEqual(rows.map { "\($0.text(0)) \($0.int64(1))" }, ["Grace 3"])
    }

    /// A text that PostgreSQL can't store.
    private func unstorable(_ database: TestDatabase) throws -> NSPersistentStoreCoordinator {
        let coordinator = try database.coordinator(NSSQLiteStoreType, at: database.folder.file("source"))
        try database.fill(coordinator)
        try database.use(coordinator) { context in
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue("a\0b", forKey: "name")
            try context.save()
        }
        return coordinator
    }

    @Test("A copy that fails leaves no schema")
    func aCopyThatFails() throws {
        let database = try TestDatabase()
        let coordinator = try unstorable(database)
        let store = try requireValue(coordinator.persistentStores.first)
        _ = try requireError {
            _ = try coordinator.migratePersistentStore(store, to: database.url(), type: .postgreSQL)
        }
        expectEqual(coordinator.persistentStores, [store])
        try expectFalse(database.hasSchema())
    }

    @Test("A copy that fails leaves a schema of before as it was")
    func aCopyThatFailsLeaves() throws {
        let database = try TestDatabase()
        let schema = database.schema("store")
        try database.execute("CREATE SCHEMA \(schema); CREATE TABLE \(schema).other (a integer)")
        let coordinator = try unstorable(database)
        let store = try requireValue(coordinator.persistentStores.first)
        _ = try requireError {
            _ = try coordinator.migratePersistentStore(store, to: database.url(), type: .postgreSQL)
        }
        let connection = try TestServer.connect()
        defer { connection.close() }
        let rest = try connection.execute(
            "SELECT relname::text FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace")
        expectEqual(rest.map { $0.text(0) }, ["other"])
    }
}
