// SPDX-License-Identifier: Apache-2.0

/// The replicas of a store's server, from which fetches read.
///
/// A replica lags behind the server until it has replayed the server's log. A replica serves a read only if it has
/// replayed this process's commits, and the commits of other processes that this process has heard of. Otherwise the
/// process reads from the server itself. It reads from one replica, chosen at random, until this replica is lost, so
/// that no fetch is older than the one before it. The mutex guards all state.
final class PostgreSQLReplicas: Sendable {
    private struct Replica {
        /// A position in the log that the replica has replayed.
        var replayed: Int64 = 0
        /// The time at which a lost replica may be asked again; nil for a replica that answers.
        var pausesUntil: ContinuousClock.Instant?
        var pause = PostgreSQLReplicas.firstPause
    }

    private struct State {
        var replicas: [Replica]
        /// The replica that is read.
        var current: Int
        /// The position in the log up to which a replica must have replayed; nil if it is unknown.
        var required: Int64?
        /// How often the server didn't tell the position.
        var failures = 0
    }

    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(30)

    private let pools: [PostgreSQLConnectionPool<PostgreSQLSession>]
    private let state: Locked<State>

    /// - Parameters:
    ///   - pools: a pool for each replica. At least one.
    ///   - position: the position of the server's log when the store was opened.
    init(_ pools: [PostgreSQLConnectionPool<PostgreSQLSession>], position: Int64?) {
        self.pools = pools
        state = Locked(
            State(
                replicas: Array(repeating: Replica(), count: pools.count), current: Int.random(in: pools.indices),
                required: position))
    }

    /// Runs a block that reads with a connection to a replica.
    ///
    /// - Returns: the result; nil if no replica can be read, or if the readable replica is too far behind.
    /// - Throws: the errors of the block.
    func read<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result? {
        guard let index = readableReplica() else { return nil }
        do {
            let result = try pools[index].withConnection { session -> Result? in
                guard try hasReplayed(index, session) else { return nil }
                return try session.connection.cancellable(FetchControl.current) { try body(session) }
            }
            state.withLock { state in
                state.replicas[index].pausesUntil = nil
                state.replicas[index].pause = Self.firstPause
            }
            return result
        } catch let failure as PostgreSQLFailure where failure.isConnectionLost {
            suspend(index)
            return nil
        } catch let failure as PostgreSQLFailure where failure.isSerializationFailure || failure.concernsTables {
            // The replica has ended the statement because it replayed newer log records, or the replayed log has
            // migrated the store. The server itself answers the read.
            return nil
        }
    }

    /// From now on a replica serves a read only after it has replayed the server's present position. Called after a
    /// commit of this process, and when the process hears of another one's commit.
    ///
    /// - Parameter session: a connection to the server itself, without a transaction.
    func requirePresent(_ session: PostgreSQLSession) {
        let failures = state.withLock { $0.failures }
        guard let position = try? session.connection.logPosition() else { return requireServer() }
        state.withLock { state in
            // Another thread has met a failure since this position was asked for. The position may be older than the
            // commit before that failure.
            guard state.required != nil || state.failures == failures else { return }
            state.required = max(state.required ?? position, position)
        }
    }

    /// From now on all reads go to the server, until it tells the position of its log.
    func requireServer() {
        state.withLock { state in
            state.required = nil
            state.failures += 1
        }
    }

    /// Closes the connections. No further one is given.
    func close() { for pool in pools { pool.close() } }

    /// The replica to ask; nil if none can be asked now.
    private func readableReplica() -> Int? {
        let now = ContinuousClock.now
        return state.withLock { state -> Int? in
            guard state.required != nil else { return nil }
            for step in 0..<pools.count {
                let index = (state.current + step) % pools.count
                guard let pausesUntil = state.replicas[index].pausesUntil else {
                    state.current = index
                    return index
                }
                guard pausesUntil <= now else { continue }
                // One thread tries the replica. Other threads don't wait for the attempt.
                state.replicas[index].pausesUntil = now + .seconds(pools[index].location.connectTimeout)
                return index
            }
            return nil
        }
    }

    private func hasReplayed(_ index: Int, _ session: PostgreSQLSession) throws -> Bool {
        let isKnown = state.withLock { state in state.required.map { state.replicas[index].replayed >= $0 } ?? false }
        if isKnown { return true }
        guard let replayed = try session.connection.replayedLogPosition() else { return false }
        return state.withLock { state in
            state.replicas[index].replayed = max(state.replicas[index].replayed, replayed)
            return state.required.map { replayed >= $0 } ?? false
        }
    }

    /// Stops asking a replica for a while. Its replayed position is unknown when it comes back.
    private func suspend(_ index: Int) {
        pools[index].closeIdleConnections()
        state.withLock { state in
            state.replicas[index].replayed = 0
            state.replicas[index].pausesUntil = .now + state.replicas[index].pause
            state.replicas[index].pause = min(state.replicas[index].pause * 2, Self.longestPause)
        }
    }
}

extension PostgreSQLConnection {
    /// The position of the server's log after all commits.
    func logPosition() throws -> Int64? { try position("pg_current_wal_insert_lsn()") }

    /// The position up to which a replica has replayed the log of its server; nil for a server that isn't a replica.
    func replayedLogPosition() throws -> Int64? { try position("pg_last_wal_replay_lsn()") }

    private func position(_ function: String) throws -> Int64? {
        let result = try execute("SELECT (\(function) - '0/0')::bigint")
        return result.rowCount > 0 && !result[0].isNull(0) ? result[0].int64(0) : nil
    }
}
