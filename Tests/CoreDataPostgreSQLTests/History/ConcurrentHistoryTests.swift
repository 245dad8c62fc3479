import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The history as a reader finds it while other transactions of the store run.
@Suite("A history while others write", .enabled(if: TestServer.isPresent))
struct ConcurrentHistoryTests {
    private let database: TestDatabase
    private let coordinator: NSPersistentStoreCoordinator
    private let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
    private var schema: String { "\"\(database.schema("store"))\"" }

    init() throws {
        database = try TestDatabase()
        coordinator = try database.coordinator(at: database.url(), options: options)
    }

    private func makeContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Begins a transaction of the store, as a save of another process does.
    private func beginTransaction() throws -> PostgreSQLConnection {
        let connection = try TestServer.connect()
        try connection.begin()
        _ = try connection.execute("SELECT \(PostgreSQLHistoryTables.lockCall(schema: database.schema("store")))")
        _ = try connection.execute("SELECT pg_current_xact_id()")
        return connection
    }

    /// Records the open transaction, with an insertion.
    private func record(_ connection: PostgreSQLConnection, entity: Int64, key: Int64) throws {
        // With a table the statement would run on another server of a cluster.
        let number = try connection.execute("SELECT pg_current_xact_id()::text")[0].text(0)
        _ = try connection.execute(
            """
            INSERT INTO \(schema).z_transaction (z_number, z_time, z_author)
            VALUES (\(number), clock_timestamp(), 'raw')
            """)
        _ = try connection.execute(
            """
            INSERT INTO \(schema).z_change (z_number, z_transaction, z_type, z_entity, z_key)
            OVERRIDING SYSTEM VALUE VALUES (1000000, \(number), 0, \(entity), \(key))
            """)
    }

