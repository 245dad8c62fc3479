import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Operations on stores by URL.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLClosedStoreTests {
    // MARK: Metadata

    @Test("The metadata are read and replaced")
    func theMetadataAreRead() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        let store = try requireValue(coordinator.persistentStores.first)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .postgreSQL, at: database.url())
        #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
        #expect(metadata[NSStoreTypeKey] as? String == NSPostgreSQLStoreType)
        metadata["color"] = "red"
        try NSPersistentStoreCoordinator.setMetadata(metadata, type: .postgreSQL, at: database.url())
        let replaced = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .postgreSQL, at: database.url())
        #expect(replaced["color"] as? String == "red")
        #expect(replaced[NSStoreUUIDKey] as? String == store.identifier)
    }

    @Test("Reading the metadata of a schema without a store throws and makes nothing")
    func readingTheMetadataOfASchema() throws {
        let database = try TestDatabase()
        let error = try requireError {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: database.url())
        }
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, 260)
        try expectFalse(database.hasSchema())
    }

    @Test("The cached model is read by the URL")
    func theCachedModelIsRead() throws {
        let database = try TestDatabase()
        let model = LibraryModel.make()
        _ = try database.coordinator(at: database.url(), model: model)
        let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: database.url())
        expectEqual(cached.entityVersionHashesByName, model.entityVersionHashesByName)
    }

    // MARK: Destroying

    @Test("A destroyed store is gone with its schema")
    func aDestroyedStoreIsGone() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        try coordinator.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        expectEmpty(coordinator.persistentStores)
        try expectFalse(database.hasSchema())
        try coordinator.addPersistentStore(type: .postgreSQL, at: database.url())
        try expectEmpty(database.contents(coordinator))
    }

    @Test("Destroying leaves the tables of other programs, and their schema")
    func destroyingLeavesTheTables() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url(), options: [NSPersistentHistoryTrackingKey: true])
        try database.fill(coordinator)
        let schema = database.schema("store")
        try database.execute(
            """
            CREATE TABLE \(schema).invoice (number integer); INSERT INTO \(schema).invoice VALUES (7);
            CREATE SEQUENCE \(schema).invoices; CREATE TYPE \(schema).state AS ENUM ('open')
            """)
        try coordinator.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        let connection = try TestServer.connect()
        defer { connection.close() }
        let left = try connection.execute(
            "SELECT relname::text FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace ORDER BY 1"
        ).map { $0.text(0) }
        expectEqual(left, ["invoice", "invoices"])
        let functions = try connection.execute(
            "SELECT proname::text FROM pg_proc WHERE pronamespace = '\(schema)'::regnamespace"
        ).map { $0.text(0) }
        expectEmpty(functions)
        try expectEqual(connection.execute("SELECT number FROM \(schema).invoice").map { $0.int64(0) }, [7])
    }

    @Test("Destroying nothing is fine")
    func destroyingNothingIsFine() throws {
        let database = try TestDatabase()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        let text = PostgreSQLServer.url(schema: "x").absoluteString
            .replacingOccurrences(of: "/postgres?", with: "/\(database.schema("none"))?")
        try coordinator.destroyPersistentStore(at: requireValue(URL(string: text)), type: .postgreSQL)
    }

    @Test("Destroying leaves a schema without a store")
    func destroyingLeavesASchema() throws {
        let database = try TestDatabase()
        try database.execute(
            "CREATE SCHEMA \(database.schema("store")); CREATE TABLE \(database.schema("store")).other (a integer)")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        try expectTrue(database.hasSchema())
    }

    @Test("An open store of another coordinator is closed when it is destroyed")
    func anOpenStoreOfAnother() throws {
        let database = try TestDatabase()
        let other = try database.coordinator(at: database.url())
        try database.fill(other)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.destroyPersistentStore(at: database.url("store", "application_name=x"), type: .postgreSQL)
        let error = try requireError { _ = try database.contents(other) }
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, NSPersistentStoreOperationError)
        expectEqual(error.localizedFailureReason?.contains("destroyed"), true)
    }

    @Test("A read-only store is not destroyed")
    func aReadOnlyStore() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        let error = try requireError {
            try coordinator.destroyPersistentStore(
                at: database.url(), type: .postgreSQL, options: [NSReadOnlyPersistentStoreOption: true])
        }
        expectEqual(error.code, 513)
        expectEqual(coordinator.persistentStores.count, 1)
    }

    /// In a separate database, since other tests use `public`.
    @Test("In public only the objects of the store go")
    func inPublicOnlyTheObjects() throws {
        let database = try TestDatabase()
        let name = database.schema("database")
        try database.execute("CREATE DATABASE \(name)")
        defer { try? database.execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") }
        let text = try requireValue(TestServer.url).absoluteString
            .replacingOccurrences(of: "/postgres?", with: "/\(name)?")
        let url = try requireValue(URL(string: text))
        let coordinator = try database.coordinator(
            at: url, options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        try database.fill(coordinator)
        let connection = try PostgreSQLConnection(PostgreSQLLocation(url: url))
        defer { connection.close() }
        try connection.executeScript(
            "CREATE TABLE mine (z_pk integer); CREATE FUNCTION z_mine() RETURNS integer LANGUAGE sql RETURN 1")
        try coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
        let rest = try connection.execute(
            """
            SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace UNION ALL \
            SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1
            """)
        expectEqual(rest.map { $0.text(0) }, ["mine", "z_mine"])
    }

    // MARK: Replacing

    @Test("A store is replaced by a copy of another one", arguments: [false, true])
    func aStoreIsReplaced(_ isPresent: Bool) throws {
        let database = try TestDatabase()
        let source = try database.coordinator(
            at: database.url("source"), options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        try database.fill(source)
        let former = isPresent ? try database.coordinator(at: database.url("copy")) : nil
        try source.replacePersistentStore(
            at: database.url("copy"), withPersistentStoreFrom: database.url("source"), type: .postgreSQL)
        if let former {
            let error = try requireError { _ = try database.contents(former) }
            expectEqual(error.code, NSPersistentStoreOperationError)
            expectEqual(error.localizedFailureReason?.contains("replaced"), true)
        }
        let copy = try database.coordinator(
            at: database.url("copy"), options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        try expectEqual(database.contents(copy), TestDatabase.expected)
        expectEqual(copy.persistentStores.first?.identifier, source.persistentStores.first?.identifier)
        // New objects have other keys than the copied ones.
        try database.fill(copy)
        try expectEqual(database.contents(copy).count, 4)
        try expectEqual(database.contents(source).count, 2)
        try database.use(copy) { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            expectEqual((result?.result as? [NSPersistentHistoryTransaction])?.count, 4)
        }
    }

    @Test("Nothing is no source of a copy, and the destination stays")
    func nothingIsNoSource() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        let error = try requireError {
            try coordinator.replacePersistentStore(
                at: database.url(), withPersistentStoreFrom: database.url("source"), type: .postgreSQL)
        }
        expectEqual(error.code, 260)
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
    }

    @Test("A store in use is backed up into another schema")
    func aStoreInUse() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        try coordinator.backUpPersistentStore(
            requireValue(coordinator.persistentStores.first), to: database.url("backup"))
        let backup = try database.coordinator(at: database.url("backup"))
        try expectEqual(database.contents(backup), TestDatabase.expected)
    }

    // MARK: URLs

    @Test("URLs name the same store if host, port, database and schema are equal")
    func urlsNameTheSame() throws {
        _ = NSPostgreSQLStoreType
        func url(_ text: String) throws -> URL { try requireValue(URL(string: text)) }
        let first = try url("postgresql://ada:secret@db.example.org/shop?schema=a")
        for other in [
            "postgres://bob@DB.example.org:5432/shop?schema=a&sslmode=require",
            "postgresql:///shop?host=db.example.org&schema=a",
        ] {
            try expectTrue(first.namesSameStore(as: url(other)), "\(other)")
        }
        for other in [
            "postgresql://ada@db.example.org/shop?schema=b", "postgresql://ada@db.example.org/shop",
            "postgresql://ada@db.example.org:5433/shop?schema=a", "postgresql://ada@db2.example.org/shop?schema=a",
            "postgresql://ada@db.example.org/shop2?schema=a",
        ] {
            try expectFalse(first.namesSameStore(as: url(other)), "\(other)")
        }
    }

    @Test("A coordinator finds a store by another URL of it")
    func aCoordinatorFindsAStore() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        let other = database.url("store", "application_name=other")
        #expect(coordinator.persistentStore(for: other) === coordinator.persistentStores.first)
        expectEqual(coordinator.persistentStore(for: database.url("another")), nil)
        let error = try requireError { try coordinator.addPersistentStore(type: .postgreSQL, at: other) }
        expectEqual(error.code, NSPersistentStoreOpenError)
    }

    @Test("The schema of the options is a part of the store's URL")
    func theSchemaOfTheOptions() throws {
        let database = try TestDatabase()
        let text = try requireValue(TestServer.url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let names = ["a", "b"].map(database.schema)
        for name in names {
            try coordinator.addPersistentStore(
                type: .postgreSQL, at: text, options: [NSPostgreSQLSchemaOption: name])
        }
        expectEqual(coordinator.persistentStores.count, 2)
        try coordinator.destroyPersistentStore(
            at: text, type: .postgreSQL, options: [NSPostgreSQLSchemaOption: names[1]])
        expectEqual(coordinator.persistentStores.count, 1)
        try expectTrue(database.hasSchema("a"))
        try expectFalse(database.hasSchema("b"))
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    @Test("A store gets another URL")
    func aStoreGetsAnother() throws {
        let database = try TestDatabase()
        let filled = try database.coordinator(at: database.url("filled"))
        try database.fill(filled)
        let coordinator = try database.coordinator(at: database.url())
        let store = try requireValue(coordinator.persistentStores.first)
        expectFalse(coordinator.setURL(database.url("none"), for: store))
        expectEqual(store.url, database.url())
        try expectEmpty(database.contents(coordinator))
        expectTrue(coordinator.setURL(database.url("filled"), for: store))
        expectEqual(store.url, database.url("filled"))
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
        try expectFalse(database.hasSchema("none"))
    }

    @Test("Errors and URLs don't show the password")
    func errorsAndURLsDont() throws {
        let database = try TestDatabase()
        let url = database.url("store", "password=verysecret")
        let coordinator = try database.coordinator(at: url)
        let store = try requireValue(coordinator.persistentStores.first)
        expectEqual(store.url?.absoluteString.contains("verysecret"), false)
        let missing = database.url("none", "password=verysecret")
        let errors = [
            try requireError { try coordinator.addPersistentStore(type: .postgreSQL, at: url) },
            try requireError {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: missing)
            },
            try requireError { _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: missing) },
            try requireError {
                try coordinator.replacePersistentStore(
                    at: url, withPersistentStoreFrom: missing, type: .postgreSQL)
            },
            try requireError {
                try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: url, type: .postgreSQL)
            },
            try requireError { _ = try coordinator.migratePersistentStore(store, to: url, type: .postgreSQL) },
            try requireError { try coordinator.addPersistentStore(type: .sqlite, at: url) },
        ]
        for error in errors { #expect(!"\(error) \(error.userInfo)".contains("verysecret"), "\(error)") }
        try expectEmpty(database.contents(coordinator))
    }
}
