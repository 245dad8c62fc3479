// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension NSManagedObjectContext {
    // MARK: Inserting

    /// Inserts an object that was just made.
    private func insertNew(_ object: NSManagedObject) {
        let layout = object.layout
        refuseAbstract(layout)
        let table = registry.unsavedTable(root: layout.root)
        object.table = table
        object.primaryKey = TemporaryKeys.make()
        let own = Cells.allocate(layout)
        if layout.hasDefaults {
            layout.copy(layout.defaultCells, to: own)
        } else {
            own.initializeEmpty(wordCount: layout.wordCount)
        }
        object.cells = own
        addInserted(object, in: table)
        object.awakeFromInsert()
    }

    /// Registers a new object, which has its key and its cells, and adds it to the inserted objects.
    @inline(__always)
    private func addInserted(_ object: NSManagedObject, in table: IdentityTable) {
        if object.flags.contains(.detached) { object.setDetached(false) }
        object.flags = object.flags.intersection(.checksConcurrency).union([.ownsCells, .inserted, .pending])
        if object.flags.contains(.checksConcurrency) { checkQueue("insert(_:)") }
        table.register(object)
        unsavedChanges.insert(object)
        changeEvent.add(object)
        scheduleProcessing()
    }

    /// Inserts an object that a child has saved, under the key that it has in the child.
    ///
    /// - Parameter replacedVersion: the version of the row that the object replaces, which another context or process
    ///   has deleted: 0 if it isn't known; nil for an object that replaces none.
    final func insertNew(
        _ layout: EntityLayout, key: Int64, table: IdentityTable, replacingVersion replacedVersion: Int32?
    ) -> NSManagedObject {
        let object = registeredObjectOrFault(layout, key: key, in: table)
        object.releaseLinks()
        object.row = nil
        object.flags.remove(.fault)
        object.shareCells(layout.defaultCells)
        object.buffer = nil
        object.ownCells()
        unsavedChanges.insert(object, replacingVersion: replacedVersion)
        markPending(object)
        object.awakeFromInsert()
        return object
    }

    private func refuseAbstract(_ layout: EntityLayout) {
        guard layout.isAbstract else { return }
        programmingError(
            "Entity '\(layout.name)' is abstract and can't be instantiated.",
            remedy: "Insert an object of one of its subentities.")
    }

    /// Inserts an object: a new one, one that was made without a context, or one whose deletion isn't saved yet.
    final func insertObject(_ object: NSManagedObject) {
        if object.isBlank { return insertNew(object) }
        let isReturning = object.flags.contains(.detached)
        if isReturning {
            object.removeTable()
            changeEvent.removeExternalDeletion(object)
        }
        if let other = object.table?.handle.context {
            guard other === self else {
                programmingError(
                    """
                    An NSManagedObject of entity '\(object.layout.name)' can't be inserted: it belongs to another \
                    context.
                    """,
                    remedy: "Get it in this context by object(with: objectID).")
            }
            if object.flags.contains(.deleted) { undelete(object) }
            return
        }
        refuseAbstract(object.layout)
        object.fireFaultIfNeeded()
        object.ownCells()
        // The table may belong to a context that was deallocated.
        object.table?.unregister(object)
        let table = registry.unsavedTable(root: object.layout.root)
        object.setIdentity(table: table, key: object.primaryKey < 0 ? object.primaryKey : TemporaryKeys.make())
        object.row = nil
        object.buffer = nil
        if object.links != nil { saving.recordPossibleDanglingReference() }
        addInserted(object, in: table)
        // An object awakes once in its life.
        if !isReturning { object.awakeFromInsert() }
    }

    /// Sets the store in which a new object will be saved.
    final func assignStore(_ store: NSPersistentStore, to object: Any) {
        guard let object = object as? NSManagedObject, object.flags.contains(.inserted), object.primaryKey < 0 else {
            programmingError(
                "Only new, unsaved objects can be assigned to a store.",
                remedy: "Assign an object right after inserting it.")
        }
        unsavedChanges.assign(object, to: store)
    }

    // MARK: Deleting

    /// Marks an object for deletion, after its `prepareForDeletion()`.
    final func deleteObject(_ object: NSManagedObject) {
        guard object.table?.handle === handle else {
            if object.table == nil { return }
            programmingError(
                "An NSManagedObjectContext cannot delete objects in other contexts (entity '\(object.layout.name)').",
                remedy: "Get the object in this context by object(with: objectID).")
        }
        guard !object.flags.contains(.detached) else { return }
        // Called for each delete(_:), for an object that is deleted already too, as on Apple's platforms.
        object.prepareForDeletion()
        guard object.flags.isDisjoint(with: [.deleted, .detached]) else { return }
        markDeleted(object)
    }

    final func markDeleted(_ object: NSManagedObject) {
        changeEvent.recordSnapshot(of: object)
        unsavedChanges.delete(object)
        markPending(object)
    }

    final func undelete(_ object: NSManagedObject) {
        guard object.changeIndex >= 0 else {
            programmingError(
                "An NSManagedObject of entity '\(object.layout.name)' can't be inserted: its deletion is being saved.",
                remedy: "Don't insert a deleted object in its didSave(); make another one.")
        }
        changeEvent.recordSnapshot(of: object)
        unsavedChanges.undelete(object, isUpdated: true)
        markPending(object)
    }

    /// Marks a fault without a row as deleted: another context or process has saved its deletion.
    final func markInaccessible(_ object: NSManagedObject) {
        changeEvent.recordExternalDeletion(of: object)
        unsavedChanges.delete(object)
        object.flags.insert(.propagated)
        markPending(object)
    }

    // MARK: Marking

    /// Adds an object to the next change notification, unless it is in it already.
    final func markPending(_ object: NSManagedObject) {
        guard !object.flags.contains(.pending) else { return }
        changeEvent.add(object)
        scheduleProcessing()
    }

    /// Schedules the end of the event, if the context's events end with the events of the main queue.
    final func scheduleProcessing() {
        handle.mayHaveChanges.store(true, ordering: .relaxed)
        guard !changeEvent.isEndScheduled, endsEventsWithMainQueue else { return }
        let end = changeEvent.scheduleEnd()
        scheduleOnQueue(if: { end.isNeeded }, { $0.finishEvent() })
    }

    // MARK: Processing

    /// Processes the changes since the last event.
    ///
    /// - Parameter areMerged: whether the changes were merged from another context.
    final func processChanges(areMerged: Bool = false) {
        guard changeEvent.beginProcessing() else { return }
        defer {
            changeEvent.endProcessing()
            updateMayHaveChanges()
        }
        changeEvent.removeReportedDeletions()
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        guard changeEvent.hasChanges else { return changeEvent.removeSnapshots() }
        let (changed, snapshots) = changeEvent.end()
        let registersUndo = undoRegistration.isActive
        if registersUndo {
            // Comparing values, and the undo manager, call the program. Its changes belong to the next event.
            changed.forEachUnretained { $1.flags.remove(.pending) }
            registerUndo(of: changed, snapshots)
        }
        var report = ChangeReport(
            changed, arePending: !registersUndo, snapshots, withdrawn: changeEvent.removeWithdrawn())
        let unregistered = propagatesDeletesAtEndOfEvent ? unregisterDeletedInsertions() : []
        clearUpdatedStateAfterUndo()
        report.addInsertions(returned: undoRegistration.removeRestored())
        report.addInsertions(merged: changeEvent.removeMergedInsertions())
        let inserted = ChangedObjects(report.inserted)
        let updated = ChangedObjects(report.updated)
        let deleted = ChangedObjects(report.deleted)
        let refreshedObjects = changeEvent.removeRefreshed()
        let refreshed = ChangedObjects(
            refreshedObjects.isEmpty
                ? [] : Set(refreshedObjects).subtracting(updated.set).subtracting(deleted.set))
        changeEvent.beginPosting(.init(snapshots: snapshots, inserted: inserted, updated: updated, deleted: deleted))
        post(
            .NSManagedObjectContextObjectsDidChange, inserted: inserted, updated: updated, deleted: deleted,
            refreshed: refreshed, areMerged: areMerged)
        if handle.observers.isObserved {
            handle.observers.post(
                inserted: inserted.set, updated: updated.set, deleted: deleted.set, refreshed: refreshed.set)
        }
        unregistered.forEach(breakRelationshipCycles)
        unregisterDeletedExternally()
    }

    /// Unregisters the objects that were inserted and deleted without a save in between.
    ///
    /// - Returns: the objects, whose relationships the caller ends by `breakRelationshipCycles(_:)`.
    final func unregisterDeletedInsertions() -> [NSManagedObject] {
        let unregistered = unsavedChanges.removeDeletedInsertions()
        unregistered.forEach(unregister)
        return unregistered
    }

    /// Removes the references of an unregistered object, because two such objects could retain each other for ever. An
    /// object that an undo can insert again keeps its references.
    final func breakRelationshipCycles(_ object: NSManagedObject) {
        if object.flags.contains(.detached) && !undoRegistration.restorableObjects.canBeRestored(object) {
            object.clearRelationships()
        }
    }

    /// Detaches an object that never had a row, or whose row is deleted, from the context.
    final func unregister(_ object: NSManagedObject) {
        object.flags.subtract([.inserted, .updated, .pending])
        object.setDetached(true)
        unsavedChanges.assign(object, to: nil)
        registry.remove(object)
    }

    /// Updates the flag by which contexts on other queues see that this context has no changes.
    final func updateMayHaveChanges() {
        handle.mayHaveChanges.store(!unsavedChanges.isEmpty || changeEvent.hasChanges, ordering: .relaxed)
    }
}

extension NSManagedObject {
    /// Whether the object has no context, no ID and no changed values, as the designated initializer leaves it.
    fileprivate final var isBlank: Bool {
        table == nil && primaryKey == 0 && links == nil && flags.subtracting(.checksConcurrency) == .fault
    }
}