    /// Saves a tag, and returns the token of the save.
    private func save(_ name: String) throws -> NSPersistentHistoryToken {
        try database.use(coordinator) { context in
            let token = LockedValue<NSPersistentHistoryToken?>(nil)
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { notification in
                let posted = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                token.withLock { $0 = posted }
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            context.make("Tag", name)
            try context.save()
            return try requireValue(token.withLock { $0 })
        }
    }

    private func transactions(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
        try database.use(coordinator) { context in
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            return try requireValue(
                (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])
        }
    }

    @Test("The token of a save is valid at once, and misses no transaction that began before it and ends later")
    func tokenOfASave() throws {
        _ = try save("first")
        let other = try beginTransaction()
        defer { other.close() }
        let token = try save("second")
        try expectEmpty(transactions(after: token))
        try record(other, entity: 1, key: 999)
        try other.commit()
        let authors = try transactions(after: token).map { $0.author ?? "" }
        expectContains(authors, "raw", "\(authors)")
    }

    @Test("The token of a save that no other one accompanies is that of its transaction")
    func tokenOfASingleSave() throws {
        let token = try save("first")
        try expectEmpty(transactions(after: token))
        _ = try save("second")
        try expectEqual(transactions(after: token).count, 1)
    }

    @Test("A batch deletion records the rows that it deletes: not one that stopped matching meanwhile")
    func batchDeletion() throws {
        let token = try save("match")
        _ = try save("match")
        let other = try TestServer.connect()
        defer { other.close() }
        try other.begin()
        _ = try other.execute(
            "UPDATE \(schema).ztag SET zname = 'kept' WHERE z_pk = (SELECT MIN(z_pk) FROM \(schema).ztag)")
        let signals = Signals()
        let context = makeContext()
        context.perform {
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
            fetch.predicate = NSPredicate(format: "name == 'match'")
            let error = thrownError { try context.execute(NSBatchDeleteRequest(fetchRequest: fetch)) }
            signals.add(error.map { "\($0)" } ?? "deleted")
        }
        try TestServer.waitForLocks(of: other)
        try other.commit()
        #expect(signals.wait { $0 == ["deleted"] }, "\(signals.all)")
        let left = try database.use(coordinator) { try $0.names("Tag") }
        expectEqual(left, ["kept"])
        let deletions = try transactions(after: token).flatMap { $0.changes ?? [] }.filter { $0.changeType == .delete }
        expectEqual(deletions.count, 1)
    }

    /// Deletes all tags in the background, and signals `deleted` or the error.
    private func deleteTags() -> Signals {
        let signals = Signals()
        let context = makeContext()
        context.perform {
            let error = thrownError {
                for tag in try context.all("Tag") { context.delete(tag) }
                try context.save()
            }
            signals.add(error.map { "\($0)" } ?? "deleted")
        }
        return signals
    }

    @Test("A save doesn't record the deletion of a row that another transaction deletes meanwhile")
    func deletionBesideAnother() throws {
        let token = try save("deleted twice")
        let other = try TestServer.connect()
        defer { other.close() }
        try other.begin()
        _ = try other.execute("DELETE FROM \(schema).ztag")
        let signals = deleteTags()
        try TestServer.waitForLocks(of: other)
        try other.commit()
        #expect(signals.wait { $0 == ["deleted"] }, "\(signals.all)")
        try expectEmpty(transactions(after: token).flatMap { $0.changes ?? [] })
    }

    @Test(
        "A deletion comes after the changes of its row, though their transaction began later",
        .enabled(if: TestServer.cluster == .none, "In a cluster a row doesn't tell its writer's number."))
    func deletionAfterALaterTransaction() throws {
        let token = try save("changed, deleted")
        let other = try TestServer.connect()
        defer { other.close() }
        try other.begin()
        // The lock gives no number: the save, which waits for it, gets the smaller one.
        _ = try other.execute("LOCK TABLE \(schema).ztag IN EXCLUSIVE MODE")
        let signals = deleteTags()
        try TestServer.waitForLocks(of: other)
        _ = try other.execute("UPDATE \(schema).ztag SET zname = zname")
        let changed = try other.execute("SELECT pg_current_xact_id()::text::bigint")[0].int64(0)
        try other.commit()
        #expect(signals.wait { $0 == ["deleted"] }, "\(signals.all)")
        let deletions = try transactions(after: token).filter { $0.changes?.isEmpty == false }
        expectEqual(deletions.map { $0.transactionNumber > changed }, [true])
    }

    @Test("A batch update records a row that it finds only once others have ended")
    func batchUpdate() throws {
        let token = try save("match")
        let other = try TestServer.connect()
        defer { other.close() }
        try other.begin()
        _ = try other.execute("UPDATE \(schema).ztag SET zname = zname")
        let signals = Signals()
        let context = makeContext()
        context.perform {
            let request = NSBatchUpdateRequest(entityName: "Tag")
            request.propertiesToUpdate = ["name": "new"]
            let error = thrownError { try context.execute(request) }
            signals.add(error.map { "\($0)" } ?? "updated")
        }
        try TestServer.waitForLocks(of: other)
        try other.commit()
        #expect(signals.wait { $0 == ["updated"] }, "\(signals.all)")
        let updates = try transactions(after: token).flatMap { $0.changes ?? [] }.filter { $0.changeType == .update }
        expectEqual(updates.count, 1)
    }

    @Test("Transactions that are deleted while a reader reads are an expired token, and no gap")
    func deletionDuringAFetch() throws {
        let token = try save("first")
        _ = try save("second")
        let newest = try requireValue(coordinator.currentPersistentHistoryToken(fromStores: nil))
        let store = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore).database
        // Another process deletes the history just before the transactions are read.
        let isDone = Signals()
        try store.read { session in
            let log = session.connection.log
            session.connection.log = { [database, schema] text, values in
                log?(text, values)
                guard text.contains("z_author"), isDone.all.isEmpty else { return }
                isDone.add("deleted")
                try? database.execute(
                    """
                    DELETE FROM \(schema).z_change; UPDATE \(schema).z_history SET z_deleted =
                    (SELECT MAX(z_number) FROM \(schema).z_transaction); DELETE FROM \(schema).z_transaction
                    """)
            }
        }
        let error = thrownError { _ = try transactions(after: token) }
        expectEqual(isDone.all, ["deleted"])
        expectEqual((error as NSError?)?.code, NSPersistentHistoryTokenExpiredError, "\(String(describing: error))")
        try expectEmpty(transactions(after: newest))
    }

    @Test("A reader that can't write finds the history of a server whose transactions had greater numbers")
    func restoredHistory() throws {
        _ = try save("first")
        _ = try save("second")
        try database.execute(
            """
            UPDATE \(schema).z_transaction SET z_number = z_number + 1000000000000;
            UPDATE \(schema).z_change SET z_transaction = z_transaction + 1000000000000
            """)
        let reader = try database.coordinator(
            at: database.url(), options: options.merging([NSReadOnlyPersistentStoreOption: true]) { $1 })
        try database.use(reader) { context in
            func transactions(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
                let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
                return (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
            }
            let all = try transactions(after: nil)
            expectEqual(all.count, 2)
            try expectEmpty(transactions(after: all.last?.token))
        }
    }
}
