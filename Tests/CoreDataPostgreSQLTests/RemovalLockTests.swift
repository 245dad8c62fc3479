import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Stores that are removed while other transactions use them.
@Suite("Removing a store", .enabled(if: TestServer.isPresent))
struct RemovalLockTests {
    private let database: TestDatabase
    /// The name of the connections that remove.
    private let name: String

    init() throws {
        database = try TestDatabase()
        name = database.schema("remover")
    }

    /// Runs a block on a new thread, with a coordinator and the URL of the store.
    private func remove(
        _ signals: Signals, _ body: @escaping @Sendable (NSPersistentStoreCoordinator, URL) throws -> Void
    ) {
        let url = database.url("store", "application_name=\(name)")
        Thread.detachNewThread {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            signals.add(thrownError { try body(coordinator, url) }.map { "\($0)" } ?? "removed")
        }
    }

    @Test("waits for a save with history", arguments: [false, true])
    func save(_ replaces: Bool) throws {
        try database.fill(database.coordinator(at: database.url("source")))
        let coordinator = try database.coordinator(at: database.url(), options: [NSPersistentHistoryTrackingKey: true])
        try database.fill(coordinator)
        let dialect = PostgreSQLDialect(schema: database.schema("store"))
        // A save locks this table first, and the table of the changes later.
        let saving = try TestServer.connect()
        defer { saving.close() }
        try saving.begin()
        try saving.executeScript("LOCK TABLE \(dialect.table("z_modelcache")) IN ACCESS SHARE MODE")
        let signals = Signals()
        let source = database.url("source")
        remove(signals) { coordinator, url in
            if replaces {
                try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source, type: .postgreSQL)
            } else {
                try coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
            }
        }
        try TestServer.waitForLocks(1, of: name)
        try saving.execute("SELECT COUNT(*) FROM \(dialect.table("z_change"))")
        try saving.commit()
        #expect(signals.wait { !$0.isEmpty } && signals.all == ["removed"])
        try expectEqual(database.hasSchema(), replaces)
    }

    @Test("is done by two processes at once")
    func twice() throws {
        let schema = database.schema("store")
        try database.fill(database.coordinator(at: database.url()))
        let lock = try TestServer.connect()
        defer { lock.close() }
        try lock.begin()
        try PostgreSQLStoreOpener.lock(schema, lock)
        let signals = Signals()
        for _ in 0..<2 {
            remove(signals) { try $0.destroyPersistentStore(at: $1, type: .postgreSQL) }
        }
        try TestServer.waitForLocks(2, of: name)
        try lock.commit()
        #expect(signals.wait { $0.count == 2 } && signals.all == ["removed", "removed"])
        try expectFalse(database.hasSchema())
    }
}
