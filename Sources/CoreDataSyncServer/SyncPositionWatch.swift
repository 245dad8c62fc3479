// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel

/// Notices new positions of a server, and tells those that listen, apart from accounts that the changes don't concern.
///
/// A save of any context or process may be one that devices get, or one that notes what the server knows of a device:
/// after it the watch looks at the position.
final class SyncPositionWatch: @unchecked Sendable {
    // Sendable: the lock guards what changes.
    private let service: SyncService
    private let queue: DispatchQueue
    private let lock = NSLock()
    private let listeners = SyncNewsListeners()
    private var isLooking = false
    /// The position at the last look.
    private var number: Int64?
    private var saves: SyncSaveObserver?

    init(_ service: SyncService, _ coordinator: NSPersistentStoreCoordinator, _ queue: DispatchQueue) {
        (self.service, self.queue) = (service, queue)
        saves = SyncSaveObserver(coordinator) { [weak self] _ in self?.look() }
    }

    /// - Parameter account: the account that listens; nil for all news.
    func listen(_ account: SyncAccount?) -> AsyncStream<Void> {
        listeners.listen(account.flatMap { service.newsNodes(of: $0) })
    }

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
            let former = lock.withLock {
                defer { self.number = number }
                return self.number
            }
            if number != former { listeners.send(nodes(after: former)) }
        }
    }

    /// The values of constants whose accounts the changes after a position concern; nil for all listeners.
    private func nodes(after number: Int64?) -> Set<UUID>? {
        guard let number, listeners.hasParts else { return nil }
        return (try? service.newsNodes(after: number)) ?? nil
    }
}
