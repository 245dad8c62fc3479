// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A permanent key and its store.
struct PermanentKey: Sendable {
    let store: StoreIdentity
    let key: Int64
}

/// The permanent key that replaces a temporary key in the children of a context.
struct PermanentIDMapping: Sendable {
    /// The number of the root entity's layout.
    let root: UInt32
    let temporary: Int64
    let permanent: PermanentKey
}

/// The children of a context, the permanent IDs that they have not applied yet, and the changes that they merge.
///
/// Does not retain the children. One lock guards the state. It is held for short times, and no other lock or queue is
/// entered under it.
final class ChildContexts: Sendable {
    private struct Child: @unchecked Sendable {
        weak var context: NSManagedObjectContext?
        /// How many of all mappings that were ever recorded the child has applied.
        var appliedCount: Int
    }

    private struct State {
        var children: [Child] = []
        /// The mappings that some child has not applied, oldest first.
        var mappings: [PermanentIDMapping] = []
        /// The number of older mappings that were removed.
        var trimmedCount = 0

        var recordedCount: Int { trimmedCount + mappings.count }

        /// Removes the mappings that all children have applied.
        mutating func trim() {
            children.removeAll { $0.context == nil }
            let appliedCount = children.map(\.appliedCount).min() ?? recordedCount
            mappings.removeFirst(appliedCount - trimmedCount)
            trimmedCount = appliedCount
        }
    }

    private let state = Mutex(State())
    private let childCount = Atomic<Int>(0)
    private let recordedCount = Atomic<Int>(0)
    /// Delivers the saves of the children, and of the context, to the children that merge automatically.
    let delivery = MergeDelivery()

    /// Whether there may be children.
    var hasChildren: Bool { childCount.load(ordering: .acquiring) > 0 }

    /// The number of mappings that were ever recorded.
    var recordedMappingCount: Int { recordedCount.load(ordering: .acquiring) }

    /// Adds a child.
    ///
    /// - Returns: the number of mappings that were recorded before: the child has no use for them.
    func addChild(_ child: NSManagedObjectContext) -> Int {
        withState { state in
            state.children.append(Child(context: child, appliedCount: state.recordedCount))
            return state.recordedCount
        }
    }

    func removeChild(_ child: NSManagedObjectContext) {
        withState { state in state.children.removeAll { $0.context === child } }
    }

    /// Reads or changes the state under the lock, and trims it. Retains the children until the lock is released, so
    /// that none is deallocated under the lock.
    @discardableResult
    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        var contexts: [NSManagedObjectContext] = []
        let result = state.withLock { state in
            contexts = state.children.compactMap(\.context)
            let result = body(&state)
            state.trim()
            childCount.store(state.children.count, ordering: .releasing)
            recordedCount.store(state.recordedCount, ordering: .releasing)
            return UncheckedSendableBox(result)
        }
        withExtendedLifetime(contexts) {}
        return result.value
    }

    /// Calls a closure with each child, on the current thread, outside the lock.
    func forEachChild(_ body: (NSManagedObjectContext) -> Void) {
        for child in withState({ $0.children.compactMap(\.context) }) { body(child) }
    }

    // MARK: Permanent IDs

    /// Records a mapping for the children, if there are any.
    func record(_ mapping: PermanentIDMapping) {
        guard hasChildren else { return }
        state.withLock { state in
            state.mappings.append(mapping)
            recordedCount.store(state.recordedCount, ordering: .releasing)
        }
    }

    /// Returns the mappings that a child has not applied, and their total number. Counts them as applied.
    func consumeMappings(
        since appliedCount: Int, by child: NSManagedObjectContext
    ) -> (mappings: [PermanentIDMapping], recordedCount: Int) {
        withState { state in
            let mappings = Array(state.mappings.dropFirst(appliedCount - state.trimmedCount))
            if let index = state.children.firstIndex(where: { $0.context === child }) {
                state.children[index].appliedCount = state.recordedCount
            }
            return (mappings, state.recordedCount)
        }
    }

    /// Schedules the missing mappings: each child applies them on its own queue, asynchronously.
    func scheduleIDMappings() {
        guard hasChildren else { return }
        let children = withState { state in
            state.children.filter { $0.appliedCount < state.recordedCount }.compactMap(\.context)
        }
        for child in children where child.queue.type != .confinementConcurrencyType {
            child.scheduleOnQueue { $0.applyPermanentKeys() }
        }
    }
}
