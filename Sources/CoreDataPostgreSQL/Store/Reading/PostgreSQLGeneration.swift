// SPDX-License-Identifier: Apache-2.0

/// A query generation: a transaction that reads one snapshot until its end, on a connection of the pool.
///
/// The server keeps the rows of the snapshot while the transaction is open, and with them all rows that were deleted
/// since. The generation has its own row cache, because its rows may be older than the store's. The lock guards the
/// session, which goes back with the last reference to the generation, or when the store is removed.
final class PostgreSQLGeneration: PostgreSQLSource, @unchecked Sendable {
    let identity: StoreIdentity
    let rowCache = RowCache()
    let faultMonitor: PostgreSQLFaultMonitor
    /// The snapshot, as the server names it.
    let snapshot: String
    private let pool: PostgreSQLConnectionPool<PostgreSQLSession>
    private let lock = NSRecursiveLock()
    private var session: PostgreSQLSession?

    /// Takes a connection out of the pool.
    init(
        _ pool: PostgreSQLConnectionPool<PostgreSQLSession>, identity: StoreIdentity,
        faultMonitor: PostgreSQLFaultMonitor
    ) throws {
        self.pool = pool
        self.identity = identity
        self.faultMonitor = faultMonitor
        let session = try pool.checkOut()
        do {
            // A migration would take the rows of the snapshot away.
            try session.connection.executeScript(
                PostgreSQLModelLock.beginSnapshot(session.dialect, schema: pool.location.schema))
            let result = try session.connection.execute("SELECT pg_current_snapshot()::text")
            snapshot = result.rowCount > 0 ? result[0].text(0) : ""
            self.session = session
        } catch {
            pool.checkIn(session, isSpoiled: true)
            throw error
        }
    }

    deinit { close() }

    /// Ends the transaction and gives the connection back.
    func close() {
        let session = lock.withLock {
            defer { self.session = nil }
            return self.session
        }
        if let session { pool.checkIn(session) }
    }

    func read<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let session else { throw unreadable("Its store was removed from the coordinator.") }
        // After an error of the server the transaction reads no more.
        guard session.connection.isUsable, session.connection.transactionStatus == .inTransaction else {
            throw unreadable("The server has ended its transaction after an error.")
        }
        return try PostgreSQLStoreErrors.converting(session.url, .reading) {
            // A query that the server can't evaluate ends a part of the transaction, not the snapshot.
            try session.connection.executeScript("SAVEPOINT z_read")
            do {
                let result = try session.connection.cancellable(FetchControl.current) { try body(session) }
                try session.connection.executeScript("RELEASE SAVEPOINT z_read")
                return result
            } catch {
                session.connection.waitForCancellation()
                if session.connection.isUsable {
                    try session.connection.executeScript("ROLLBACK TO SAVEPOINT z_read")
                }
                throw error
            }
        }
    }

    private func unreadable(_ reason: String) -> NSError {
        let url = pool.location.publicURL
        return CoreDataErrors.error(
            NSPersistentStoreOperationError,
            "A query generation of the store \(url.absoluteString) can no longer be read.", reason: reason,
            suggestion: "Pin the context again.", userInfo: [NSURLErrorKey: url])
    }
}

/// The query generations of a store that are in use. The mutex guards the list; generations are not kept alive.
final class PostgreSQLGenerations: Sendable {
    private struct WeakGeneration: @unchecked Sendable {
        weak var generation: PostgreSQLGeneration?
    }

    private let limit: Int
    private let list = Locked<[WeakGeneration]>([])

    /// - Parameter limit: the greatest number of generations, each of which takes a connection of the pool.
    init(limit: Int) { self.limit = limit }

    private var present: [PostgreSQLGeneration] { list.withLock { $0.compactMap(\.generation) } }

    /// The generation of the present contents: a generation in use with the same snapshot, or a new one.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) if there are too many.
    func generation(_ make: () throws -> PostgreSQLGeneration) throws -> PostgreSQLGeneration {
        let known = present
        guard known.count < limit else {
            throw CoreDataErrors.error(
                NSPersistentStoreTimeoutError, "The context can\u{2019}t be pinned to a query generation.",
                reason: "\(known.count) generations are in use, as many as the store allows.",
                suggestion: "Release other pinned contexts, or raise NSPostgreSQLPoolSizeOption.")
        }
        let new = try make()
        if let same = known.first(where: { $0.snapshot == new.snapshot }) { return same }
        list.withLock { list in
            list.removeAll { $0.generation == nil }
            list.append(WeakGeneration(generation: new))
        }
        return new
    }

    func closeAll() {
        for generation in present { generation.close() }
    }
}

extension PostgreSQLDatabase {
    func generation() throws -> (any SnapshotSource)? {
        let open = try requireOpen()
        return try PostgreSQLStoreErrors.converting(open.location.publicURL, .reading) {
            try open.generations.generation {
                try PostgreSQLGeneration(open.pool, identity: identity, faultMonitor: faultMonitor)
            }
        }
    }
}
