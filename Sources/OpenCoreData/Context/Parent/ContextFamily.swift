import Synchronization

/// A permanent key and the store that has given it.
struct PermanentKey: Sendable {
    let store: StoreIdentity
    let key: Int64
}

/// A permanent key that takes the place of a temporary one in the children of a context.
struct HandedDownKey: Sendable {
    /// Number of the root entity's layout.
    let root: UInt32
    let temporary: Int64
    let permanent: PermanentKey
}

/// What a context and its children share: who these are, the permanent keys that they have yet to take over, and what
/// they merge.
///
/// Contexts are not kept alive. The lock guards everything; it is held for moments only, and nothing is asked under it.
final class ContextFamily: Sendable {
    private struct Child: @unchecked Sendable {
        weak var context: NSManagedObjectContext?
        /// How many of all keys that were ever noted the child has taken over.
        var applied: Int
    }

    private struct State {
        var children: [Child] = []
        /// The keys that some child has not taken over, oldest first, and how many were noted before them.
        var keys: [HandedDownKey] = []
        var trimmed = 0

        var noted: Int { trimmed + keys.count }

        /// Lets go of the keys that every living child has.
        mutating func trim() {
            children.removeAll { $0.context == nil }
            let applied = children.map(\.applied).min() ?? noted
            keys.removeFirst(applied - trimmed)
            trimmed = applied
        }
    }

    private let state = Mutex(State())
    private let childCount = Atomic<Int>(0)
    private let noted = Atomic<Int>(0)
    /// Brings the saves of children, and of the context itself, to the children that merge by themselves.
    let delivery = MergeDelivery()

    /// Whether the context has had children, some of which may be gone.
    var hasChildren: Bool { childCount.load(ordering: .acquiring) > 0 }

    /// How many keys were ever noted.
    var notedKeyCount: Int { noted.load(ordering: .acquiring) }

    /// - Returns: how many keys were noted before the child came: it needs none of them.
    func join(_ child: NSManagedObjectContext) -> Int {
        withState { state in
            state.children.append(Child(context: child, applied: state.noted))
            return state.noted
        }
    }

    func removeChild(_ child: NSManagedObjectContext) {
        withState { state in state.children.removeAll { $0.context === child } }
    }

    /// Every access but the shortest: contexts that go meanwhile go after the lock was given back.
    @discardableResult
    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        var alive: [NSManagedObjectContext] = []
        let result = state.withLock { state in
            alive = state.children.compactMap(\.context)
            let result = body(&state)
            state.trim()
            childCount.store(state.children.count, ordering: .releasing)
            noted.store(state.noted, ordering: .releasing)
            return UncheckedBox(result)
        }
        withExtendedLifetime(alive) {}
        return result.value
    }

    /// Does something with every living child, on the calling thread.
    func forEachChild(_ body: (NSManagedObjectContext) -> Void) {
        for child in withState({ $0.children.compactMap(\.context) }) { body(child) }
    }

    // MARK: Permanent keys

    /// Notes a permanent key for the children, if there are any.
    func note(_ key: HandedDownKey) {
        guard hasChildren else { return }
        state.withLock { state in
            state.keys.append(key)
            noted.store(state.noted, ordering: .releasing)
        }
    }

    /// The keys that a child has yet to take over, and how many it has then.
    func keys(since applied: Int, for child: NSManagedObjectContext) -> (keys: [HandedDownKey], applied: Int) {
        withState { state in
            let keys = Array(state.keys.dropFirst(applied - state.trimmed))
            if let index = state.children.firstIndex(where: { $0.context === child }) {
                state.children[index].applied = state.noted
            }
            return (keys, state.noted)
        }
    }

    /// Has the children take over the keys that they don't have yet, each on its own queue, later.
    func tellKeys() {
        guard hasChildren else { return }
        let waiting = withState { state in state.children.filter { $0.applied < state.noted }.compactMap(\.context) }
        for child in waiting where child.concurrencyType != .confinementConcurrencyType {
            child.schedule { $0.applyPermanentKeys() }
        }
    }
}
