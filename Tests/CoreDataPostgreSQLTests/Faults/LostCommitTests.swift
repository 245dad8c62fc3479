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
        let store: PostgreSQLDatabase

        init(_ url: URL, _ proxy: TestProxy, options: [AnyHashable: Any]? = nil) throws {
            self.proxy = proxy
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            store = try requireValue(
                try coordinator.addPersistentStore(
                    ofType: NSPostgreSQLStoreType, configurationName: nil, at: proxy.url(url), options: options)
                    as? PostgreSQLStore
            ).database
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        /// A store on a server of the test's own.
        convenience init(
            _ server: PrivateServer, _ items: String = "schema=shop", options: [AnyHashable: Any]? = nil
        ) throws {
            try self.init(
                server.url(items), TestProxy(server: "\(server.host)/.s.PGSQL.5432"), options: options)
        }

        deinit {
            proxy.passAll()
            try? context.persistentStoreCoordinator?.remove(requireValue(store.identity.store))
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

        /// Changes the names of all books.
        func rename(_ name: String) -> NSError? {
            context.performAndWait {
                let error = thrownError {
                    for book in try context.all("Book") { book.setValue(name, forKey: "name") }
                    try context.save()
                }
                if error != nil { context.rollback() }
                return error
            }
        }

        /// Changes the names of all books by a batch request.
        func renameTogether(_ name: String) -> NSError? {
            let request = NSBatchUpdateRequest(entityName: "Book")
            request.propertiesToUpdate = ["name": name]
            return context.performAndWait { thrownError { try context.execute(request) } }
        }

        /// Runs a block when the server answers the next COMMIT, and cuts the connection before the answer.
        func beforeAnswer(_ body: @escaping () throws -> Void) { before({ $0.isCommitted }, body) }

        /// Runs a block when the next message comes that matches, and cuts the connection before it.
        func before(_ matches: @escaping (TestProxy.Message) -> Bool, _ body: @escaping () throws -> Void) {
            var isDone = false
            proxy.cut { message in
                guard !isDone, matches(message) else { return nil }
                isDone = true
                if let error = thrownError(body) { Issue.record(error) }
                return .before
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
        expectEqual(library.save("a"), nil)
        try library.setLimits { $0.runningCommit = 0.1 }
        try server.execute(
            "ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()", "SELECT pg_sleep(0.2)")
        library.proxy.cut(.after) { $0.isCommit }
        expectEqual(library.save("b"), nil)
        library.proxy.passAll()
        expectEqual(library.proxy.cutCount, 1)
        try expectEqual(library.names(), ["a", "b"])
    }

    @Test("A COMMIT that the server hasn't ended is ended with its transaction: the save throws, and never happens")
    func runningCommit() throws {
        // A cluster has no triggers of the test's own.
        if TestServer.cluster.isCluster { return }
        let database = try TestDatabase()
        let library = try Library(database.url(), TestProxy())
        let schema = database.schema("store")
        expectEqual(library.save("a"), nil)
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
        let error = try requireValue(library.save("b"))
        library.proxy.passAll()
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, CocoaError.fileWriteUnknown.rawValue)
        #expect(error.userInfo[PostgreSQLError.stateKey] as? String != PostgreSQLFailure.State.unknownOutcome)
        let waiting = try other.execute(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = hashtext('\(schema)')::oid AND NOT granted")
        expectEqual(waiting.rowCount, 0, "No transaction waits to commit.")
        try other.rollback()
        try expectEqual(library.names(), ["a"])
        expectEqual(library.save("c"), nil)
    }

    @Test("A server that is away for longer than a wait for a connection tells afterwards that the save has happened")
    func restartedServer() throws {
        nonisolated(unsafe) let server = try PrivateServer()
        let library = try Library(server, "schema=shop&pool_timeout=0.001")
        expectEqual(library.save("a"), nil)
        let signals = Signals()
        library.beforeAnswer {
            try server.stop(.fast)
            Thread.detachNewThread { signals.add((try? server.start()) == nil ? "not started" : "started") }
        }
        expectEqual(library.save("b"), nil)
        #expect(signals.wait { !$0.isEmpty })
        expectEqual(signals.all, ["started"])
        try expectEqual(library.names(), ["a", "b"])
    }

    @Test("A server that doesn't come back leaves the outcome unknown, and the error says so")
    func unknownOutcome() throws {
        let server = try PrivateServer()
        let library = try Library(server)
        expectEqual(library.save("a"), nil)
        try library.setLimits { $0.lostCommit = 0.2 }
        library.beforeAnswer { try server.stop(.fast) }
        let error = try requireValue(library.save("b"))
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, CocoaError.fileWriteUnknown.rawValue)
        #expect(error.userInfo[PostgreSQLError.stateKey] as? String == "08007")
        expectContains(error.localizedDescription, "outcome is unknown")
        expectContains(error.localizedDescription, "look whether the changes are in the store")
        try server.start()
        try expectEqual(library.names(), ["a", "b"])
    }

    // MARK: Crashes

    @Test("A batch request happens once, though the question for the run of the server is cut, too")
    func questionForRun() throws {
        // A cluster has no table of its run.
        if TestServer.cluster.isCluster { return }
        let database = try TestDatabase()
        let library = try Library(database.url(), TestProxy())
        expectEqual(library.save("a"), nil)
        var step = 0
        library.proxy.cut { message in
            let isQuestion = message.sender == .client && message.type == "P" && message.contains("z_run")
            guard step == 0 ? message.isCommitted : step == 1 && isQuestion else { return nil }
            step += 1
            return .before
        }
        expectEqual(library.renameTogether("b"), nil)
        library.proxy.passAll()
        expectEqual(library.proxy.cutCount, 2)
        try expectEqual(library.names(), ["b"])
    }

    @Test("A batch request whose server crashes behind its COMMIT has happened", arguments: [false, true])
    func batchBeforeCrash(_ hasHistory: Bool) throws {
        let server = try PrivateServer()
        let library = try Library(server, options: [NSPersistentHistoryTrackingKey: hasHistory])
        expectEqual(library.save("a"), nil)
        library.beforeAnswer {
            try server.stop(.immediate)
            try server.start()
        }
        expectEqual(library.renameTogether("b"), nil)
        expectEqual(library.proxy.cutCount, 1)
        try expectEqual(library.names(), ["b"])
        let rows = (0..<3).map { ["name": "c\($0)"] as [String: Any] }
        library.beforeAnswer {
            try server.stop(.immediate)
            try server.start()
        }
        try on(library.context) {
            try library.context.execute(NSBatchInsertRequest(entityName: "Book", objects: rows))
        }
        expectEqual(library.proxy.cutCount, 2)
        try expectEqual(library.names(), ["b", "c0", "c1", "c2"])
    }

    @Test(
        "A save whose server crashes behind its COMMIT has happened, though another program has changed its row since",
        arguments: [false, true])
    func changedRow(_ hasHistory: Bool) throws {
        let server = try PrivateServer()
        let library = try Library(server, options: [NSPersistentHistoryTrackingKey: hasHistory])
        expectEqual(library.save("a"), nil)
        library.beforeAnswer {
            try server.stop(.immediate)
            try server.start()
            try server.execute("UPDATE shop.zbook SET zname = 'c', z_opt = z_opt + 1 WHERE zname = 'b'")
        }
        expectEqual(library.rename("b"), nil)
        expectEqual(library.proxy.cutCount, 1)
        try expectEqual(library.names(), ["c"])
    }

    @Test("Keys whose reservation a crash has taken back are not used")
    func lostReservation() throws {
        let server = try PrivateServer()
        // The log is written by commits alone, so that the reservation of a save that doesn't commit is lost.
        try server.execute("ALTER SYSTEM SET wal_writer_delay = '10s'", "SELECT pg_reload_conf()")
        let other = try Library(server)
        let library = try Library(server)
        library.before({ $0.isCommit }) {
            try server.stop(.immediate)
            try server.start()
        }
        #expect(library.save("lost") != nil)
        expectEqual(library.proxy.cutCount, 1)
        for name in ["a", "b", "c"] { expectEqual(other.save(name), nil) }
        for name in ["d", "e"] { expectEqual(library.save(name), nil) }
        try expectEqual(library.names(), ["a", "b", "c", "d", "e"])
    }
}
