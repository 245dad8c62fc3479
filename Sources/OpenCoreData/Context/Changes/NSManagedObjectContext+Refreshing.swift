// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// Discards all unsaved changes, and this context's actions in the undo manager.
    final func discardChanges() {
        undoRegistration.removeActions(of: self)
        saving.removeUnrepresentableNumbers()
        undoRegistration.suspended { revertAll() }
    }

    /// Reverts all changes, and adds the objects to the refreshed objects of the next change notification.
    private func revertAll() {
        processChanges()
        let (inserted, deleted) = (unsavedChanges.inserted.objects, unsavedChanges.deleted.objects)
        let withdrawn = inserted.filter { $0.flags.contains(.announced) }
        let changed = unsavedChanges.updated.objects + deleted.filter { !$0.flags.contains(.inserted) }
        for object in inserted + deleted.filter({ $0.flags.contains(.inserted) }) {
            unregister(object)
            object.clearRelationships()
        }
        unsavedChanges.discard()
        let awaking = changed.filter(restoreValues)
        changeEvent.discard(withdrawn: Array(withdrawn), restored: Array(changed))
        // The program is called when nothing is left to revert: it may change, refresh or remove any object.
        for object in awaking where object.flags.isDisjoint(with: [.fault, .detached]) {
            object.awake(fromSnapshotEvents: .rollback)
        }
        processChanges()
    }

    /// Restores the committed values of an object.
    ///
    /// - Returns: whether the object has values.
    private func restoreValues(_ object: NSManagedObject) -> Bool {
        object.flags.subtract([.updated, .deleted, .propagated, .announced])
        object.discardFetchedProperties()
        for index in object.layout.relationshipProperties where object.links != nil {
            let slot = object.layout.properties[index]
            if slot.kind == .toOne {
                object.setLink(nil, slot.link)
            } else {
                (object.link(slot.link) as? ToManyContent)?.rollback()
            }
        }
        guard !object.flags.contains(.fault) else { return false }
        guard let row = object.row else {
            object.flags.insert(.fault)
            object.shareCells(object.layout.defaultCells)
            return false
        }
        object.shareCells(row.cells)
        return !object.flags.contains(.fault)
    }

    /// How many rounds a reset has: objects are called while they leave the context, and may bring further objects into
    /// it.
    private static let resetLimit = 100

    /// Removes all objects, all changes, and this context's actions in the undo manager.
    final func removeAllObjects() {
        undoRegistration.removeActions(of: self)
        var removed: [NSManagedObject] = []
        // The objects are called, and may make or change other objects.
        for _ in 0..<Self.resetLimit {
            let objects = registry.objects
            if objects.isEmpty && unsavedChanges.isEmpty { break }
            unsavedChanges.removeAll()
            changeEvent.removeAll()
            hierarchy.removePermanentKeys()
            for object in objects where !object.flags.contains(.detached) {
                object.turnIntoFault()
                // Its methods may have done the same.
                guard !object.flags.contains(.detached) else { continue }
                object.flags.subtract([.inserted, .updated, .deleted, .pending, .propagated, .announced])
                object.setDetached(true)
                object.table?.unregister(object)
            }
            if removed.isEmpty { removed = objects } else { removed += objects }
        }
        unsavedChanges.removeAll()
        saving.removeUnrepresentableNumbers()
        changeEvent.removeAll()
        advanceToNewestGeneration()
        registry.removeTables()
        updateMayHaveChanges()
        post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: removed.map(\.objectID)])
        if handle.observers.isObserved { handle.observers.postReset() }
    }

    /// Ends a context of which the program has only some objects left. Releases the unsaved changes, the event with its
    /// objects, and the objects that related objects retain. The objects read their rows again. A value that is set
    /// from now on can't be saved.
    ///
    /// No observer is notified, because it couldn't get the context.
    package final func end() {
        if hasChanges { discardChanges() }
        undoRegistration.detach(from: self)
        let objects = registry.objects
        for object in objects {
            object.turnIntoFault()
            object.flags.remove(.pending)
        }
        changeEvent.removeAll()
        registry.removeKeptSets()
        changeEvent.endRecording()
        updateMayHaveChanges()
    }

    /// Replaces the committed values of an object by the newest ones.
    final func refreshObject(_ object: NSManagedObject, mergeChanges flag: Bool) {
        guard object.table?.handle === handle, !object.flags.contains(.detached) else { return }
        object.discardFetchedProperties()
        if object.flags.contains(.inserted) {
            if !flag { discardValues(of: object) }
            return
        }
        if hierarchy.parent == nil {
            guard object.primaryKey > 0 else { return }
            handle.coordinator?.evictSnapshot(
                layout: object.layout, key: object.primaryKey, of: object.table?.store?.store)
        }
        if flag { return refreshToNewest(object) }
        unsavedChanges.cancelUpdate(of: object)
        unsavedChanges.cancelDeletion(of: object)
        if unsavedChanges.isContradicted(object) && !object.flags.contains(.fault) {
            let former = object.knownDestinations
            _ = restoreValues(object)
            mergeFresh(object)
            return object.keepOtherSides(former)
        }
        object.turnIntoFault()
        markRefreshed(object)
    }

    /// Makes a new object a fault. No store has its values: it has the default values when the fault fires.
    private func discardValues(of object: NSManagedObject) {
        guard object.flags.isDisjoint(with: [.fault, .deleted]) else { return }
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            if slot.kind == .toMany {
                object.replaceMembers([], slot)
            } else {
                object.setDestination(nil, slot)
            }
        }
        object.turnIntoFault()
        markRefreshed(object)
    }

    /// Replaces the committed values of an object by the newest that the coordinator has. An object with unsaved
    /// changes keeps them; any other becomes a fault, unless a change of another object concerns it.
    final func refreshToNewest(_ object: NSManagedObject) {
        object.discardFetchedProperties()
        if !object.flags.isDisjoint(with: [.updated, .deleted]) || unsavedChanges.isContradicted(object) {
            mergeFresh(object)
        } else if !object.flags.contains(.inserted) {
            object.turnIntoFault()
            markRefreshed(object)
        }
    }

    /// Adds an object to the refreshed objects of the next change notification.
    final func markRefreshed(_ object: NSManagedObject) {
        changeEvent.addRefreshed(object)
        scheduleProcessing()
    }

    /// Reads the newest row of an object with unsaved changes, and merges it.
    private func mergeFresh(_ object: NSManagedObject) {
        do {
            guard let table = object.table,
                let found = try snapshot(object.layout, key: object.primaryKey, table: table)
            else { return }
            merge(found, into: object)
        } catch {
            CoreDataLog.error("\(object.objectID) can't be refreshed: \(error.localizedDescription)")
        }
    }

    /// Replaces the committed values of an object by a newer row. Its unsaved changes stay.
    private func merge(_ fresh: RetainedRow, into object: NSManagedObject) {
        guard object.row != nil else { return }
        let wasFault = object.flags.contains(.fault)
        let isNewer = object.row?.version != fresh.version
        let former = isNewer ? object.knownDestinations : []
        object.rebase(onto: fresh, policy: .changesAndOrder)
        if isNewer { propagateDeletion(toNewRelationshipsOf: object) }
        object.keepOtherSides(former)
        guard !wasFault else { return }
        object.awake(fromSnapshotEvents: .refresh)
        markRefreshed(object)
    }

    /// Replaces the committed values of an object by a row that was fetched again. Unsaved changes stay, and new and
    /// deleted objects stay as they are.
    final func refresh(_ object: NSManagedObject, from row: Row, buffer: RowBuffer) {
        let fresh = RetainedRow(buffer: buffer, row: row)
        guard object.flags.isDisjoint(with: [.deleted, .inserted]) else { return }
        if object.flags.contains(.updated) || unsavedChanges.isContradicted(object) {
            merge(fresh, into: object)
            return
        }
        object.applyCommittedRow(fresh)
        object.releaseLinks()
        if MethodOverrides.overridesAwakeFromFetch(type(of: object)) { object.awakeWithValues() }
        markRefreshed(object)
    }
}
