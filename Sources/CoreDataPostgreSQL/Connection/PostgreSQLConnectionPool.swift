// SPDX-License-Identifier: Apache-2.0

/// An element of a pool: a connection, or a session that wraps a connection.
protocol PostgreSQLPooledConnection: AnyObject, SendableMetatype {
    var connection: PostgreSQLConnection { get }
}

extension PostgreSQLConnection: PostgreSQLPooledConnection {
    var connection: PostgreSQLConnection { self }
}

/// The connections of a store. Any thread takes one for some statements and gives it back.
///
/// The connection that was given back last is taken first. So the connections that a smaller load doesn't need stay
/// idle, and are closed. Threads that wait for a connection get one in their order. The mutex guards all state.
final class PostgreSQLConnectionPool<Pooled: PostgreSQLPooledConnection>: Sendable {
    let location: PostgreSQLLocation
    let maximumSize: Int
    let timeout: TimeInterval
    let maximumAge: TimeInterval
    let maximumIdleTime: TimeInterval
    /// Gets the times of waits for a connection.
    let statistics: ConnectionStatistics
    /// Runs once for each new connection.
    private let prepare: @Sendable (PostgreSQLConnection) throws -> Pooled

    private let state = Locked(PoolState())

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

    /// Runs a body with a connection that no other thread uses until the body returns.
    ///
    /// A transaction that the body leaves open is rolled back. Bodies that take a second connection can block each
    /// other: then the timeout ends the wait.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) if no connection becomes free in time, `NSUserCancelledError`
    ///   (3072) if the current task is cancelled before, `PostgreSQLFailure` if no connection can be made, and the
    ///   errors of the body.
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
        if let control = FetchControl.current, control.isCancelled { throw control.cancelledError }
        let end = ContinuousClock.now + .seconds(timeout)
        if let pooled = try takeIdle(until: end) {
            if !isTooOld(pooled.connection), pooled.connection.isAlive { return pooled }
            pooled.connection.close()
        }
        // The new connection has a reserved place in the pool, or takes the place of the closed connection.
        do {
            return try prepare(PostgreSQLConnection(location))
        } catch {
            forget(nil)
            throw error
        }
    }

    /// A new connection outside of the pool, for a thread that has lost its connection. The caller closes it.
    ///
    /// - Throws: `PostgreSQLFailure` if none can be made.
    func makeReplacement() throws -> Pooled { try prepare(PostgreSQLConnection(location)) }

    /// Gives a connection of `checkOut()` back. A transaction that is open is rolled back.
    ///
    /// - Parameters:
    ///   - pooled: the connection. It isn't used afterwards.
    ///   - isSpoiled: whether it must not be used for other work.
    func checkIn(_ pooled: Pooled, isSpoiled: Bool = false) {
        let connection = pooled.connection
        let isSpoiled = isSpoiled || connection.mayGetCancellation || connection.mayKeepLock
        if !isSpoiled, connection.isUsable, connection.transactionStatus != .idle { try? connection.rollback() }
        let isGood =
            !isSpoiled && connection.isUsable && connection.transactionStatus == .idle && !isTooOld(connection)
        let item = IdleConnection(pooled: pooled, since: .now)
        let isKept = isGood && state.withLock { state in state.give(item) }
        if isKept { planSweep() } else { forget(connection) }
    }

    /// Gives a connection back after its work has ended, perhaps with an error.
    func checkIn(_ pooled: Pooled, after error: (any Error)?) {
        checkIn(pooled, isSpoiled: (error as? PostgreSQLFailure)?.spoilsConnection ?? false)
    }

    /// How many connections there are, in use or idle.
    var connectionCount: Int { state.withLock { $0.openCount } }

    var idleCount: Int { state.withLock { $0.idle.count } }

    /// How many threads wait for a connection.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Closes the idle connections. Connections in use are closed when they are given back. No further one is given.
    func close() {
        let taken = state.withLock { state in
            state.isClosed = true
            // Some of them have got an answer already: a timeout, or a cancellation.
            for waiter in state.waiting.popAll() where waiter.gift == nil { waiter.receive(.nothing(.closing)) }
            return state.takeIdle(state.idle.count)
        }
        for item in taken { item.pooled.connection.close() }
    }

    /// Closes the idle connections. Further ones are made when they are needed.
    func closeIdleConnections() {
        let taken = state.withLock { state in state.takeIdle(state.idle.count) }
        for item in taken { item.pooled.connection.close() }
    }
}

extension PostgreSQLConnectionPool {
    private func isTooOld(_ connection: PostgreSQLConnection) -> Bool {
        ContinuousClock.now - connection.openedAt >= .seconds(maximumAge)
    }

    /// All connections of the pool have the class `Pooled`.
    private func pooled(_ idle: IdleConnection) -> Pooled { unsafeDowncast(idle.pooled, to: Pooled.self) }

    /// The idle connection that was used last, or nil if a new one may be made: its place then is reserved.
    private func takeIdle(until end: ContinuousClock.Instant) throws -> Pooled? {
        let gift =
            switch state.withLock({ $0.take(maximumSize: maximumSize) }) {
            case .gift(let gift): gift
            case .wait(let waiter): try self.gift(waiter, until: end)
            }
        switch gift {
        case .connection(let idle): return pooled(idle)
        case .place: return nil
        case .nothing(.closing): throw PostgreSQLError.poolClosed(location.publicURL)
        case .nothing: throw PostgreSQLError.poolTimeout(location.publicURL, maximum: maximumSize, timeout: timeout)
        }
    }

