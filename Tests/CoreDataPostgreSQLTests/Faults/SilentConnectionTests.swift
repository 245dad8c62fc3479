import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Connections and transactions that stay open while nothing happens.
@Suite("Silence", .enabled(if: TestServer.isPresent))
struct SilentConnectionTests {
    @Test("A save whose connection is open but silent goes on over another one", arguments: [true, false])
    func silentConnection(isInCommit: Bool) throws {
        let database = try TestDatabase()
        let proxy = try TestProxy()
        defer { proxy.stop() }
        let coordinator = try database.coordinator(
            at: proxy.url(database.url()), options: [NSPostgreSQLSilenceTimeoutOption: 0.3])
        try database.use(coordinator) { context in
            context.make("Tag", "before")
            try context.save()
            proxy.cut(.silence) { isInCommit ? $0.isCommitted : $0.isBegin }
            context.make("Tag", "during")
            try context.save()
            expectEqual(proxy.cutCount, 1)
            proxy.passAll()
            context.reset()
            try expectEqual(context.names("Tag"), ["before", "during"])
        }
    }

    @Test("A statement on which the server works is waited for")
    func longStatement() throws {
        let connection = try PostgreSQLConnection(TestServer.location("silence_timeout=0.1"))
        defer { connection.close() }
        try connection.findCluster()
        try expectEqual(connection.execute("SELECT 7 FROM pg_sleep(1)")[0].int64(0), 7)
        expectTrue(connection.isUsable)
    }

    @Test("The server ends a transaction in which the program does nothing, except that of a query generation")
    func idleTransaction() throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(
            at: database.url(), options: [NSPostgreSQLIdleTransactionTimeoutOption: 0.2])
        let schema = database.schema("store")
        try database.use(coordinator) { context in
            context.make("Tag", "a")
            try context.save()
        }
        let store = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore).database
        let pinned = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        pinned.persistentStoreCoordinator = coordinator
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            try expectEqual(pinned.names("Tag"), ["a"])
        }
        let idle = try store.requireOpen().pool.checkOut().connection
        try idle.begin()
        try idle.execute("UPDATE \(schema).ztag SET zname = 'b'")
        // Waits for the lock of the row, until the server ends the other transaction.
        try database.execute("UPDATE \(schema).ztag SET zname = 'c'")
        let error = #expect(throws: PostgreSQLFailure.self) { try idle.commit() }
        expectEqual(error?.isConnectionLost, true)
        idle.close()
        try pinned.performAndWait {
            pinned.refreshAllObjects()
            let names = try pinned.names("Tag")
            expectEqual(names, ["a"])
        }
    }
}
