// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Tells other processes of commits.
///
/// The notice is sent after the commit: a notice within the transaction would make all commits of the server wait for
/// one another. Commits within 50 milliseconds share one notice. A process that ends before the 50 milliseconds are
/// over sends the notice at its exit.
final class PostgreSQLNotifier: Sendable {
    private static let delay = DispatchTimeInterval.milliseconds(50)

    private struct State {
        var isPlanned = false
        /// The newest transaction, for the payload.
        var newest: Int64 = 0
        /// How many commits there were.
        var commits = 0
    }

    private let state = Locked(State())
    /// How many commits were told of. The lock is held while a notice is sent, so that `finish()` waits for it.
    private let told = Locked(0)
    private let pool: PostgreSQLConnectionPool<PostgreSQLSession>
    private let channel: String
    private let isNeeded: Bool

    /// - Parameter isNeeded: whether commits are told of at all.
    init(_ pool: PostgreSQLConnectionPool<PostgreSQLSession>, schema: String, isNeeded: Bool) {
        self.pool = pool
        self.isNeeded = isNeeded
        channel = Self.channel(schema: schema)
    }

    /// The channel of a store.
    static func channel(schema: String) -> String { PostgreSQLName.shortened("z_commit_" + schema) }

    /// Plans a notice of a transaction.
    func didCommit(_ transaction: Int64) {
        guard isNeeded else { return }
        let plans = state.withLock { state in
            state.newest = max(state.newest, transaction)
            state.commits += 1
            guard !state.isPlanned else { return false }
            state.isPlanned = true
            PlannedNotices.add(self)
            return true
        }
        guard plans else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.delay) { self.finish() }
    }

    private func send(_ transaction: Int64) throws {
        try pool.withConnection { session in
            var parameters = PostgreSQLParameters()
            parameters.append(text: channel)
            parameters.append(text: "\(transaction)")
            _ = try session.connection.execute("SELECT pg_notify($1, $2)", parameters)
        }
    }

    /// Sends a planned notice at once, and waits for one that is being sent.
    func finish() {
        told.withLock { told in
            let state = state.withLock { state in
                state.isPlanned = false
                return state
            }
            guard state.commits > told else { return }
            told = state.commits
            // The first connection may be lost. Receivers also look for commits in the history at regular intervals.
            if (try? send(state.newest)) == nil { try? send(state.newest) }
        }
        // A commit during the sending has planned another notice.
        state.withLock { if !$0.isPlanned { PlannedNotices.remove(self) } }
    }
}

/// The notifiers with a planned notice, which the exit of the process sends.
private enum PlannedNotices {
    private static let notifiers = Locked<[ObjectIdentifier: PostgreSQLNotifier]>([:])

    /// Registers the handler of the exit once.
    private static let registration: Void = {
        atexit { PlannedNotices.finishAll() }
    }()

    static func add(_ notifier: PostgreSQLNotifier) {
        _ = registration
        notifiers.withLock { $0[ObjectIdentifier(notifier)] = notifier }
    }

    static func remove(_ notifier: PostgreSQLNotifier) {
        notifiers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(notifier)) }
    }

    private static func finishAll() {
        for notifier in notifiers.withLock({ Array($0.values) }) { notifier.finish() }
    }
}
