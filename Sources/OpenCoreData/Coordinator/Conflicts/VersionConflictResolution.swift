// SPDX-License-Identifier: Apache-2.0

/// Resolves conflicts with rows that another context or process has changed or deleted, by the rules of a merge policy.
struct VersionConflictResolution {
    let type: NSMergePolicyType

    private var favoursObject: Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    /// - Throws: what the store throws when a row or a reference is checked.
    func resolve(_ conflicts: [NSMergeConflict]) throws {
        var changed: [(object: NSManagedObject, context: NSManagedObjectContext, newest: RetainedRow)] = []
        for conflict in conflicts {
            let object = conflict.sourceObject
            guard let context = object.managedObjectContext else { continue }
            if let newest = try context.newestRow(conflict) {
                changed.append((object, context, newest))
            } else {
                try resolveDeletion(object, context)
            }
        }
        // Relationships are reverted before any row is replaced, while both sides still have the changes of the
        // context.
        if !favoursObject { for (object, _, newest) in changed { revert(object, newest) } }
        for (object, context, newest) in changed { resolveChange(object, context, newest) }
    }

    /// Resolves a conflict with a deletion: the row is inserted again, or the object leaves the context.
    private func resolveDeletion(_ object: NSManagedObject, _ context: NSManagedObjectContext) throws {
        if favoursObject && object.flags.contains(.updated) {
            try context.reinsert(object)
        } else {
            context.unregisterDeleted(object)
        }
    }

    /// Reverts the changes that the policy gives up: all relationships, or each property that the store has changed,
    /// too. An inserted object has no earlier row to compare with.
    private func revert(_ object: NSManagedObject, _ newest: RetainedRow) {
        guard type == .mergeByPropertyStoreTrumpMergePolicyType, let old = object.row, let buffer = object.buffer else {
            return object.revertRelationships()
        }
        withExtendedLifetime(buffer) {
            for slot in object.layout.properties
            where slot.cell >= 0 && object.isChanged(slot) && !slot.isEqual(newest.row.cells, old.cells) {
                object.revert(slot)
            }
        }
    }

    /// Resolves a conflict with a newer row.
    private func resolveChange(_ object: NSManagedObject, _ context: NSManagedObjectContext, _ newest: RetainedRow) {
        if object.flags.contains(.inserted) {
            // Another context or process has inserted the deleted row again, too.
            context.convertToUpdate(object, of: newest)
            if favoursObject {
                object.rebaseContents(type == .overwriteMergePolicyType ? .everything : .changesAndOrder)
            } else {
                context.replaceWithStored(object, newest)
            }
        } else if object.flags.contains(.deleted) {
            guard !favoursObject else { return object.rebase(onto: newest, policy: .changes) }
            context.cancelDeletion(object)
            context.replaceWithStored(object, newest)
        } else {
            let former = object.knownDestinations
            switch type {
            case .rollbackMergePolicyType:
                context.replaceWithStored(object, newest)
            case .overwriteMergePolicyType:
                object.fireFaultIfNeeded()
                object.rebase(onto: newest, policy: .everything)
                if object.flags.isDisjoint(with: [.updated, .inserted]) { context.unsavedChanges.update(object) }
            case .mergeByPropertyObjectTrumpMergePolicyType:
                object.rebase(onto: newest, policy: .changesAndOrder)
            default:
                object.rebase(onto: newest, policy: .changes)
            }
            if favoursObject { object.keepOtherSides(former) } else { object.revertOtherSides(former) }
        }
        if !object.flags.contains(.fault) { object.awake(fromSnapshotEvents: .mergePolicy) }
        context.markRefreshed(object)
    }
}

extension NSManagedObjectContext {
    /// The newest row of an object in conflict; nil if it was deleted.
    fileprivate final func newestRow(_ conflict: NSMergeConflict) throws -> RetainedRow? {
        if let row = conflict.persistedRow { return row }
        let object = conflict.sourceObject
        guard conflict.newVersionNumber != 0, let table = object.table else { return nil }
        // The program has made the conflict, and it has no row.
        handle.coordinator?.evictSnapshot(layout: object.layout, key: object.primaryKey, of: table.store?.store)
        return try snapshot(object.layout, key: object.primaryKey, table: table)
    }

