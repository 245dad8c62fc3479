/// A connection of a pool: one of its own, or with what its user keeps with it.
protocol PostgreSQLPooledConnection: AnyObject, SendableMetatype {
    var connection: PostgreSQLConnection { get }
}

extension PostgreSQLConnection: PostgreSQLPooledConnection {
    package var connection: PostgreSQLConnection { self }
}

/// The connections of a store. Any thread takes one for some statements and gives it back.
///
/// The connection that was given back last is taken first, so that those a smaller load doesn't need grow idle and are
/// closed. All state is owned by the lock of the condition.
final class PostgreSQLConnectionPool<Pooled: PostgreSQLPooledConnection>: @unchecked Sendable {
    let location: PostgreSQLLocation
    let maximumSize: Int
    let timeout: TimeInterval
    let maximumAge: TimeInterval
    let maximumIdleTime: TimeInterval
    /// Runs once for each new connection.
    private let prepare: @Sendable (PostgreSQLConnection) throws -> Pooled

    private struct Idle {
        let pooled: Pooled
        let since: ContinuousClock.Instant
    }

    let statistics: ConnectionStatistics
    private let condition = NSCondition()
    private var idle: [Idle] = []
    private var openCount = 0
    private var isClosed = false
    private var isSweepPlanned = false

    /// Makes a pool without connections. They are made when they are needed.
    ///
    /// - Parameters:
    ///   - location: the server.
    ///   - maximumSize: the largest number of connections; by default the location's.
    ///   - timeout: how many seconds a thread waits for a free connection; by default the location's.
    ///   - maximumAge: after how many seconds a connection is replaced.
    ///   - maximumIdleTime: after how many seconds an idle connection is closed.
    ///   - statistics: gets the time of waits for a free connection.
    ///   - prepare: runs once for each new connection.
    init(
        _ location: PostgreSQLLocation, maximumSize: Int? = nil, timeout: TimeInterval? = nil,
        maximumAge: TimeInterval = 3600, maximumIdleTime: TimeInterval = 300,
        statistics: ConnectionStatistics = ConnectionStatistics(),
        prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Pooled
    ) {
        self.location = location
        self.maximumSize = maximumSize ?? location.poolSize
        self.timeout = timeout ?? location.poolTimeout
        self.maximumAge = maximumAge
        self.maximumIdleTime = maximumIdleTime
        self.statistics = statistics
        self.prepare = prepare
    }

    deinit { close() }

    /// Runs a body with a connection that no other thread has meanwhile.
    ///
    /// A transaction that the body leaves open is rolled back. A body that takes a second connection can block all
    /// others: then the timeout ends it.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) if no connection becomes free in time, `PostgreSQLFailure` if
    ///   none can be made, and what the body throws.
    func withConnection<Result>(_ body: (Pooled) throws -> Result) throws -> Result {
        let pooled = try checkOut()
        do {
            let result = try body(pooled)
            checkIn(pooled)
            return result
        } catch {
            checkIn(pooled, after: error)
            throw error
        }
    }

    /// Takes a connection out of the pool, for work that outlasts a function, such as a snapshot that stays open.
    ///
    /// - Throws: as `withConnection(_:)`.
    func checkOut() throws -> Pooled {
        let end = ContinuousClock.now + .seconds(timeout)
        while let pooled = try takeIdle(until: end) {
            if !isTooOld(pooled.connection), pooled.connection.isAlive { return pooled }
            forget(pooled.connection)
        }
        // The place of the new connection is reserved.
        do {
            return try prepare(PostgreSQLConnection(location))
        } catch {
            forget(nil)
            throw error
        }
    }

