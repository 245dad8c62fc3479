import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Saves whose COMMIT isn't answered, on servers that don't tell at once what became of it.
@Suite("A COMMIT without an answer", .enabled(if: TestServer.isPresent))
struct LostCommitTests {
    /// A store behind a proxy.
    private final class Library {
        let proxy: TestProxy
        let context: NSManagedObjectContext
        let store: PostgreSQLStore

        init(_ url: URL, _ proxy: TestProxy) throws {
            self.proxy = proxy
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            store = try #require(
                try coordinator.addPersistentStore(
                    ofType: NSPostgreSQLStoreType, configurationName: nil, at: proxy.url(url)) as? PostgreSQLStore)
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        /// A store on a server of the test's own.
        convenience init(_ server: PrivateServer, _ items: String = "schema=shop") throws {
            try self.init(server.url(items), TestProxy(server: "\(server.host)/.s.PGSQL.5432"))
        }

        deinit {
            proxy.passAll()
            try? context.persistentStoreCoordinator?.remove(store)
            proxy.stop()
        }

        func setLimits(_ change: (inout PostgreSQLLimits) -> Void) throws {
            try store.requireOpen().limits.withLock { change(&$0) }
        }

        func save(_ name: String) -> NSError? {
            context.performAndWait {
                context.make("Book", name)
                let error = thrownError { try context.save() }
                if error != nil { context.rollback() }
                return error
            }
        }

        func names() throws -> [String] {
            try context.performAndWait {
                context.reset()
                return try context.names("Book")
            }
        }
    }

    @Test("A COMMIT that waits for a synchronous replica is ended after a while: the save has happened, once")
    func synchronousReplica() throws {
        let server = try PrivateServer()
        let library = try Library(server)
        #expect(library.save("a") == nil)
        try library.setLimits { $0.runningCommit = 0.1 }
        try server.execute(
            "ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()", "SELECT pg_sleep(0.2)")
        library.proxy.cut(.after) { $0.isCommit }
        #expect(library.save("b") == nil)
        library.proxy.passAll()
        #expect(library.proxy.cutCount == 1)
        try #expect(library.names() == ["a", "b"])
    }

    @Test("A COMMIT that the server hasn't ended is ended with its transaction: the save throws, and never happens")
    func runningCommit() throws {
        // A cluster has no triggers of the test's own.
        if TestServer.cluster.isCluster { return }
        let database = try TestDatabase()
        let library = try Library(database.url(), TestProxy())
        let schema = database.schema("store")
        #expect(library.save("a") == nil)
        try library.setLimits { $0.runningCommit = 0.1 }
        try database.execute(
            """
            CREATE FUNCTION \(schema).hold() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_advisory_xact_lock(hashtext('\(schema)'), 7); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON \(schema).zbook DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION \(schema).hold()
            """)
        let other = try TestServer.connect()
        defer { other.close() }
        try other.executeScript("BEGIN; SELECT pg_advisory_xact_lock(hashtext('\(schema)'), 7)")
        library.proxy.cut(.after) { $0.isCommit }
        let error = try #require(library.save("b"))
        library.proxy.passAll()
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.fileWriteUnknown.rawValue)
        #expect(error.userInfo[PostgreSQLError.stateKey] as? String != PostgreSQLFailure.State.unknownOutcome)
        let waiting = try other.execute(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = hashtext('\(schema)')::oid AND NOT granted")
        #expect(waiting.rowCount == 0, "No transaction waits to commit.")
        try other.rollback()
        try #expect(library.names() == ["a"])
        #expect(library.save("c") == nil)
    }

    @Test("A server that is away for longer than a wait for a connection tells afterwards that the save has happened")
    func restartedServer() throws {
        nonisolated(unsafe) let server = try PrivateServer()
        let library = try Library(server, "schema=shop&pool_timeout=0.001")
        #expect(library.save("a") == nil)
        let signals = Signals()
        var isDone = false
        library.proxy.cut { message in
            guard message.isCommitted, !isDone else { return nil }
            isDone = true
            signals.add((try? server.stop(.fast)) == nil ? "not stopped" : "stopped")
            Thread.detachNewThread { signals.add((try? server.start()) == nil ? "not started" : "started") }
            return .before
        }
        #expect(library.save("b") == nil)
        #expect(signals.wait { $0.count == 2 })
        #expect(signals.all == ["stopped", "started"])
        try #expect(library.names() == ["a", "b"])
    }

    @Test("A server that doesn't come back leaves the outcome unknown, and the error says so")
    func unknownOutcome() throws {
        let server = try PrivateServer()
        let library = try Library(server)
        #expect(library.save("a") == nil)
        try library.setLimits { $0.lostCommit = 0.2 }
        var isDone = false
        library.proxy.cut { message in
            guard message.isCommitted, !isDone else { return nil }
            isDone = true
            try? server.stop(.fast)
            return .before
        }
        let error = try #require(library.save("b"))
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.fileWriteUnknown.rawValue)
        #expect(error.userInfo[PostgreSQLError.stateKey] as? String == "08007")
        #expect(error.localizedDescription.contains("outcome is unknown"))
        #expect(error.localizedDescription.contains("look whether the changes are in the store"))
        try server.start()
        try #expect(library.names() == ["a", "b"])
    }
}
