import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The locks of a cluster keep migrations and other transactions apart, and the history complete.
@Suite("Locks of a cluster", .enabled(if: TestServer.isPresent))
struct ClusterLockTests {
    /// Whether a migration of a store would wait.
    private func isLocked(_ schema: String) throws -> Bool {
        let connection = try PostgreSQLConnection(TestServer.location("schema=\(schema)"))
        defer { connection.close() }
        do {
            try connection.transaction {
                try connection.executeScript("SET LOCAL lock_timeout = 50")
                try PostgreSQLModelLock.lock(connection, PostgreSQLDialect(schema: schema))
            }
            return false
        } catch let failure as PostgreSQLFailure where failure.isLockTimeout {
            return true
        }
    }

    @Test("A migration waits for a save, and for a context that is pinned")
    func exclusion() throws {
        let database = try ClusterTestDatabase()
        let coordinator = try database.coordinator()
        let store = try requireValue(database.store(of: coordinator))
        let schema = database.schema
        try expectFalse(isLocked(schema))
        let open = try store.requireOpen()
        try store.read { session in
            let engine = PostgreSQLSaveEngine(session, open)
            try engine.withTransaction {
                try engine.begin()
                try expectTrue(isLocked(schema))
            }
        }
        try expectFalse(isLocked(schema))
        var generation = try store.generation()
        try #expect(generation != nil && isLocked(schema))
        generation = nil
        try expectFalse(isLocked(schema))
    }

    @Test("A context that is pinned while a migration runs sees what the migration has written")
    func snapshotAfterLock() throws {
        let database = try ClusterTestDatabase()
        let coordinator = try database.coordinator()
        let store = try requireValue(database.store(of: coordinator))
        let connection = try PostgreSQLConnection(TestServer.location("schema=\(database.schema)"))
        defer { connection.close() }
        try connection.begin()
        try PostgreSQLModelLock.lock(connection, PostgreSQLDialect(schema: database.schema))
        let signals = Signals()
        Thread.detachNewThread {
            do {
                let generation = try store.generation() as? PostgreSQLGeneration
                let count = try generation?.read { session in
                    try session.integer("SELECT COUNT(*) FROM \(session.dialect.table("z_unused"))")
                }
                signals.add("\(count ?? -1)")
            } catch { signals.add("\(error)") }
        }
        let watcher = try TestServer.connect()
        defer { watcher.close() }
        // Until the other session waits.
        var isWaiting = false
        let end = ContinuousClock.now + .seconds(30)
        while !isWaiting && ContinuousClock.now < end {
            isWaiting =
                try watcher.execute(
                    "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1668246895 AND NOT granted"
                )[0].int64(0) > 0
        }
        expectTrue(isWaiting)
        try connection.execute("INSERT INTO \(database.schema).z_unused VALUES ('t', 'c')")
        try connection.commit()
        #expect(signals.wait { !$0.isEmpty } && signals.all == ["1"])
    }

    @Test("A reader of the history misses no transaction of several writers")
    func completeHistory() async throws {
        let database = try ClusterTestDatabase()
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let reading = try database.coordinator(options)
        let saves = TestRun.quick(50, long: 2500)
        let writers = try (0..<4).map { _ in try database.coordinator(options) }
        let done = Signals()
        for (index, coordinator) in writers.enumerated() {
            DispatchQueue.global().async {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                context.performAndWait {
                    for number in 0..<saves {
                        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                        tag.setValue("\(index) \(number)", forKey: "name")
                        if let error = thrownError({ try context.save() }) { done.add("\(error)") }
                    }
                }
                done.add("done")
            }
        }
        let store = try requireValue(database.store(of: reading))
        var last: Int64 = 0
        var found = 0
        while true {
            let isLast = done.all.count { $0 == "done" } == writers.count
            let new = try store.history(last == 0 ? .all : .afterTransaction(last), content: .transactions)
            found += new.count
            last = new.last?.number ?? last
            if isLast { break }
        }
        expectEqual(done.all.filter { $0 != "done" }, [])
        expectEqual(found, saves * writers.count)
        print("History: \(saves * writers.count - found) of \(saves * writers.count) transactions missed")
    }
}
