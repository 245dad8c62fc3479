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
    private var sleeper: CheckedContinuation<Void, Never>?

    /// Ends the present wait, or the next one at once.
    func ring(_ signal: Signals) {
        let sleeper = lock.withLock {
            signals.formUnion(signal)
            defer { self.sleeper = nil }
            return self.sleeper
        }
        sleeper?.resume()
    }

    /// The signals since the last call; none after a wait that no signal ended.
    func takeSignals() -> Signals {
        lock.withLock {
            defer { signals = [] }
            return signals
        }
    }

    /// Waits for a signal, at most for some seconds. A cancelled task doesn't wait.
    func wait(seconds: Double) async {
        let timer = Task {
            try? await Task.sleep(for: .seconds(seconds))
            if !Task.isCancelled { wake() }
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = lock.withLock {
                    if !signals.isEmpty || Task.isCancelled { return true }
                    sleeper = continuation
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
        sleeper?.resume()
    }
}

/// Rings an alarm when the program, or another process, saves into the stores of a coordinator.
final class SaveObserver: @unchecked Sendable {
    // Sendable: nothing changes.
    private let observers: [any NSObjectProtocol]

    init(_ coordinator: NSPersistentStoreCoordinator, _ alarm: SyncAlarm) {
        let center = NotificationCenter.default
        let stores = ObjectIdentifier(coordinator)
        observers = [
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil) { _ in
                alarm.ring(.saves)
            },
            center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { note in
                guard let context = note.object as? NSManagedObjectContext, !context.isSyncImport,
                    context.persistentStoreCoordinator.map(ObjectIdentifier.init) == stores
                else { return }
                alarm.ring(.saves)
            },
        ]
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
}
