// SPDX-License-Identifier: Apache-2.0

/// The changes of a child that a save applies to its parent. Collected on the child's queue, and read on the parent's
/// queue while the child waits.
struct ParentSave {
    /// An inserted or updated object.
    struct Change {
        let object: NSManagedObject
        let id: NSManagedObjectID
        let isNew: Bool
        /// The attributes to set.
        var values: [PropertySlot] = []
        var references: [Reference] = []
        var contents: [Contents] = []

        var isEmpty: Bool { !isNew && values.isEmpty && references.isEmpty && contents.isEmpty }
    }

    struct Reference {
        let slot: PropertySlot
        let destination: NSManagedObjectID?
    }

    /// The change of a to-many relationship.
    struct Contents {
        let slot: PropertySlot
        /// Whether the inverse is a to-one relationship: then the changes of the members change this relationship, too.
        let isOneToMany: Bool
        /// In order, if the relationship is ordered.
        let added: [NSManagedObjectID]
        let removed: [NSManagedObjectID]
        /// The complete contents in order; nil if the added members were appended.
        let order: [NSManagedObjectID]?
    }

    /// An object that has other values in the parent than the committed values in the child.
    struct Conflict {
        let object: NSManagedObject
        /// The parent's values; nil if the object is deleted in the parent.
        let newest: RetainedRow?
    }

    let child: NSManagedObjectContext
    private(set) var changes: [Change] = []
    private(set) var deleted: [NSManagedObjectID] = []
    /// Unchanged objects that must have the same values in the parent.
    private(set) var checked: [NSManagedObject] = []

    /// - Throws: 133000 for an updated object whose values, or the members of a changed relationship, could not be
    ///   read.
    init(_ child: NSManagedObjectContext) throws {
        self.child = child
        for object in child.unsavedChanges.inserted.objects { changes.append(try Self.change(of: object, isNew: true)) }
        for object in child.unsavedChanges.updated.objects {
            object.fireFaultIfNeeded()
            guard object.row != nil else { throw SavePlan.unreadable(object) }
            let change = try Self.change(of: object, isNew: false)
            if !change.isEmpty { changes.append(change) }
        }
        deleted = child.unsavedChanges.deleted.objects.map(\.objectID)
        checked = child.unsavedChanges.checkedObjects.filter {
            $0.flags.isDisjoint(with: [.inserted, .deleted, .detached]) && $0.row != nil
        }
    }

    /// The inserted and the updated objects.
    var written: (new: [NSManagedObject], changed: [NSManagedObject]) {
        (changes.filter(\.isNew).map(\.object), changes.filter { !$0.isNew }.map(\.object))
    }

    private static func change(of object: NSManagedObject, isNew: Bool) throws -> Change {
        var change = Change(object: object, id: object.objectID, isNew: isNew)
        for slot in object.layout.properties where slot.kind != .fetched && (isNew || object.isChanged(slot)) {
            switch slot.kind {
            case .toOne:
                change.references.append(Reference(slot: slot, destination: object.destination(slot)?.idForParent))
            case .toMany:
                guard let content = object.link(slot.link) as? ToManyContent else { continue }
                if content.hasUnreadChange { throw SavePlan.unreadable(object, slot) }
                // For a member that was removed and added again, the parent needs the complete order.
                if content.hasReaddedMembers { _ = object.toManyContent(slot, loading: true) }
                content.change(of: slot, owner: object).map { change.contents.append($0) }
            default:
                // Derived values are computed when the topmost context saves.
                if slot.cell >= 0 && slot.derivation == nil { change.values.append(slot) }
            }
        }
        return change
    }
}

extension ToManyContent {
    /// The change for the parent; nil if there is none.
    fileprivate func change(of slot: PropertySlot, owner: NSManagedObject) -> ParentSave.Contents? {
        let isOneToMany =
            slot.inverse >= 0 && owner.layout.model[slot.destination].properties[slot.inverse].kind == .toOne
        let additions = additions
        // Any other removed member has its own change: its to-one reference. A deleted member has none.
        let removals =
            isOneToMany ? self.removals.filter { !$0.flags.isDisjoint(with: [.deleted, .detached]) } : self.removals
        var newOrder: [NSManagedObject]?
        if isOrdered && isLoaded && isChanged {
            let appended = committed.filter { !isRemoved($0) } + additions
            if members != appended { newOrder = members }
        }
        if isOneToMany && removals.isEmpty && newOrder == nil && !(isOrdered && !additions.isEmpty) { return nil }
        if additions.isEmpty && removals.isEmpty && newOrder == nil { return nil }
        return ParentSave.Contents(
            slot: slot, isOneToMany: isOneToMany, added: additions.compactMap(\.idForParent),
            removed: removals.compactMap(\.idForParent),
            order: newOrder?.compactMap(\.idForParent))
    }
}

extension NSManagedObject {
    /// The ID for the parent; nil for an object that was inserted and deleted without a save between.
    fileprivate final var idForParent: NSManagedObjectID? {
        primaryKey < 0 && flags.contains(.detached) ? nil : objectID
    }
}

extension NSManagedObjectContext {
    /// Applies the changes to the parent. The merge policy resolves conflicts until there are none. Then the changes
    /// are committed values of this context.
    final func saveIntoParent() throws {
        var previousConflicts: Set<String> = []
        // An object can have a new conflict in each round only if the parent changes it between the rounds, or if the
        // merge policy makes new conflicts. The limit stops such a policy.
        for _ in 0..<Self.conflictLimit {
            let save = try ParentSave(self)
            let found = try performOnParent { try save.apply(to: $0) } ?? []
            if found.isEmpty { return didSaveIntoParent(save) }
            let conflicts = found.map(mergeConflict)
            let descriptions = Set(conflicts.map(\.description))
            if descriptions == previousConflicts { throw ConflictErrors.error(versions: conflicts) }
            previousConflicts = descriptions
            try resolveConflicts(conflicts)
        }
        throw endlessConflicts()
    }

    private func mergeConflict(_ conflict: ParentSave.Conflict) -> NSMergeConflict {
        let object = conflict.object
        let store = object.table?.store
        let newest = conflict.newest.map { ConflictSnapshot.values(of: $0.row, object.layout, store: store) }
        let committed = object.row.map { ConflictSnapshot.values(of: $0, object.layout, store: store) }
        return NSMergeConflict(
            object, newVersion: Int(conflict.newest?.version ?? 0), oldVersion: Int(object.row?.version ?? 0),
            cached: newest ?? committed,
            persisted: nil, row: conflict.newest)
    }

    private func didSaveIntoParent(_ save: ParentSave) {
        let objects = objectsToSave()
        let written = save.written
        recordCommittedSnapshots(of: written.new, isNew: true, isStored: false)
        recordCommittedSnapshots(of: written.changed, isNew: false, isStored: false)
        didCommit(objects, savedObjectIDs())
    }
}
