// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The lock of a coordinator: who may send requests to its stores.
///
/// There are four kinds of access:
/// - shared, for requests that read, and for adding and removing stores. Any number of threads may have it: each store
///   and each query generation protects itself.
/// - saving, shared access of one thread that saves at a time.
/// - saving side by side, shared access of any number of threads that save, each into stores that lock the rows of a
///   save by themselves. No thread has `saving` access at the same time.
/// - exclusive, for blocks of `perform(_:)` and `performAndWait(_:)`. All other threads have no access.
///
/// Access is reentrant: a thread that has exclusive access may get any kind again, and a thread that has shared access
/// may get exclusive access once no other thread has access. A thread that waits for exclusive access keeps threads
/// without access from starting, so it waits for the running requests only. Waiting saves begin in their order. A
/// thread that has access already saves first, because a thread that waits for exclusive access waits for it.
final class StoreAccess: Sendable {
    fileprivate enum Kind { case shared, saving, savingSideBySide, exclusive }

    fileprivate struct State {
        /// The number of accesses of all threads, nested ones included.
        var count = 0
        /// The number of saves that run.
        var saveCount = 0
        /// Whether the save that runs is alone.
        var isSavingAlone = false
        var isExclusive = false
        var waitingForExclusive = 0
        /// Threads that wait for the end of a save, in order.
        var waitingForSave: [WaitingSave] = []
        /// Threads that wait for shared or exclusive access.
        var waiting: [Waiter] = []
    }

    /// A thread that waits to save. It has access when it is woken.
    fileprivate struct WaitingSave {
        let kind: Kind
        /// The number of accesses that the thread has.
        let own: Int
        let waiter: Waiter
    }

    /// A thread that waits.
    fileprivate struct Waiter: @unchecked Sendable {
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
    /// The lock for which the thread counts its requests.
    private static let counting = OperatingSystem.ThreadLocalPointer()
    private let state = Locked(State())
    private let countedBlocks = Atomic<Int>(0)

    /// Runs a block with shared access.
    @inline(__always)
    func share<Result>(_ body: () throws -> Result) rethrows -> Result { try enter(.shared, body) }

    /// Runs a block that saves.
    ///
    /// - Parameter isSideBySide: whether other saves of this kind may run at the same time.
    func save<Result>(isSideBySide: Bool = false, _ body: () throws -> Result) rethrows -> Result {
        try enter(isSideBySide ? .savingSideBySide : .saving, body)
    }

    /// Runs a block with exclusive access.
    func exclude<Result>(_ body: () throws -> Result) rethrows -> Result { try enter(.exclusive, body) }

    /// The number of accesses of all threads, nested ones included.
    var count: Int { state.withLock { $0.count } }

    /// The number of threads that wait to save.
    var waitingSaveCount: Int { state.withLock { $0.waitingForSave.count } }

    /// The number of threads that wait for exclusive access.
    var waitingExclusionCount: Int { state.withLock { $0.waitingForExclusive } }

    /// Runs a block that counts in ``blockCount`` while it has access.
    func countingBlock<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = Self.counting.value
        Self.counting.value = Unmanaged.passUnretained(self).toOpaque()
        defer { Self.counting.value = outer }
        return try body()
    }

    /// How many of the blocks that count have access.
    var blockCount: Int { countedBlocks.load(ordering: .sequentiallyConsistent) }