    /// Gives a connection of `checkOut()` back. A transaction that is open is rolled back.
    ///
    /// - Parameters:
    ///   - pooled: the connection. It isn't used afterwards.
    ///   - isSpoiled: whether it must not be used for other work.
    func checkIn(_ pooled: Pooled, isSpoiled: Bool = false) {
        let connection = pooled.connection
        if !isSpoiled, connection.isUsable, connection.transactionStatus != .idle { try? connection.rollback() }
        let isGood =
            !isSpoiled && connection.isUsable && connection.transactionStatus == .idle && !isTooOld(connection)
        let isKept = condition.withLock {
            guard isGood, !isClosed else { return false }
            idle.append(Idle(pooled: pooled, since: .now))
            planSweep()
            condition.broadcast()
            return true
        }
        if !isKept { forget(connection) }
    }

    /// Gives a connection back after its work has ended, perhaps with an error.
    func checkIn(_ pooled: Pooled, after error: (any Error)?) {
        checkIn(pooled, isSpoiled: (error as? PostgreSQLFailure)?.spoilsConnection ?? false)
    }

    /// How many connections there are, in use or idle.
    var connectionCount: Int { condition.withLock { openCount } }

    var idleCount: Int { condition.withLock { idle.count } }

    /// Closes the idle connections; those in use are closed when they are given back. No further one is given.
    func close() {
        discard {
            isClosed = true
            condition.broadcast()
            return takeAllIdle()
        }
    }

    /// Closes the idle connections. Further ones are made when they are needed.
    func closeIdleConnections() { discard { takeAllIdle() } }
}

extension PostgreSQLConnectionPool {
    private func isTooOld(_ connection: PostgreSQLConnection) -> Bool {
        ContinuousClock.now - connection.openedAt >= .seconds(maximumAge)
    }

    /// The idle connection that was used last, or nil if a new one may be made: its place then is reserved.
    private func takeIdle(until end: ContinuousClock.Instant) throws -> Pooled? {
        condition.lock()
        var waits = false
        defer {
            condition.unlock()
            if waits { statistics.recordWait(since: end - .seconds(timeout)) }
        }
        while true {
            if isClosed { throw PostgreSQLError.poolClosed(location.publicURL) }
            if let last = idle.popLast() { return last.pooled }
            if openCount < maximumSize {
                openCount += 1
                return nil
            }
            // The date of the wait is one of the wall clock, which may be set: the end is not.
            let rest = ContinuousClock.now.duration(to: end) / .seconds(1)
            guard rest > 0 else {
                throw PostgreSQLError.poolTimeout(location.publicURL, maximum: maximumSize, timeout: timeout)
            }
            waits = true
            _ = condition.wait(until: Date(timeIntervalSinceNow: min(rest, 1)))
        }
    }

    /// Closes a connection that is in use, and frees its place.
    private func forget(_ connection: PostgreSQLConnection?) {
        connection?.close()
        condition.withLock {
            openCount -= 1
            condition.broadcast()
        }
    }

    /// Closes what a body takes out of the idle connections under the lock. The closing itself sends something.
    private func discard(_ body: () -> [Idle]) {
        let taken = condition.withLock {
            let taken = body()
            openCount -= taken.count
            if !taken.isEmpty { condition.broadcast() }
            return taken
        }
        for item in taken { item.pooled.connection.close() }
    }

    private func takeAllIdle() -> [Idle] {
        defer { idle.removeAll() }
        return idle
    }

    /// Plans the closing of the connections that have been idle for long. Called under the lock.
    private func planSweep() {
        guard !isSweepPlanned, let first = idle.first else { return }
        isSweepPlanned = true
        let rest = maximumIdleTime - (ContinuousClock.now - first.since) / .seconds(1)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + max(rest, 0) + 0.01) { [weak self] in
            self?.sweep()
        }
    }

    private func sweep() {
        discard {
            isSweepPlanned = false
            let limit = ContinuousClock.now - .seconds(maximumIdleTime)
            // The oldest are first.
            let count = idle.prefix { $0.since <= limit }.count
            let old = Array(idle.prefix(count))
            idle.removeFirst(count)
            planSweep()
            return old
        }
    }
}
