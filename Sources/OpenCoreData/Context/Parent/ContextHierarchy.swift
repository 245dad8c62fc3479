// SPDX-License-Identifier: Apache-2.0

/// The place of a context in a hierarchy: its parent, its children, and the permanent keys that pass from parents to
/// children.
///
/// Used on the context's queue alone, except for `children`, which has a lock.
final class ContextHierarchy {
    private let handle: ContextHandle
    @exclusivity(unchecked) private(set) var parent: NSManagedObjectContext?
    /// The children, and what they have yet to apply.
    let children = ChildContexts()
    /// The permanent keys of objects by their former temporary keys, which a parent or a child may still use.
    @exclusivity(unchecked) private(set) var permanentKeys: [Int64: PermanentKey] = [:]
    /// How many of the parent's permanent keys were applied.
    private var appliedMappingCount = 0

    init(handle: ContextHandle) { self.handle = handle }

    /// Replaces the parent of a context; nil for no parent.
    func setParent(_ newParent: NSManagedObjectContext?, of child: NSManagedObjectContext) {
        parent?.hierarchy.children.removeChild(child)
        parent = newParent
        handle.setParent(newParent?.handle)
        appliedMappingCount = newParent?.hierarchy.children.addChild(child) ?? 0
    }

    // MARK: Permanent keys

    /// Whether a temporary key may have to be replaced by a permanent one.
    var mayHavePermanentKeys: Bool { parent != nil || !permanentKeys.isEmpty }

    /// Whether the parent has recorded permanent keys that were not applied yet.
    var hasUnappliedKeys: Bool {
        guard let parent else { return false }
        return parent.hierarchy.children.recordedMappingCount > appliedMappingCount
    }

    /// The permanent keys that the parent has recorded since the last call, which a context applies now.
    func consumeUnappliedKeys(for context: NSManagedObjectContext) -> [PermanentIDMapping] {
        guard let parent else { return [] }
        let (mappings, count) = parent.hierarchy.children.consumeMappings(since: appliedMappingCount, by: context)
        appliedMappingCount = count
        return mappings
    }

    /// Records a permanent key, for the children and for uses of the temporary key.
    func record(_ mapping: PermanentIDMapping) {
        permanentKeys[mapping.temporary] = mapping.permanent
        children.record(mapping)
    }

    /// Forgets the permanent keys, because no object has one of the temporary keys now.
    func removePermanentKeys() { permanentKeys = [:] }

    // MARK: Invariants

    /// The violated invariants, for tests.
    ///
    /// - The objects of the context know the parent, and the context has the parent's coordinator.
    /// - No more permanent keys were applied than the parent has recorded.
    /// - The key of each temporary key is permanent.
    func checkInvariants() -> [String] {
        var violations: [String] = []
        if handle.parent !== parent?.handle { violations.append("The objects of the context have another parent.") }
        if let parent {
            if parent.handle.coordinator !== handle.coordinator {
                violations.append("The context has another coordinator than its parent.")
            }
            if appliedMappingCount > parent.hierarchy.children.recordedMappingCount {
                violations.append("\(appliedMappingCount) permanent keys were applied, more than were recorded.")
            }
        }
        if !permanentKeys.allSatisfy({ $0.key < 0 && $0.value.key > 0 }) {
            violations.append("A temporary key has no permanent one.")
        }
        return violations
    }
}
