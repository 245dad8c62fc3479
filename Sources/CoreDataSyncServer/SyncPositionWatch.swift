// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Notices new positions of a server, and tells those that listen.
///
/// A save of any context or process may be one that devices get, or one that notes what the server knows of a device:
/// after it the watch looks at the position.
final class SyncPositionWatch: @unchecked Sendable {
    // Sendable: the lock guards what changes.
    private let service: SyncService
    private let queue: DispatchQueue
    private let lock = NSLock()
    private var streams: [UUID: AsyncStream<Void>.Continuation] = [:]
    private var isLooking = false
    /// The position at the last look. The queue guards it.
    private var number: Int64?
    private var observers: [any NSObjectProtocol] = []

    init(_ service: SyncService, _ coordinator: NSPersistentStoreCoordinator, _ queue: DispatchQueue) {
        (self.service, self.queue) = (service, queue)
        let center = NotificationCenter.default
        let stores = ObjectIdentifier(coordinator)
        observers = [
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil) {
                [weak self] _ in self?.look()
            },
            center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { [weak self] note in
                let context = note.object as? NSManagedObjectContext
                if context?.persistentStoreCoordinator.map(ObjectIdentifier.init) == stores { self?.look() }
            },
        ]
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        for stream in streams.values { stream.finish() }
    }

    func listen() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let id = UUID()
            lock.withLock { streams[id] = stream }
            stream.onTermination = { [weak self] _ in
                guard let self else { return }
                lock.withLock { streams[id] = nil }
            }
        }
    }

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
            guard number != self.number else { return }
            self.number = number
            for stream in lock.withLock({ Array(streams.values) }) { stream.yield() }
        }
    }
}
