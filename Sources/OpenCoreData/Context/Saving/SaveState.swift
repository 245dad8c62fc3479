// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state of a context's saving: the merge policy, the save under way, and the checks that it makes.
///
/// Used on the context's queue alone.
final class SaveState {
    /// Resolves the conflicts of a save.
    private(set) var mergePolicy = NSMergePolicy.error
    /// Whether any context has had numbers beyond 64 bits: a save asks for each object.
    static let haveUnrepresentableNumbers = Atomic<Bool>(false)
    /// Whether a save is under way, up to `NSManagedObjectContextDidSave`.
    private(set) var isActive = false
    /// Whether the save is writing to the stores. A pinned context reads the newest rows then.
    private(set) var isWriting = false
    /// Whether a store writes the cells of objects. Work that would free the cells is postponed until then.
    private(set) var holdsCells = false
    private var postponed: [() -> Void] = []
    /// Whether a save validates: a migration validates at its end, when all relationships are set.
    private(set) var validates = true
    /// Whether a relationship may have a destination without a context, or in another context. The next save checks
    /// this.
    private(set) var mayHaveDanglingReferences = false
    /// The indexes of the attributes that were set to a number beyond 64 bits, which the next save refuses.
    private var unrepresentableNumbers: [NSManagedObject: Set<Int>] = [:]

    func setMergePolicy(_ policy: NSMergePolicy) { mergePolicy = policy }

    func setValidates(_ isValidating: Bool) { validates = isValidating }

    func begin() { isActive = true }

    /// Ends a save. Its observers may save again.
    func end() { isActive = false }

    /// Runs the block of a save that writes to the stores.
    func write<Result>(_ body: () throws -> Result) rethrows -> Result {
        isWriting = true
        defer { isWriting = false }
        return try body()
    }

    // MARK: Held cells

    /// Keeps the cells of all objects unchanged until ``releaseCells()``, while stores that the program defines are
    /// called.
    func holdCells() { holdsCells = true }

    /// Runs what was postponed: the save has ended.
    func releaseCells() {
        holdsCells = false
        while !postponed.isEmpty { postponed.removeFirst()() }
    }

    /// Postpones what a program has asked for while a store writes.
    func postpone(_ action: @escaping () -> Void) { postponed.append(action) }

    // MARK: Dangling references

    /// Records that the next save must check the destinations of all changed relationships.
    func recordPossibleDanglingReference() { mayHaveDanglingReferences = true }

    /// Records that no relationship of the changes has a destination that can't be saved.
    func removePossibleDanglingReferences() { mayHaveDanglingReferences = false }

    // MARK: Numbers beyond 64 bits

    /// Records that an attribute of 64 bits was set to a number that it can't have: its cell has the nearest number
    /// that it can have.
    func recordUnrepresentableNumber(_ slot: PropertySlot, of object: NSManagedObject) {
        Self.haveUnrepresentableNumbers.store(true, ordering: .releasing)
        unrepresentableNumbers[object, default: []].insert(slot.index)
    }

    var hasUnrepresentableNumbers: Bool { !unrepresentableNumbers.isEmpty }

    /// Whether an attribute was set to a number that it can't have.
    func hasUnrepresentableNumber(_ slot: PropertySlot, of object: NSManagedObject) -> Bool {
        unrepresentableNumbers[object]?.contains(slot.index) == true
    }

    /// Whether an attribute still has the nearest value of a number that it can't have.
    func isUnrepresentable(_ value: Int64, _ slot: PropertySlot, of object: NSManagedObject) -> Bool {
        guard !unrepresentableNumbers.isEmpty, value == .max || value == .min else { return false }
        return hasUnrepresentableNumber(slot, of: object)
    }

    /// Forgets a number that an attribute can't have, because the attribute has another value now.
    func removeUnrepresentableNumber(_ slot: PropertySlot, of object: NSManagedObject) {
        if !unrepresentableNumbers.isEmpty { unrepresentableNumbers[object]?.remove(slot.index) }
    }

    func removeUnrepresentableNumbers() { unrepresentableNumbers = [:] }

    // MARK: Invariants

    /// The violated invariants, for tests: only a save that is under way is writing.
    func checkInvariants() -> [String] {
        (isWriting && !isActive ? ["The context writes, but doesn't save."] : [])
            + (holdsCells || !postponed.isEmpty ? ["The context holds cells between the calls of the program."] : [])
    }
}
