import Synchronization

/// Brings what a context has saved to the contexts of the same coordinator that merge by themselves, in the order of
/// the commits.
///
/// Contexts are not kept alive. The lock guards everything.
final class MergeDelivery: Sendable {
    private struct State {
        var subscribers: [Subscriber] = []
        /// The number of the next commit, and of the next one to be brought.
        var nextTicket = 0
        var nextDelivery = 0
        /// Saves that wait for earlier commits, whose contexts are not done with them.
        var waiting: [Int: Delivery] = [:]
    }

    private struct Subscriber: @unchecked Sendable {
        weak var context: NSManagedObjectContext?
    }

    private struct Delivery: Sendable {
        let changes: MergedChanges
        let source: ObjectIdentifier
    }

    private let state = Mutex(State())

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

    /// The place of a commit; taken before any later commit can happen, and given back by ``deliver(_:ticket:from:)``.
    func takeTicket() -> Int {
        state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
    }

    /// Brings a save whose rows are in the row cache to the other contexts.
    func deliver(_ changes: MergedChanges, ticket: Int, from source: NSManagedObjectContext) {
        // The last reference to a context must not go under the lock.
        var alive: [NSManagedObjectContext] = []
        state.withLock { state in
            state.waiting[ticket] = Delivery(changes: changes, source: ObjectIdentifier(source))
            while let next = state.waiting.removeValue(forKey: state.nextDelivery) {
                state.nextDelivery += 1
                guard !next.changes.isEmpty else { continue }
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
