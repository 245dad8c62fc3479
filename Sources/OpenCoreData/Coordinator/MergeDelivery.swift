// SPDX-License-Identifier: Apache-2.0

/// Delivers the saves of contexts to the contexts of the same coordinator that merge automatically, in the order of the
/// commits.
///
/// Contexts are not retained. The mutex guards everything.
final class MergeDelivery: Sendable {
    private struct State {
        var subscribers: [Subscriber] = []
        /// The number of the next commit.
        var nextCommit = 0
        /// The number of the next commit to deliver.
        var nextDelivery = 0
        /// Saves that wait for earlier commits to be delivered, by the numbers of their commits; nil for a save that
        /// has failed after its number was given.
        var waiting: [Int: Delivery?] = [:]
    }

    private struct Subscriber: @unchecked Sendable {
        weak var context: NSManagedObjectContext?
    }

    private struct Delivery: Sendable {
        let changes: MergedChanges
        let source: ObjectIdentifier
    }

    private let state = Locked(State())

    func subscribe(_ context: NSManagedObjectContext) {
        state.withLock { state in
            state.subscribers.removeAll { $0.context == nil }
            if !state.subscribers.contains(where: { $0.context === context }) {
                state.subscribers.append(Subscriber(context: context))
            }
        }
    }

    func unsubscribe(_ context: NSManagedObjectContext) {
        state.withLock { state in state.subscribers.removeAll { $0.context == nil || $0.context === context } }
    }

    var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// Numbers a commit. Called before a later commit can happen that changes the same rows; each number must be
    /// delivered or skipped.
    func numberCommit() -> Int {
        state.withLock { state in
            defer { state.nextCommit += 1 }
            return state.nextCommit
        }
    }

    /// Delivers a save, whose rows are in the row cache, to the other contexts.
    func deliver(_ changes: MergedChanges, commit: Int, from source: NSManagedObjectContext) {
        finish(commit, Delivery(changes: changes, source: ObjectIdentifier(source)))
    }

    /// Delivers nothing for a commit that has failed.
    func skip(commit: Int) { finish(commit, nil) }

    private func finish(_ commit: Int, _ delivery: Delivery?) {
        // The last reference to a context must not be released under the lock.
        var alive: [NSManagedObjectContext] = []
        state.withLock { state in
            state.waiting.updateValue(delivery, forKey: commit)
            while let next = state.waiting.removeValue(forKey: state.nextDelivery) {
                state.nextDelivery += 1
                guard let next, !next.changes.isEmpty else { continue }
                for subscriber in state.subscribers {
                    guard let context = subscriber.context, ObjectIdentifier(context) != next.source else { continue }
                    alive.append(context)
                    context.mergeLater(next.changes)
                }
            }
        }
        withExtendedLifetime(alive) {}
    }
}