    /// Marks a changed object whose row is gone as inserted: the next attempt inserts its row again, under its ID.
    ///
    /// - Throws: what the store throws when a reference is checked. The object is unchanged then.
    fileprivate final func reinsert(_ object: NSManagedObject) throws {
        object.fireFaultIfNeeded()
        // Everything that can fail comes first.
        let missing = try object.layout.toOneProperties.filter {
            try isDestinationMissing(object, object.layout.properties[$0])
        }
        object.ownCells()
        handle.coordinator?.evictSnapshot(layout: object.layout, key: object.primaryKey, of: object.table?.store?.store)
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            if slot.kind == .toMany {
                (object.link(slot.link) as? ToManyContent)?.discardCommittedMembers()
            } else if missing.contains(index) {
                object.cells.setEmpty(slot.cell)
                object.setLink(nil, slot.link)
            }
        }
        let version = Self.versionBeyond(object.row?.version ?? 0)
        object.row = nil
        object.buffer = nil
        unsavedChanges.convertToInsertion(object, replacingVersion: version)
        markPending(object)
    }

    /// A row version for a new row in place of a deleted row. No context has the deleted row with this version. The
    /// last version of the deleted row is not known, because the row may have been written after this context read it.
    /// A context with that last version must find out that the row was replaced.
    private static func versionBeyond(_ version: Int32) -> Int32 { (version & 0x3FFF_FFFF) + 0x1_0000 }

    /// Whether a to-one reference names an object without a row that the save doesn't insert either.
    ///
    /// - Throws: the errors of the store.
    private func isDestinationMissing(_ object: NSManagedObject, _ slot: PropertySlot) throws -> Bool {
        guard object.cells.isPresent(slot.cell) else { return false }
        let layout = object.layout.model[object.cells.referenceLayout(slot.cell)]
        let key = object.cells.integer(slot.cell)
        let destination =
            object.link(slot.link) as? NSManagedObject ?? knownObject(layout: layout, key: key, near: object)
        if let destination, !destination.flags.isDisjoint(with: [.inserted, .updated]),
            destination.flags.isDisjoint(with: [.deleted, .detached])
        {
            // If the row of a changed object is gone, the save finds this conflict, and the row is inserted again, too.
            checkVersionOnSave(ofContradicted: destination)
            return false
        }
        if hierarchy.parent != nil {
            let destination = objectForChildReference(layout, key: key, near: object)
            return try parentRow(layout, key: destination.primaryKey, store: destination.table?.store) == nil
        }
        guard key > 0, let store = object.table?.store else { return false }
        return try snapshot(layout, key: key, table: registry.table(store: store, root: layout.root)) == nil
    }

    /// Turns an insertion under the ID of an existing row into an update of that row.
    fileprivate final func convertToUpdate(_ object: NSManagedObject, of row: RetainedRow) {
        object.ownCells()
        object.row = row.row
        object.buffer = row.buffer
        unsavedChanges.convertToUpdate(object)
    }

    /// Cancels the deletion of an object. It is again in the relationships that the deletion has removed it from.
    fileprivate final func cancelDeletion(_ object: NSManagedObject) {
        unsavedChanges.cancelDeletion(of: object)
        object.revertRelationships()
        markPending(object)
    }

    /// Discards the changes of an object: it has the values of a row.
    fileprivate final func replaceWithStored(_ object: NSManagedObject, _ row: RetainedRow) {
        unsavedChanges.cancelUpdate(of: object)
        object.turnIntoFault()
        object.attach(row.row, buffer: row.buffer)
        object.fireFaultIfNeeded()
    }

    /// Unregisters an object that another context or process has deleted. The next change notification reports it as
    /// deleted.
    final func unregisterDeleted(_ object: NSManagedObject) {
        markDeletedExternally(object)
        unregister(object)
    }

    /// Marks an object as deleted by another context or process. This context has nothing to save for it. The next
    /// change notification reports it as deleted, and unregisters it then.
    final func markDeletedExternally(_ object: NSManagedObject) {
        changeEvent.recordExternalDeletion(of: object)
        // The other deletion has changed the related rows already, so the effects of this context's deletion don't
        // count as changes.
        if object.flags.isSuperset(of: [.deleted, .propagated]) { object.revertRelationships() }
        object.removeFromInverses()
        unsavedChanges.remove(object)
        handle.coordinator?.evictSnapshot(layout: object.layout, key: object.primaryKey, of: object.table?.store?.store)
        markPending(object)
        // Its last values can still be read.
        object.flags.formUnion([.deleted, .propagated])
        changeEvent.addExternalDeletion(object)
    }

    /// Unregisters the objects that another context or process has deleted, after the notification about them.
    final func unregisterDeletedExternally() {
        let deleted = changeEvent.deletedExternally
        for object in deleted where !object.flags.contains(.detached) { unregister(object) }
        if !deleted.isEmpty { scheduleProcessing() }
    }
}
