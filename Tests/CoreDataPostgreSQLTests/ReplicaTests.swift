import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// A server and its replica, which the tests of a suite share.
private struct ReplicatedServer: SuiteTrait, TestScoping {
    struct Servers: @unchecked Sendable {
        // Unchecked: one test uses them at a time.
        let server: PrivateServer
        let replica: PrivateServer
    }

    @TaskLocal static var servers: Servers?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard TestServer.isPresent else { return try await function() }
        let server = try PrivateServer()
        let servers = Servers(server: server, replica: try PrivateServer(replicaOf: server))
        try await Self.$servers.withValue(servers) { try await function() }
    }
}

/// Fetches from a replica of the server.
@Suite("A store with a replica", .enabled(if: TestServer.isPresent), .serialized, ReplicatedServer())
struct ReplicaTests {
    private let server: PrivateServer
    private let replica: PrivateServer
    /// The item of the URL for the schema of a test.
    private let schema = "schema=t" + UUID().uuidString.lowercased().prefix(8)
    private let context: NSManagedObjectContext
    /// A context of a coordinator without the replica, as in another process.
    private let other: NSManagedObjectContext

    init() throws {
        let servers = try requireValue(ReplicatedServer.servers)
        (server, replica) = (servers.server, servers.replica)
        other = try Self.makeContext(server.url(schema))
        try Self.insert("a", other)
        context = try Self.makeContext(server.url("\(schema)&replicas=\(replica.host)"))
    }