    /// The connection or place that a thread gets, or the reason why it gets none.
    ///
    /// - Throws: `NSUserCancelledError` (3072) if the current task is cancelled.
    private func gift(_ waiter: PoolWaiter, until end: ContinuousClock.Instant) throws -> PoolGift {
        let begin = ContinuousClock.now
        defer { statistics.recordWait(since: begin) }
        func wait() -> PoolGift {
            let rest = max(0, ContinuousClock.now.duration(to: end) / .seconds(1))
            if waiter.group.wait(timeout: .now() + min(rest, 1e9)) == .timedOut { refuse(waiter, .timeout) }
            return state.withLock { _ in waiter.gift } ?? .nothing(.timeout)
        }
        guard let control = FetchControl.current else { return wait() }
        do {
            return try control.interruptible(by: { [self] in refuse(waiter, .cancellation) }) {
                let gift = wait()
                if case .nothing(.cancellation) = gift { throw control.cancelledError }
                return gift
            }
        } catch {
            // The cancellation may have come before the thread has begun to wait.
            refuse(waiter, .cancellation)
            switch state.withLock({ _ in waiter.gift }) {
            case .connection(let idle)?: checkIn(pooled(idle))
            case .place?: forget(nil)
            case .nothing?, nil: break
            }
            throw error
        }
    }

    /// Ends the waiting of a thread that has got nothing yet.
    private func refuse(_ waiter: PoolWaiter, _ reason: PoolRefusal) {
        state.withLock { _ in
            if waiter.gift == nil { waiter.receive(.nothing(reason)) }
        }
    }

    /// Closes a connection that is in use, and frees its place.
    private func forget(_ connection: PostgreSQLConnection?) {
        connection?.close()
        state.withLock { state in
            if let waiter = state.popWaiter() { waiter.receive(.place) } else { state.openCount -= 1 }
        }
    }

    /// Plans the closing of the connections that have been idle for long.
    private func planSweep() {
        let rest = state.withLock { state -> TimeInterval? in
            guard !state.isSweepPlanned, let first = state.idle.first else { return nil }
            state.isSweepPlanned = true
            return maximumIdleTime - (ContinuousClock.now - first.since) / .seconds(1)
        }
        guard let rest else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + max(rest, 0) + 0.01) { [weak self] in
            self?.sweep()
        }
    }

    private func sweep() {
        let limit = ContinuousClock.now - .seconds(maximumIdleTime)
        let taken = state.withLock { state in
            state.isSweepPlanned = false
            // The oldest are first.
            return state.takeIdle(state.idle.prefix { $0.since <= limit }.count)
        }
        for item in taken { item.pooled.connection.close() }
        planSweep()
    }
}

// The state of a pool doesn't depend on the class of its connections: values of generic types are slower to move.

private struct IdleConnection: @unchecked Sendable {
    // Unchecked: only the thread that has taken it uses the connection.
    let pooled: any PostgreSQLPooledConnection
    let since: ContinuousClock.Instant
}

/// A connection, or a place for one, that a waiting thread gets.
private enum PoolGift {
    case connection(IdleConnection)
    /// The place of a connection, which the thread makes.
    case place
    case nothing(PoolRefusal)
}

private enum PoolRefusal { case timeout, cancellation, closing }

/// The answer to a thread that asks for a connection.
private enum PoolAnswer {
    case gift(PoolGift)
    case wait(PoolWaiter)
}

/// A thread that waits for a connection.
private final class PoolWaiter: @unchecked Sendable {
    /// Entered while the thread waits.
    let group = DispatchGroup()
    /// Nil while the thread waits. The mutex of the pool guards it.
    var gift: PoolGift?
}

private struct PoolState {
    var idle: [IdleConnection] = []
    var openCount = 0
    var isClosed = false
    var isSweepPlanned = false
    var waiting = FirstInFirstOut<PoolWaiter>()
}

extension PoolWaiter {
    /// Ends the waiting. Called under the mutex of the pool, once.
    fileprivate func receive(_ gift: PoolGift) {
        self.gift = gift
        group.leave()
    }
}

extension PoolState {
    /// The thread that has waited longest.
    fileprivate mutating func popWaiter() -> PoolWaiter? {
        if isClosed { return nil }
        while let waiter = waiting.popFirst() { if waiter.gift == nil { return waiter } }
        return nil
    }

    /// Gives a thread a connection or a place for one; without them it waits in its turn.
    fileprivate mutating func take(maximumSize: Int) -> PoolAnswer {
        if isClosed { return .gift(.nothing(.closing)) }
        if let last = idle.popLast() { return .gift(.connection(last)) }
        if openCount < maximumSize {
            openCount += 1
            return .gift(.place)
        }
        let waiter = PoolWaiter()
        waiter.group.enter()
        waiting.append(waiter)
        return .wait(waiter)
    }

    /// Gives a connection to the thread that has waited longest, or keeps it.
    ///
    /// - Returns: false for a pool that was closed.
    fileprivate mutating func give(_ item: IdleConnection) -> Bool {
        if isClosed { return false }
        if let waiter = popWaiter() { waiter.receive(.connection(item)) } else { idle.append(item) }
        return true
    }

    /// Takes the connections out that have been idle for longest. The caller closes them: that sends something.
    fileprivate mutating func takeIdle(_ count: Int) -> [IdleConnection] {
        defer { idle.removeFirst(count) }
        openCount -= count
        return Array(idle.prefix(count))
    }
}
