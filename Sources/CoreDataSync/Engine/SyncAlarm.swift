// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Lets one task wait for a signal or for a time.
final class SyncAlarm: @unchecked Sendable {
    // Sendable: the lock guards what changes.

    /// The reasons for an exchange since the last one.
    struct Signals: OptionSet {
        let rawValue: Int
        /// A program has saved.
        static let saves = Signals(rawValue: 1)
        /// The server has news.
        static let news = Signals(rawValue: 2)
        /// The program wants an exchange.
        static let request = Signals(rawValue: 4)
        static let all: Signals = [.saves, .news, .request]
    }

    private let lock = NSLock()
    private var signals: Signals = []
    private var sleeper: (signals: Signals, continuation: CheckedContinuation<Void, Never>)?

    /// Ends the present wait, or the next one at once, if it is one for this signal.
    func ring(_ signal: Signals) {
        let sleeper: CheckedContinuation<Void, Never>? = lock.withLock {
            signals.formUnion(signal)
            guard let waiting = self.sleeper, !waiting.signals.isDisjoint(with: signal) else { return nil }
            self.sleeper = nil
            return waiting.continuation
        }
        sleeper?.resume()
    }

    /// Whether there was a signal since the last exchange.
    var isRung: Bool { lock.withLock { !signals.isEmpty } }

    /// The signals since the last call; none after a wait that no signal ended.
    func takeSignals() -> Signals {
        lock.withLock {
            defer { signals = [] }
            return signals
        }
    }

    /// Waits for one of some signals, at most for some seconds. A cancelled task doesn't wait.
    func wait(seconds: Double, for wanted: Signals = .all) async {
        let timer = Task {
            try? await Task.sleep(for: .seconds(seconds))
            if !Task.isCancelled { wake() }
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = lock.withLock {
                    if !signals.isDisjoint(with: wanted) || Task.isCancelled { return true }
                    sleeper = (wanted, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    private func wake() {
        let sleeper = lock.withLock {
            defer { self.sleeper = nil }
            return self.sleeper
        }
        sleeper?.continuation.resume()
    }
}