    private static func makeContext(
        _ url: URL, _ options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func insert(_ name: String, _ context: NSManagedObjectContext) throws {
        try on(context) {
            context.make("Author", name)
            try context.save()
        }
    }

    private func names() throws -> [String] { try context.performAndWait { try context.names("Author") } }

    /// Has the replica stay as it is, which has replayed all until now, while a block runs.
    private func whilePaused(_ body: () throws -> Void) throws {
        try catchUp()
        try replica.execute("SELECT pg_wal_replay_pause()")
        let connection = try replica.connect()
        defer {
            try? connection.executeScript("SELECT pg_wal_replay_resume()")
            connection.close()
        }
        while try connection.execute("SELECT pg_get_wal_replay_pause_state()::text")[0].text(0) != "paused" {
            try connection.executeScript("SELECT pg_sleep(0.005)")
        }
        try body()
    }

    /// Waits until the replica has replayed all that the server has.
    private func catchUp() throws {
        let (connection, replicated) = (try server.connect(), try replica.connect())
        defer {
            connection.close()
            replicated.close()
        }
        let position = try connection.logPosition() ?? 0
        while try replicated.replayedLogPosition() ?? 0 < position {
            try replicated.executeScript("SELECT pg_sleep(0.005)")
        }
    }

    @Test("Fetches read the replica, and the server when the replica lacks a save of the process")
    func fetchesReadTheReplica() throws {
        try catchUp()
        try expectEqual(names(), ["a"])
        try whilePaused {
            try Self.insert("b", other)
            // The replica doesn't know it, and the process hasn't heard of it.
            try expectEqual(names(), ["a"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            try expectEqual(context.performAndWait { try context.count(for: request) }, 1)
            try Self.insert("c", context)
            try expectEqual(names(), ["a", "b", "c"])
        }
        try whilePaused {
            try Self.insert("d", other)
            try expectEqual(names(), ["a", "b", "c"])
        }
    }

    @Test("A fault of a fetch from the replica has what the process has saved since")
    func aFaultOfAFetch() throws {
        try whilePaused {
            let second = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            second.persistentStoreCoordinator = context.persistentStoreCoordinator
            let faults = UnsafeSender(try second.performAndWait { try second.all("Author") })
            try on(context) {
                try context.one("Author", "a").setValue("new", forKey: "name")
                try context.save()
            }
            try on(second) {
                expectEqual(faults.value.map { $0.text("name") }, ["new"])
                faults.value[0].setValue("newer", forKey: "name")
                try second.save()
            }
        }
    }

    @Test("A fetch finds the objects of the transactions that the process has read in the history")
    func aFetchAfterTheHistory() throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let schema = schema + "_history"
        let writer = try Self.makeContext(server.url(schema), options)
        try Self.insert("a", writer)
        let reader = try Self.makeContext(server.url("\(schema)&replicas=\(replica.host)"), options)
        try whilePaused {
            try Self.insert("b", writer)
            try on(reader) {
                try expectEqual(reader.names("Author"), ["a"])
                _ = try reader.execute(
                    NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?))
                try expectEqual(reader.names("Author"), ["a", "b"])
            }
        }
    }

    @Test("A program whose store was migrated hears it from the server when the replica lacks a column")
    func migratedStore() throws {
        let table = "\"\(schema.dropFirst("schema=".count))\""
        try server.execute("DELETE FROM \(table).z_modelcache")
        try server.execute("ALTER TABLE \(table).zperson DROP COLUMN zname")
        try catchUp()
        let error = try requireValue(thrownError { _ = try names() })
        expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("A fetch finds what a batch request of the process has changed")
    func aFetchFindsWhat() throws {
        try whilePaused {
            try on(context) {
                let request = NSBatchUpdateRequest(entityName: "Author")
                request.propertiesToUpdate = ["name": "z"]
                try context.execute(request)
            }
            try expectEqual(names(), ["z"])
        }
    }

    @Test("After a conflict a fetch finds what the object was in conflict with")
    func afterAConflictAFetch() throws {
        try whilePaused {
            try on(other) {
                try other.one("Author", "a").setValue("new", forKey: "name")
                try other.save()
            }
            try on(context) {
                let author = try context.one("Author", "a")
                author.setValue("mine", forKey: "name")
                let error = try requireValue(thrownError { try context.save() })
                expectEqual(error.code, NSManagedObjectMergeError)
                context.rollback()
                context.reset()
                try expectEqual(context.names("Author"), ["new"])
            }
        }
    }

    @Test("After the notice of another process a fetch finds its save")
    func afterTheNoticeOfAnother() throws {
        let options: [AnyHashable: Any] = [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
        let writer = try Self.makeContext(server.url("\(schema)n"), options)
        let reader = try Self.makeContext(server.url("\(schema)n&replicas=\(replica.host)"), options)
        let signals = Signals()
        let observation = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: reader.persistentStoreCoordinator, queue: nil
        ) { _ in signals.add("changed") }
        defer { NotificationCenter.default.removeObserver(observation) }
        try whilePaused {
            try Self.insert("b", writer)
            #expect(signals.wait { !$0.isEmpty })
            try expectEqual(reader.performAndWait { try reader.names("Author") }, ["b"])
        }
    }

    @Test("A reader of the history on a replica misses no transaction that began earlier and ends later")
    func historyOnAReplica() throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let writer = try Self.makeContext(server.url("\(schema)h"), options)
        try Self.insert("first", writer)
        let name = String(schema.dropFirst("schema=".count) + "h")
        let earlier = try server.connect()
        defer { earlier.close() }
        try earlier.begin()
        _ = try earlier.execute("SELECT \(PostgreSQLHistoryTables.lockCall(schema: name))")
        // The replica knows the transaction once it has written something.
        _ = try earlier.execute(
            """
            INSERT INTO "\(name)".z_transaction (z_number, z_time, z_author)
            VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'earlier')
            """)
        try Self.insert("second", writer)
        try catchUp()
        let url = URL(string: "\(replica.url.absoluteString)&\(schema)h") ?? replica.url
        let reader = try Self.makeContext(
            url, [NSPersistentHistoryTrackingKey: true, NSReadOnlyPersistentStoreOption: true])
        func transactions(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
            try reader.performAndWait {
                let result = try reader.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
                return (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
            }
        }
        let found = try transactions(after: nil)
        expectEqual(found.count, 1)
        try earlier.commit()
        try catchUp()
        let later = try transactions(after: found.last?.token)
        expectEqual(later.map { $0.author ?? "" }, ["earlier", ""])
    }

    @Test("Without its replica a store reads from the server")
    func withoutItsReplicaAStore() throws {
        try catchUp()
        try expectEqual(names(), ["a"])
        try replica.stop(.immediate)
        defer { try? replica.start() }
        try expectEqual(names(), ["a"])
        try Self.insert("b", other)
        try expectEqual(names(), ["a", "b"])
        // Its opening doesn't need the replica, either.
        let later = try Self.makeContext(server.url("\(schema)&replicas=\(replica.host)"))
        try expectEqual(later.performAndWait { try later.names("Author") }, ["a", "b"])
    }

    @Test("Objects of a fetch from a replica have the newest values of their relationships' objects")
    func objectsOfAFetch() throws {
        try on(other) {
            other.make("Book", "One", ["author": try other.one("Author", "a")])
            try other.save()
        }
        try whilePaused {
            try on(other) {
                try other.one("Author", "a").setValue("new", forKey: "name")
                try other.save()
            }
            try on(context) {
                let book = try context.one("Book", "One")
                expectEqual(book.object("author")?.text("name"), "new")
            }
        }
    }
}

/// The replicas that a URL names.
@Suite struct ReplicaLocationTests {
    @Test("A list of replicas that is none is an error", arguments: ["", "a:b", "a,,b", "[::1", "a:123456"])
    func aListOfReplicas(_ list: String) throws {
        let error = try requireError {
            _ = try PostgreSQLLocation(url: URL(string: "postgresql:///db?host=/tmp&replicas=\(list)")!)
        }
        expectEqual(error.code, NSPersistentStoreOpenError)
        expectEqual(error.localizedFailureReason?.contains("replicas"), true)
    }

    @Test("Replicas are connected to like the server, but for host and port")
    func replicasAreConnectedToLike() throws {
        let url = "postgresql://app:secret@main:5433/shop?schema=s&replicas=one,two:6000,[::1]:7,/run/pg"
        let location = try PostgreSQLLocation(url: try requireValue(URL(string: url)))
        expectEqual(location.replicas.map { $0.items["host"] }, ["one", "two", "::1", "/run/pg"])
        expectEqual(location.replicas.map { $0.items["port"] }, [nil, "6000", "7", nil])
        for replica in location.replicas {
            expectEqual(replica.items["user"], "app")
            expectEqual(replica.items["target_session_attrs"], "any")
            expectEqual(replica.schema, "s")
        }
        expectEqual(location.replicas.map { $0.items["sslmode"] }, ["verify-full", "verify-full", "verify-full", nil])
        #expect(!"\(location.publicURL)".contains("secret"))
    }
}
