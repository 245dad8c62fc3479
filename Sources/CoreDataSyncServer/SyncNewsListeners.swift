// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel

/// The streams of those that listen to a server, by what they have to hear of.
final class SyncNewsListeners: @unchecked Sendable {
    // Sendable: the lock guards the streams.
    private let lock = NSLock()
    /// By the values of the constants of accounts; nil for listeners that get all news.
    private var groups: [Set<UUID>?: SyncListeners<Void>] = [:]

    /// A stream of the news from now on. A listener that is behind gets several as one.
    ///
    /// - Parameter nodes: the values of constants that the news concern; nil for all news.
    func listen(_ nodes: Set<UUID>?) -> AsyncStream<Void> {
        lock.withLock {
            groups = groups.filter { $0.value.count > 0 }
            let group = groups[nodes] ?? SyncListeners(most: 1)
            groups[nodes] = group
            return group.listen()
        }
    }

    var count: Int { lock.withLock { groups.values.reduce(0) { $0 + $1.count } } }

    /// Whether some listeners get a part of the news.
    var hasParts: Bool { lock.withLock { groups.contains { $0.key != nil && $0.value.count > 0 } } }

    /// - Parameter nodes: the values of constants that the news concern; nil for all listeners.
    func send(_ nodes: Set<UUID>?) {
        for (wanted, group) in lock.withLock({ groups }) {
            let isConcerned = wanted.map { wanted in nodes.map { !$0.isDisjoint(with: wanted) } ?? true } ?? true
            if isConcerned { group.send(()) }
        }
    }
}
