import Dispatch
import Synchronization

/// Tells other processes of commits.
///
/// A notice within the transaction would make all commits of the server wait for one another, so that a notice follows
/// the commit. Commits that follow one another within 50 milliseconds have one notice.
final class PostgreSQLNotifier: Sendable {
    private static let delay = DispatchTimeInterval.milliseconds(50)

    private struct State {
        var isPlanned = false
        var newest: Int64 = 0
    }

    private let state = Mutex(State())
    private let pool: PostgreSQLConnectionPool
    private let channel: String

    init(_ pool: PostgreSQLConnectionPool, schema: String) {
        self.pool = pool
        channel = Self.channel(schema: schema)
    }

    /// The channel of a store.
    static func channel(schema: String) -> String { PostgreSQLName.shortened("z_commit_" + schema) }

    /// Plans a notice of a transaction.
    func didCommit(_ transaction: Int64) {
        let plans = state.withLock { state in
            state.newest = max(state.newest, transaction)
            defer { state.isPlanned = true }
            return !state.isPlanned
        }
        guard plans else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.delay) { self.notify() }
    }

    /// Sends a planned notice at once.
    func finish() {
        if state.withLock({ $0.isPlanned }) { notify() }
    }

    private func notify() {
        let newest = state.withLock { state in
            state.isPlanned = false
            return state.newest
        }
        // Receivers look for commits regularly besides: a lost notice is late, not missing.
        _ = try? pool.withConnection { connection in
            var parameters = PostgreSQLParameters()
            parameters.append(text: channel)
            parameters.append(text: "\(newest)")
            return try connection.execute("SELECT pg_notify($1, $2)", parameters)
        }
    }
}
