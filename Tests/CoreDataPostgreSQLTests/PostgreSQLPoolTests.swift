import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The connections of a store.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLPoolTests {
    private func pool(
        _ size: Int, timeout: TimeInterval = 30, age: TimeInterval = 3600, idle: TimeInterval = 300
    ) throws -> PostgreSQLConnectionPool<PostgreSQLConnection> {
        PostgreSQLConnectionPool(
            try TestServer.location(), maximumSize: size, timeout: timeout, maximumAge: age, maximumIdleTime: idle)
    }

    private func process(_ pool: PostgreSQLConnectionPool<PostgreSQLConnection>) throws -> Int32 {
        try pool.withConnection { $0.backendProcess }
    }

    @Test("A connection is used again")
    func aConnectionIsUsed() throws {
        let pool = try pool(3)
        expectEqual(pool.connectionCount, 0)
        let first = try process(pool)
        try expectEqual(process(pool), first)
        expectEqual(pool.connectionCount, 1)
        expectEqual(pool.idleCount, 1)
    }

    @Test("The connection that came back last is taken first")
    func theConnectionThatCame() throws {
        let pool = try pool(3)
        var inner: Int32 = 0
        let outer = try pool.withConnection { connection in
            inner = try process(pool)
            return connection.backendProcess
        }
        #expect(outer != inner)
        try expectEqual(process(pool), outer)
        try pool.withConnection { _ in try expectEqual(process(pool), inner) }
    }

    @Test("A wait for a connection ends with an error")
    func aWaitForAConnection() throws {
        let pool = try pool(1, timeout: 0.05)
        try pool.withConnection { _ in
            let error = try #require(throws: NSError.self) { try process(pool) }
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSPersistentStoreTimeoutError)
        }
        try #expect(process(pool) > 0)
    }

    @Test("A pool is closed after a wait has ended with an error, while a connection is in use")
    func aPoolIsClosed() throws {
        let pool = try pool(1, timeout: 0.05)
        let connection = try pool.checkOut()
        #expect(throws: NSError.self) { try process(pool) }
        pool.close()
        #expect(throws: NSError.self) { try process(pool) }
        pool.checkIn(connection)
        expectEqual(pool.connectionCount, 0)
    }

    @Test("A request of a cancelled task takes no connection, and spoils none")
    func aRequestOfACancelledTask() throws {
        let pool = try pool(2)
        let first = try process(pool)
        let control = FetchControl.ofTask()
        control.cancel()
        let error = FetchControl.withCurrent(control) { #expect(throws: NSError.self) { try process(pool) } }
        expectEqual(error?.code, CocoaError.userCancelled.rawValue)
        try expectEqual(process(pool), first)
        expectEqual(pool.connectionCount, 1)
    }

    @Test("A connection stays in the pool if its task was cancelled between its statements")
    func aTaskThatWasCancelledBetween() throws {
        let pool = try pool(1)
        let first = try pool.withConnection { connection in
            let control = FetchControl.ofTask()
            try connection.cancellable(control) { _ = try connection.execute("SELECT 1") }
            control.cancel()
            #expect(throws: NSError.self) {
                try connection.cancellable(control) { _ = try connection.execute("SELECT 1") }
            }
            return connection.backendProcess
        }
        try expectEqual(process(pool), first)
    }

    @Test("A thread that waits gets the connection that comes back")
    func aThreadThatWaits() throws {
        let pool = try pool(1)
        let signals = Signals()
        try pool.withConnection { connection in
            let process = connection.backendProcess
            Thread.detachNewThread {
                signals.add("started")
                let other = try? pool.withConnection { $0.backendProcess }
                signals.add(other == process ? "same" : "other")
            }
            #expect(signals.wait { $0 == ["started"] })
        }
        #expect(signals.wait { $0 == ["started", "same"] })
    }

    @Test("A wait for a connection is measured, and work without a wait isn't")
    func aWaitForAConnectionIsMeasured()
        throws
    {
        let pool = try pool(1)
        let signals = Signals()
        pool.statistics.observeWaits { signals.add($0 > .zero ? "waited" : "nothing") }
        _ = try process(pool)
        expectEmpty(signals.all)
        let other = Signals()
        try pool.withConnection { _ in
            Thread.detachNewThread {
                other.add("started")
                _ = try? pool.withConnection { $0.backendProcess }
                other.add("done")
            }
            #expect(other.wait { $0 == ["started"] })
            // The other thread waits until its time is over, or until the connection comes back.
            let short = PostgreSQLConnectionPool(
                pool.location, maximumSize: 1, timeout: 0.02, statistics: pool.statistics
            ) { $0 }
            _ = try short.withConnection { _ in
                #expect(throws: NSError.self) { try short.withConnection { _ in } }
            }
            expectContains(signals.all, "waited")
        }
        #expect(other.wait { $0 == ["started", "done"] })
    }

    @Test("Many threads share few connections")
    func manyThreadsShareFew() throws {
        let pool = try pool(3)
        let signals = Signals()
        for number in 0..<12 {
            Thread.detachNewThread {
                let sum = try? (0..<20).reduce(into: Int64(0)) { sum, step in
                    sum += try pool.withConnection { try $0.execute("SELECT \(step)")[0].int64(0) }
                }
                signals.add("\(number) \(sum == 190)")
            }
        }
        #expect(signals.wait { $0.count == 12 })
        #expect(signals.all.allSatisfy { $0.hasSuffix("true") })
        #expect(pool.connectionCount <= 3)
        expectEqual(pool.connectionCount, pool.idleCount)
    }

    @Test("A connection whose process was terminated is replaced")
    func aConnectionWhoseProcess() throws {
        let pool = try pool(2)
        let first = try process(pool)
        try TestServer.terminate(first, by: TestServer.connect())
        try #expect(process(pool) != first)
        expectEqual(pool.connectionCount, 1)
    }

    @Test("A connection that is lost in use is replaced")
    func aConnectionThatIsLost() throws {
        let pool = try pool(2)
        var first: Int32 = 0
        let failure = try #require(throws: PostgreSQLFailure.self) {
            try pool.withConnection { connection in
                first = connection.backendProcess
                try TestServer.terminate(first, by: TestServer.connect())
                try connection.execute("SELECT 1")
            }
        }
        expectTrue(failure.isConnectionLost)
        expectEqual(pool.connectionCount, 0)
        try #expect(process(pool) != first)
    }

    @Test("A connection to a server that only reads is thrown away")
    func aConnectionToAServer() throws {
        let pool = try pool(2)
        let failure = try #require(throws: PostgreSQLFailure.self) {
            try pool.withConnection { connection in
                try connection.executeScript("SET default_transaction_read_only = on")
                try connection.executeScript("CREATE TABLE never (a int)")
            }
        }
        expectEqual(failure.sqlState, "25006")
        expectEqual(pool.connectionCount, 0)
    }

    @Test("An ordinary error keeps the connection")
    func anOrdinaryErrorKeeps() throws {
        let pool = try pool(2)
        let first = try process(pool)
        #expect(throws: PostgreSQLFailure.self) { try pool.withConnection { _ = try $0.execute("SELECT 1 / 0") } }
        #expect(throws: TestFailure.self) { try pool.withConnection { _ in throw TestFailure("stop") } }
        try expectEqual(process(pool), first)
    }

    @Test("A transaction that was left open is rolled back")
    func aTransactionThatWas() throws {
        let pool = try pool(1)
        try pool.withConnection { connection in
            try connection.begin()
            try connection.executeScript("CREATE TEMPORARY TABLE t (a int)")
        }
        try pool.withConnection { connection in
            expectEqual(connection.transactionStatus, .idle)
            #expect(throws: PostgreSQLFailure.self) { try connection.execute("SELECT * FROM t") }
        }
    }

    @Test("A connection that was checked out is in use until it is checked in")
    func aConnectionThatWas() throws {
        let pool = try pool(1, timeout: 0)
        let connection = try pool.checkOut()
        try connection.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        #expect(throws: NSError.self) { try process(pool) }
        let backend = connection.backendProcess
        pool.checkIn(connection)
        try expectEqual(process(pool), backend)
        pool.checkIn(try pool.checkOut(), isSpoiled: true)
        expectEqual(pool.connectionCount, 0)
    }

    @Test("A connection that is too old is replaced")
    func aConnectionThatIsToo() throws {
        let pool = try pool(2, age: 0)
        let first = try process(pool)
        expectEqual(pool.idleCount, 0)
        try #expect(process(pool) != first)
    }

    @Test("An idle connection is closed")
    func anIdleConnectionIsClosed() throws {
        let pool = try pool(2, idle: 0)
        let process = try process(pool)
        let observer = try TestServer.connect()
        // The wait is the server's: it ends with the process.
        let text = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process)"
        let end = ContinuousClock.now + .seconds(30)
        while try observer.execute(text)[0].int64(0) > 0, ContinuousClock.now < end {}
        expectEqual(pool.connectionCount, 0)
        try expectEqual(observer.execute(text)[0].int64(0), 0)
    }

    @Test("Each new connection is prepared once")
    func eachNewConnectionIsPrepared() throws {
        let signals = Signals()
        let pool = PostgreSQLConnectionPool(try TestServer.location(), maximumSize: 2) { connection in
            signals.add("prepared")
            try connection.executeScript("SET search_path = pg_catalog")
            return connection
        }
        for _ in 0..<3 {
            try expectEqual(pool.withConnection { try $0.execute("SHOW search_path")[0].text(0) }, "pg_catalog")
        }
        expectEqual(signals.all, ["prepared"])
    }

    @Test("A failure to connect frees the place")
    func aFailureToConnect() throws {
        let pool = PostgreSQLConnectionPool(try TestServer.location("dbname=missing"), maximumSize: 1, timeout: 0)
        for _ in 0..<3 {
            try expectEqual(#require(throws: PostgreSQLFailure.self) { try process(pool) }.sqlState, "3D000")
        }
        expectEqual(pool.connectionCount, 0)
    }

    @Test("A closed pool gives no connection and keeps none")
    func aClosedPoolGives() throws {
        let pool = try pool(2)
        try pool.withConnection { _ in
            _ = try process(pool)
            pool.close()
            expectEqual(pool.connectionCount, 1)
        }
        expectEqual(pool.connectionCount, 0)
        #expect(throws: NSError.self) { try process(pool) }
    }

    @Test("Threads go on while their connections are terminated")
    func threadsGoOnWhile() throws {
        let application = "test-\(UInt32.random(in: 0 ... .max))"
        let pool = PostgreSQLConnectionPool(
            try TestServer.location("application_name=\(application)"), maximumSize: 3)
        let signals = Signals()
        for number in 0..<6 {
            Thread.detachNewThread {
                var good = 0
                var unexpected: [String] = []
                while good < 200 {
                    do {
                        try pool.withConnection { connection in
                            try connection.transaction {
                                try connection.read("SELECT generate_series(1, 200)")
                                try connection.execute("SELECT \(good)")
                            }
                        }
                        good += 1
                    } catch let failure as PostgreSQLFailure where failure.isConnectionLost {
                    } catch {
                        unexpected.append("\(error)")
                        if unexpected.count > 10 { break }
                    }
                }
                signals.add("\(number) \(unexpected)")
            }
        }
        let killer = try TestServer.connect()
        var parameters = PostgreSQLParameters()
        parameters.append(text: application)
        while signals.all.count < 6 {
            try killer.execute(
                """
                SELECT pg_terminate_backend(pid), pg_sleep(0.01) FROM pg_stat_activity WHERE application_name = $1
                LIMIT 1
                """, parameters)
        }
        expectEqual(signals.all.sorted(), (0..<6).map { "\($0) []" })
        expectEqual(pool.connectionCount, pool.idleCount)
        try #expect(process(pool) > 0)
    }
}
