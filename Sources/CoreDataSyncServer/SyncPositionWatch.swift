// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel

/// Notices new positions of a server, and tells those that listen.
///
/// A save of any context or process may be one that devices get, or one that notes what the server knows of a device:
/// after it the watch looks at the position.
final class SyncPositionWatch: @unchecked Sendable {
    // Sendable: the lock guards what changes.
    private let service: SyncService
    private let queue: DispatchQueue
    private let lock = NSLock()
    private let listeners = SyncListeners<Void>(most: 1)
    private var isLooking = false
    /// The position at the last look.
    private var number: Int64?
    private var saves: SyncSaveObserver?

    init(_ service: SyncService, _ coordinator: NSPersistentStoreCoordinator, _ queue: DispatchQueue) {
        (self.service, self.queue) = (service, queue)
        saves = SyncSaveObserver(coordinator) { [weak self] _ in self?.look() }
    }

    func listen() -> AsyncStream<Void> { listeners.listen() }

    var listenerCount: Int { listeners.count }

    var noticedPosition: Int64? { lock.withLock { number } }

    /// Looks at the position soon. Saves until then need no look of their own.
    private func look() {
        let isFirst = lock.withLock {
            defer { isLooking = true }
            return !isLooking
        }
        guard isFirst else { return }
        // Saves that follow each other are one piece of news.
        queue.asyncAfter(deadline: .now() + 0.05) { [weak self] in
            guard let self else { return }
            lock.withLock { isLooking = false }
            guard let number = try? service.notedPosition() else {
                queue.asyncAfter(deadline: .now() + 5) { [weak self] in self?.look() }
                return
            }
            let isNew = lock.withLock {
                defer { self.number = number }
                return number != self.number
            }
            if isNew { listeners.send(()) }
        }
    }
}
