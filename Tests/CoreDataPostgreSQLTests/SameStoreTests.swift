import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// URLs that name a server in different ways.
@Suite("A store is replaced", .enabled(if: TestServer.isPresent))
struct SameStoreTests {
    @Test("not by itself, whatever the URLs call its server", arguments: [false, true])
    func itself(_ isReversed: Bool) throws {
        let database = try TestDatabase()
        let proxy = try TestProxy()
        // This ends a copy that waits for itself.
        defer { proxy.stop() }
        let direct = database.url()
        let coordinator = try database.coordinator(at: direct)
        try database.fill(coordinator)
        let other = proxy.url(direct)
        expectFalse(direct.namesSameStore(as: other))
        let signals = Signals()
        Thread.detachNewThread {
            let error = thrownError {
                try coordinator.replacePersistentStore(
                    at: isReversed ? other : direct, withPersistentStoreFrom: isReversed ? direct : other,
                    type: .postgreSQL)
            }
            signals.add("\(error?.code ?? 0) \(error?.localizedFailureReason?.contains("itself") ?? false)")
        }
        #expect(signals.wait { !$0.isEmpty } && signals.all == ["\(NSPersistentStoreOperationError) true"])
        // The open store goes on.
        expectEqual(coordinator.persistentStores.count, 1)
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
    }

    @Test("by one in a schema of the same name in another database")
    func otherDatabase() throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let name = database.schema("database")
        try database.execute("CREATE DATABASE \(name)")
        defer { try? database.execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") }
        let url = database.url("store", "dbname=\(name)")
        let coordinator = try database.coordinator(at: url)
        try coordinator.replacePersistentStore(
            at: url, withPersistentStoreFrom: database.url(), type: .postgreSQL)
        try expectEqual(database.contents(database.coordinator(at: url)), TestDatabase.expected)
    }
}