    private var isCountedHere: Bool { Self.counting.value == Unmanaged.passUnretained(self).toOpaque() }

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
        let (begun, own) = begin(kind, outer)
        defer { end(begun) }
        // The first access of the thread alone counts.
        let isCounted = own == 0 && isCountedHere
        if isCounted { countedBlocks.add(1, ordering: .sequentiallyConsistent) }
        defer { if isCounted { countedBlocks.subtract(1, ordering: .sequentiallyConsistent) } }
        return try withUnsafePointer(to: Entry(access: self, kind: kind, outer: outer)) { entry in
            Self.entries.value = UnsafeMutableRawPointer(mutating: entry)
            defer { Self.entries.value = outer.map { UnsafeMutableRawPointer(mutating: $0) } }
            return try body()
        }
    }

    /// Waits until the current thread may have access.
    ///
    /// - Returns: the kind to end, which is shared for a kind that the thread has already, and the number of accesses
    ///   that the thread had before.
    private func begin(_ kind: Kind, _ outer: UnsafePointer<Entry>?) -> (Kind, own: Int) {
        var own = 0
        var ownsExclusive = false
        var ownsSaving = false
        var entry = outer
        while let present = entry?.pointee {
            if present.access === self {
                own += 1
                if present.kind == .exclusive { ownsExclusive = true }
                if present.kind.isSaving { ownsSaving = true }
            }
            entry = present.outer
        }
        let kind = kind == .exclusive && ownsExclusive || kind.isSaving && ownsSaving ? .shared : kind
        if kind.isSaving {
            beginSaving(kind, own: own)
        } else {
            var isRegistered = false
            while let waiter = register(kind, own: own, &isRegistered) { waiter.wait() }
        }
        return (kind, own)
    }

    /// Gives the current thread shared or exclusive access if it may have it.
    ///
    /// - Parameters:
    ///   - own: the number of accesses that the thread has.
    ///   - isRegistered: whether the thread is counted as waiting for exclusive access.
    /// - Returns: what to wait for before the next attempt; nil if the thread has access now.
    private func register(_ kind: Kind, own: Int, _ isRegistered: inout Bool) -> Waiter? {
        state.withLock { state -> Waiter? in
            let mayEnter = kind == .exclusive ? state.count == own && !state.isExclusive : state.isOpen(own: own)
            if mayEnter {
                state.enter(kind)
                if isRegistered { state.waitingForExclusive -= 1 }
                return nil
            }
            if kind == .exclusive && !isRegistered {
                isRegistered = true
                state.waitingForExclusive += 1
            }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return waiter
        }
    }

    /// Waits until the current thread may save.
    private func beginSaving(_ kind: Kind, own: Int) {
        let waiter = state.withLock { state -> Waiter? in
            if state.waitingForSave.isEmpty, state.isOpen(own: own), state.isFree(for: kind) {
                state.enter(kind)
                return nil
            }
            let waiter = Waiter()
            state.waitingForSave.append(WaitingSave(kind: kind, own: own, waiter: waiter))
            // The saves before it may wait for other things.
            for ready in state.admitSaves() { ready.wake() }
            return waiter
        }
        waiter?.wait()
    }

    private func end(_ kind: Kind) {
        let ready = state.withLock { state -> [Waiter] in
            state.leave(kind)
            var ready: [Waiter] = []
            if kind == .exclusive || kind.isSaving { ready = state.admitSaves() }
            if kind == .exclusive || state.waitingForExclusive > 0 {
                ready += state.waiting
                state.waiting = []
            }
            return ready
        }
        for waiter in ready { waiter.wake() }
    }
}

extension StoreAccess.Kind {
    fileprivate var isSaving: Bool { self == .saving || self == .savingSideBySide }
}

extension StoreAccess.State {
    /// Whether a thread may have access beside the threads that have or want exclusive access.
    ///
    /// - Parameter own: the number of accesses that the thread has.
    fileprivate func isOpen(own: Int) -> Bool { own > 0 || !isExclusive && waitingForExclusive == 0 }

    /// Whether a save may run beside the running saves.
    fileprivate func isFree(for kind: StoreAccess.Kind) -> Bool {
        kind == .saving ? saveCount == 0 : !isSavingAlone
    }

    fileprivate mutating func enter(_ kind: StoreAccess.Kind) {
        count += 1
        switch kind {
        case .shared: break
        case .saving:
            saveCount += 1
            isSavingAlone = true
        case .savingSideBySide: saveCount += 1
        case .exclusive: isExclusive = true
        }
    }

    fileprivate mutating func leave(_ kind: StoreAccess.Kind) {
        count -= 1
        switch kind {
        case .shared: break
        case .saving:
            saveCount -= 1
            isSavingAlone = false
        case .savingSideBySide: saveCount -= 1
        case .exclusive: isExclusive = false
        }
    }

    /// Gives access to the waiting saves that may begin. A save that must wait for other saves also stops the saves
    /// behind it.
    ///
    /// - Returns: the threads to wake.
    fileprivate mutating func admitSaves() -> [StoreAccess.Waiter] {
        var ready: [StoreAccess.Waiter] = []
        var index = 0
        while index < waitingForSave.count {
            let save = waitingForSave[index]
            guard isOpen(own: save.own) else {
                index += 1
                continue
            }
            guard isFree(for: save.kind) else { break }
            waitingForSave.remove(at: index)
            enter(save.kind)
            ready.append(save.waiter)
        }
        return ready
    }
}
