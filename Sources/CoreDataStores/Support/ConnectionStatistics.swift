// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The statements of a store's connections, and how long threads have waited for a connection.
package final class ConnectionStatistics: Sendable {
    private let statements = Atomic(0)
    private let observer = Locked(Observer())

    package init() {}

    /// How many statements were sent: round trips to a server, executions of a statement in a file.
    package var statementCount: Int { statements.load(ordering: .relaxed) }

    package func countStatements(_ count: Int = 1) { statements.add(count, ordering: .relaxed) }

    /// Sets what gets the time of each wait for a connection; nil for nothing. Threads that needn't wait call nothing.
    package func observeWaits(_ observer: (@Sendable (Duration) -> Void)?) {
        self.observer.withLock { $0.receive = observer }
    }

    package func recordWait(since begin: ContinuousClock.Instant) {
        guard let receive = observer.withLock({ $0 }).receive else { return }
        receive(ContinuousClock.now - begin)
    }

    /// In a structure: see `Locked`.
    private struct Observer {
        var receive: (@Sendable (Duration) -> Void)?
    }
}

/// How many connections a store has.
package struct ConnectionUsage: Sendable {
    package let maximum: Int
    package let open: Int
    package let inUse: Int

    package init(maximum: Int, open: Int, inUse: Int) {
        (self.maximum, self.open, self.inUse) = (maximum, open, inUse)
    }
}
