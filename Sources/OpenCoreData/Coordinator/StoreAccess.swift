import Dispatch
import Synchronization

/// The lock of a coordinator: who may send requests to its stores.
///
/// There are three kinds of access:
/// - shared, for requests that read, and for adding and removing stores. Any number of threads may have it: each store
///   and each query generation protects itself.
/// - saving, shared access of one thread at a time, so that the commits of a coordinator have an order.
/// - exclusive, for blocks of `perform(_:)` and `performAndWait(_:)`. All other threads have no access.
///
/// Access is reentrant: a thread that has exclusive access may get any kind again, and a thread that has shared access
/// may get exclusive access once no other thread has access. A thread that waits for exclusive access keeps threads
/// without access from starting, so it waits for the running requests only.
final class StoreAccess: Sendable {
    private enum Kind { case shared, saving, exclusive }

    private struct State {
        /// The number of accesses of all threads, nested ones included.
        var count = 0
        var isSaving = false
        var isExclusive = false
        var waitingForExclusive = 0
        /// Threads that wait for the end of a save, in order.
        var waitingForSave: [Waiter] = []
        /// Threads that wait for shared or exclusive access.
        var waiting: [Waiter] = []
    }

    /// A thread that waits.
    private struct Waiter: @unchecked Sendable {
        // Sendable: a group may be used on any thread.
        private let group = DispatchGroup()

        init() { group.enter() }

        func wait() { group.wait() }
        func wake() { group.leave() }
    }

    /// One access of the current thread, in the stack of the thread.
    private struct Entry {
        unowned(unsafe) let access: StoreAccess
        let kind: Kind
        let outer: UnsafePointer<Entry>?
    }

    private static let entries = OperatingSystem.ThreadLocalPointer()
    private let state = Mutex(State())

    /// Runs a block with shared access.
    @inline(__always)
    func share<Result>(_ body: () throws -> Result) rethrows -> Result { try enter(.shared, body) }

    /// Runs a block that saves.
    func save<Result>(_ body: () throws -> Result) rethrows -> Result { try enter(.saving, body) }

    /// Runs a block with exclusive access.
    func exclude<Result>(_ body: () throws -> Result) rethrows -> Result { try enter(.exclusive, body) }

    /// Whether the current thread has access of any kind.
    var isEnteredHere: Bool {
        var entry = Self.innermost
        while let present = entry?.pointee {
            if present.access === self { return true }
            entry = present.outer
        }
        return false
    }

    private static var innermost: UnsafePointer<Entry>? {
        UnsafePointer(entries.value?.assumingMemoryBound(to: Entry.self))
    }

    private func enter<Result>(_ kind: Kind, _ body: () throws -> Result) rethrows -> Result {
        let outer = Self.innermost
        let begun = begin(kind, outer)
        defer { end(begun) }
        return try withUnsafePointer(to: Entry(access: self, kind: kind, outer: outer)) { entry in
            Self.entries.value = UnsafeMutableRawPointer(mutating: entry)
            defer { Self.entries.value = outer.map { UnsafeMutableRawPointer(mutating: $0) } }
            return try body()
        }
    }

    /// Waits until the current thread may have access.
    ///
    /// - Returns: the kind to end: shared for a kind that the thread has already.
    private func begin(_ kind: Kind, _ outer: UnsafePointer<Entry>?) -> Kind {
        var own = 0
        var ownsExclusive = false
        var ownsSaving = false
        var entry = outer
        while let present = entry?.pointee {
            if present.access === self {
                own += 1
                if present.kind == .exclusive { ownsExclusive = true }
                if present.kind == .saving { ownsSaving = true }
            }
            entry = present.outer
        }
        let kind = kind == .exclusive && ownsExclusive || kind == .saving && ownsSaving ? .shared : kind
        var isRegistered = false
        while let waiter = register(kind, own: own, &isRegistered) { waiter.wait() }
        return kind
    }

    /// Gives the current thread access if it may have it.
    ///
    /// - Parameters:
    ///   - own: the number of accesses that the thread has.
    ///   - isRegistered: whether the thread is counted as waiting for exclusive access.
    /// - Returns: what to wait for before the next attempt; nil if the thread has access now.
    private func register(_ kind: Kind, own: Int, _ isRegistered: inout Bool) -> Waiter? {
        state.withLock { state -> Waiter? in
            let mayEnter =
                switch kind {
                case .shared: own > 0 || !state.isExclusive && state.waitingForExclusive == 0
                case .saving:
                    !state.isSaving && (own > 0 || !state.isExclusive && state.waitingForExclusive == 0)
                case .exclusive: state.count == own && !state.isExclusive
                }
            if mayEnter {
                state.count += 1
                switch kind {
                case .shared: break
                case .saving: state.isSaving = true
                case .exclusive: state.isExclusive = true
                }
                if isRegistered { state.waitingForExclusive -= 1 }
                return nil
            }
            if kind == .exclusive && !isRegistered {
                isRegistered = true
                state.waitingForExclusive += 1
            }
            let waiter = Waiter()
            if kind == .saving { state.waitingForSave.append(waiter) } else { state.waiting.append(waiter) }
            return waiter
        }
    }

    private func end(_ kind: Kind) {
        let ready = state.withLock { state -> [Waiter] in
            state.count -= 1
            switch kind {
            case .shared: break
            case .saving: state.isSaving = false
            case .exclusive: state.isExclusive = false
            }
            var ready: [Waiter] = []
            if kind == .exclusive {
                ready = state.waiting + state.waitingForSave
                state.waiting = []
                state.waitingForSave = []
            } else {
                if kind == .saving && !state.waitingForSave.isEmpty { ready = [state.waitingForSave.removeFirst()] }
                if state.waitingForExclusive > 0 {
                    ready += state.waiting
                    state.waiting = []
                }
            }
            return ready
        }
        for waiter in ready { waiter.wake() }
    }
}
