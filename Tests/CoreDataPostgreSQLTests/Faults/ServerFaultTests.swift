import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// A store whose user lacks rights, or whose tables were changed by other programs.
@Suite("Refusing servers and changed tables", .enabled(if: TestServer.isPresent))
struct ServerFaultTests {
    /// A user of the test server without rights, who is removed with this object.
    private final class User {
        let name = "u_" + UUID().uuidString.lowercased().prefix(8)
        private let database: TestDatabase

        init(_ database: TestDatabase) throws {
            self.database = database
            try database.execute("CREATE ROLE \(name) LOGIN")
        }

        deinit { try? database.execute("DROP OWNED BY \(name); DROP ROLE \(name)") }
    }

    private static func insert(_ context: NSManagedObjectContext) -> NSError? {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("new", forKey: "name")
        defer { context.rollback() }
        return thrownError { try context.save() }
    }

    private static func fetch(_ context: NSManagedObjectContext) -> NSError? {
        context.reset()
        return thrownError { _ = try context.names("Book") }
    }

    private static func open(_ coordinator: NSPersistentStoreCoordinator) throws -> PostgreSQLDatabase {
        try requireValue(coordinator.persistentStores.first as? PostgreSQLStore).database
    }

    // MARK: Rights

    @Test("Missing rights are 513 for a save and 257 for a fetch, and the store goes on when they are granted")
    func rights() throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let user = try User(database)
        let schema = database.schema("store")
        try database.execute(
            """
            GRANT USAGE ON SCHEMA \(schema) TO \(user.name);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(user.name);
            GRANT USAGE, UPDATE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(user.name)
            """)
        let coordinator = try database.coordinator(at: database.url("store", "user=\(user.name)"))
        try database.use(coordinator) { context in
            expectEqual(Self.insert(context), nil)
            for right in ["INSERT", "UPDATE", "DELETE"] {
                try database.execute("REVOKE \(right) ON \(schema).zbook FROM \(user.name)")
                let book = try requireValue(try context.all("Book", "name = 'One'").first)
                if right == "INSERT" { context.make("Book", "more") }
                if right == "UPDATE" { book.setValue("changed", forKey: "name") }
                if right == "DELETE" { context.delete(book) }
                let error = try requireError { try context.save() }
                expectEqual(error.domain, NSCocoaErrorDomain)
                expectEqual(error.code, CocoaError.fileWriteNoPermission.rawValue, "\(right)")
                #expect(error.userInfo[PostgreSQLError.stateKey] as? String == "42501")
                expectContains(error.localizedDescription, "zbook")
                context.rollback()
                try database.execute("GRANT \(right) ON \(schema).zbook TO \(user.name)")
                expectEqual(Self.insert(context), nil)
            }
            try database.execute("REVOKE SELECT ON \(schema).zbook FROM \(user.name)")
            let error = try requireValue(Self.fetch(context))
            expectEqual(error.code, CocoaError.fileReadNoPermission.rawValue)
            expectContains(error.localizedDescription, "zbook")
            try database.execute("GRANT SELECT ON \(schema).zbook TO \(user.name)")
            expectEqual(Self.fetch(context), nil)
            try expectEqual(context.names("Book"), ["One", "Two", "new", "new", "new", "new"])
        }
    }

    @Test("A user that may only read opens a store that is read-only, and no other one writes through it")
    func readingUser() throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let user = try User(database)
        let schema = database.schema("store")
        let url = database.url("store", "user=\(user.name)")
        let refusal = try requireError {
            _ = try database.coordinator(at: url, options: [NSReadOnlyPersistentStoreOption: true])
        }
        expectEqual(refusal.code, CocoaError.fileReadNoPermission.rawValue)
        #expect(refusal.userInfo[PostgreSQLError.stateKey] as? String == "42501")
        expectContains(refusal.localizedDescription, schema)
        try database.execute(
            """
            GRANT USAGE ON SCHEMA \(schema) TO \(user.name);
            GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(user.name)
            """)
        let coordinator = try database.coordinator(at: url, options: [NSReadOnlyPersistentStoreOption: true])
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
        let writing = try database.coordinator(at: url)
        try database.use(writing) { context in
            expectEqual(Self.insert(context)?.code, CocoaError.fileWriteNoPermission.rawValue)
            expectEqual(Self.fetch(context), nil)
        }
    }

    // MARK: Time limits of the server

    @Test("A statement that the server ends after its statement_timeout is 134090, and the store goes on")
    func statementTimeout() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url("store", "pool_size=1"))
        try database.fill(coordinator)
        let store = try Self.open(coordinator)
        try store.read { try $0.connection.executeScript("SET statement_timeout = 200") }
        let other = try TestServer.connect()
        defer { other.close() }
        try other.executeScript("BEGIN; LOCK TABLE \(database.schema("store")).zbook IN ACCESS EXCLUSIVE MODE")
        try database.use(coordinator) { context in
            let error = try requireValue(Self.fetch(context))
            expectEqual(error.code, NSPersistentStoreTimeoutError)
            #expect(error.userInfo[PostgreSQLError.stateKey] as? String == "57014")
            expectEqual(error.localizedRecoverySuggestion?.contains("statement_timeout"), true)
            try other.executeScript("ROLLBACK")
            // Without a limit, since a busy server is late.
            try store.read { try $0.connection.executeScript("SET statement_timeout = 0") }
            expectEqual(Self.fetch(context), nil)
        }
    }

    // MARK: Texts that the server doesn't have

    @Test(
        "A predicate with the character NUL is evaluated as in memory",
        arguments: [
            ("name = %@", 0), ("name != %@", 2), ("name CONTAINS %@", 0), ("name BEGINSWITH[c] %@", 0),
            ("NOT (name IN {%@, 'One'})", 1), ("author.name = %@ OR name = 'Two'", 1),
        ])
    func nul(format: String, count: Int) throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        try database.use(coordinator) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: format, "O\0ne")
            try expectEqual(context.fetch(request).count, count)
            try expectEqual(context.count(for: request), count)
        }
    }

    // MARK: A server that only reads

    @Test("A connection to a server that only reads is thrown away, and the next save has another one")
    func readOnlyServer() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url("store", "pool_size=1"))
        let store = try Self.open(coordinator)
        try database.use(coordinator) { context in
            expectEqual(Self.insert(context), nil)
            try store.read { try $0.connection.executeScript("SET default_transaction_read_only = on") }
            let error = try requireValue(Self.insert(context))
            expectEqual(error.code, CocoaError.fileWriteNoPermission.rawValue)
            #expect(error.userInfo[PostgreSQLError.stateKey] as? String == "25006")
            expectEqual(Self.insert(context), nil)
            try expectEqual(context.names("Book"), ["new", "new"])
        }
    }

    @Test("A server that only reads is opened for reading alone")
    func openingReadOnlyServer() throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let url = database.url("store", "options=-cdefault_transaction_read_only%3Don")
        let error = try requireError { _ = try database.coordinator(at: url) }
        expectEqual(error.code, NSPersistentStoreOpenError)
        expectContains(error.localizedDescription, "read-only")
        let coordinator = try database.coordinator(at: url, options: [NSReadOnlyPersistentStoreOption: true])
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
    }

    // MARK: Locks

    @Test("A wait for locked rows ends after the timeout of the store", arguments: ["", "pooler=true"])
    func lockedRows(_ items: String) throws {
        let database = try TestDatabase()
        // The timeout is for the locked rows alone, not for the creation of the tables.
        try database.fill(database.coordinator(at: database.url()))
        let coordinator = try database.coordinator(
            at: database.url("store", items), options: [NSPersistentStoreTimeoutOption: 0.05])
        let other = try TestServer.connect()
        defer { other.close() }
        try database.use(coordinator) { context in
            try other.begin()
            try other.execute("SELECT * FROM \(database.schema("store")).zbook FOR UPDATE")
            func change() throws {
                for book in try context.all("Book") { book.setValue("changed", forKey: "name") }
                try context.save()
            }
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["pages": 7]
            for error in [try requireError(change), try requireError { try context.execute(update) }] {
                expectEqual(error.domain, NSCocoaErrorDomain)
                expectEqual(error.code, NSPersistentStoreTimeoutError)
                #expect(error.userInfo[PostgreSQLError.stateKey] as? String == "55P03")
                context.rollback()
            }
            if items.isEmpty {
                try other.execute("LOCK TABLE \(database.schema("store")).zbook IN ACCESS EXCLUSIVE MODE")
                expectEqual(Self.fetch(context)?.code, NSPersistentStoreTimeoutError)
            }
            try other.rollback()
            try change()
            try context.execute(update)
            try expectEqual(context.names("Book"), ["changed", "changed"])
        }
    }

    // MARK: Changed tables

    @Test(
        "A table or column that is missing at opening is named",
        arguments: [
            ("ALTER TABLE %.zbook DROP COLUMN zprice", ["ZBOOK", "ZPRICE"]), ("DROP TABLE %.zchapter", ["ZCHAPTER"]),
            ("ALTER TABLE %.zbook RENAME zpages TO zother", ["ZBOOK", "ZPAGES"]),
        ])
    func missingAtOpening(_ change: String, _ names: [String]) throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        try database.execute(change.replacingOccurrences(of: "%", with: database.schema("store")))
        let error = try requireError { _ = try database.coordinator(at: database.url()) }
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, NSPersistentStoreIncompatibleSchemaError)
        for name in names { expectContains(error.localizedDescription, name) }
    }

    @Test(
        "A table or column that is dropped while the store is open is named",
        arguments: [
            ("ALTER TABLE %.zbook DROP COLUMN zprice", "zprice"), ("DROP TABLE %.zbook CASCADE", "zbook"),
        ])
    func droppedWhileOpen(_ change: String, _ name: String) throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        try database.use(coordinator) { context in
            expectEqual(Self.fetch(context), nil)
            try database.execute(change.replacingOccurrences(of: "%", with: database.schema("store")))
            for error in [try requireValue(Self.fetch(context)), try requireValue(Self.insert(context))] {
                expectEqual(error.domain, NSCocoaErrorDomain)
                expectEqual(error.code, NSPersistentStoreIncompatibleSchemaError)
                expectContains(error.localizedDescription.lowercased(), name)
            }
            // Other entities are read on.
            try expectEqual(context.names("Author"), ["Ada"])
        }
    }

    @Test("A statement whose result has changed is prepared again")
    func changedResult() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url("store", "pool_size=1"))
        try database.fill(coordinator)
        for type in ["varchar", "text"] {
            try expectEqual(database.contents(coordinator), TestDatabase.expected)
            try database.execute("ALTER TABLE \(database.schema("store")).zbook ALTER COLUMN zname TYPE \(type)")
        }
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
    }

    @Test("A save is repeated when the result of a statement within it has changed")
    func changedResultWithinSave() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url("store", "pool_size=1"))
        let other = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        func rename(_ coordinator: NSPersistentStoreCoordinator, _ name: String, first: () throws -> Void) throws {
            try database.use(coordinator) { context in
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                let author = try requireValue(try context.all("Author").first)
                _ = author.text("name")
                try first()
                author.setValue(name, forKey: "name")
                try context.save()
            }
        }
        // The save reads the row of the conflict.
        for (number, type) in ["varchar", "text", "varchar"].enumerated() {
            try rename(coordinator, "a\(number)") {
                try rename(other, "b\(number)") {}
                guard number > 0 else { return }
                try database.execute(
                    "ALTER TABLE \(database.schema("store")).zperson ALTER COLUMN zgenre TYPE \(type)")
            }
            try database.use(other) { try expectEqual($0.names("Author"), ["a\(number)"]) }
        }
    }
}
