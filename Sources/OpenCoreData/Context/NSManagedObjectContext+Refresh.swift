extension NSManagedObjectContext {
    /// Discards all unsaved changes, and this context's actions in the undo manager.
    final func discardChanges() {
        forgetUndo()
        withoutUndo { takeBackAll() }
    }

    private func takeBackAll() {
        processChanges()
        withdrawnSinceEvent += inserted.objects.filter { $0.flags.contains(.announced) }
        let changed = updated.objects + deleted.objects.filter { !$0.flags.contains(.inserted) }
        for object in inserted.objects + deleted.objects.filter({ $0.flags.contains(.inserted) }) {
            unregister(object)
            object.forgetRelationships()
        }
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        deletedInsertions = []
        assignedStores.removeAll()
        for object in changed { restore(object) }
        for object in pending { object.flags.remove(.pending) }
        pending = []
        _ = changeEvent.end()
        refreshedSinceEvent += changed
        processChanges()
    }

    /// Takes an object back to its committed values.
    final func restore(_ object: NSManagedObject) {
        object.flags.subtract([.updated, .deleted, .propagated, .announced, .pending])
        object.releaseFetched()
        if let links = object.links {
            for index in object.layout.relationshipProperties {
                let slot = object.layout.properties[index]
                if slot.kind == .toOne {
                    links[slot.link] = nil
                } else {
                    (links[slot.link] as? ToManyContent)?.rollback()
                }
            }
        }
        guard !object.flags.contains(.fault) else { return }
        object.disownCells()
        if let row = object.row {
            object.cells = row.cells
            object.awake(fromSnapshotEvents: .rollback)
        } else {
            object.flags.insert(.fault)
        }
    }

    /// Removes all objects, all changes, and this context's actions in the undo manager.
    final func removeAllObjects() {
        forgetUndo()
        _ = changeEvent.end()
        let objects = allRegistered
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        deletedInsertions = []
        pending = []
        refreshedSinceEvent = []
        withdrawnSinceEvent = []
        mergedInsertions = []
        checkedObjects = []
        announcedInsertions = nil
        assignedStores.removeAll()
        permanentKeys = [:]
        for object in objects {
            object.turnIntoFault()
            object.flags.subtract([.inserted, .updated, .deleted, .pending, .propagated, .announced])
            object.flags.insert(.detached)
            object.table?.unregister(object)
        }
        moveToNewestGeneration()
        if handle.retained != nil { handle.retained = [:] }
        unsavedTables = [:]
        lastUnsavedTable = nil
        storedTables = [:]
        noteWhetherChanged()
        post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: objects.map(\.objectID)])
        if handle.observers.isObserved { handle.observers.tellReset() }
    }

    /// Replaces the committed values of an object by the newest ones.
    final func refreshObject(_ object: NSManagedObject, mergeChanges flag: Bool) {
        guard object.table?.handle === handle, !object.flags.contains(.detached) else { return }
        object.releaseFetched()
        if parentContext == nil {
            guard object.primaryKey > 0 else { return }
            handle.coordinator?.forget(layout: object.layout, key: object.primaryKey, of: object.table?.store?.store)
        }
        if flag { return takeNewest(object) }
        if object.flags.contains(.inserted) { return }
        if object.flags.contains(.updated) {
            updated.remove(object)
            object.flags.remove(.updated)
        }
        if object.flags.contains(.deleted) {
            deleted.remove(object)
            object.flags.subtract([.deleted, .propagated])
        }
        object.turnIntoFault()
        noteRefreshed(object)
    }

    /// An object takes the newest values that the coordinator knows: one with unsaved changes keeps these, the others
    /// become faults.
    final func takeNewest(_ object: NSManagedObject) {
        object.releaseFetched()
        if !object.flags.isDisjoint(with: [.updated, .deleted]) {
            mergeFresh(object)
        } else if !object.flags.contains(.inserted) {
            object.turnIntoFault()
            noteRefreshed(object)
        }
    }

    final func noteRefreshed(_ object: NSManagedObject) {
        refreshedSinceEvent.append(object)
        scheduleProcessing()
    }

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

    /// Takes a newer row into an object; its unsaved changes stay.
    private func merge(_ fresh: RetainedRow, into object: NSManagedObject) {
        guard object.row != nil else { return }
        let wasFault = object.flags.contains(.fault)
        object.rebase(onto: fresh, keeping: .changesAndOrder)
        guard !wasFault else { return }
        object.awake(fromSnapshotEvents: .refresh)
        noteRefreshed(object)
    }

    /// Takes a row that was fetched again into an object that has values: unsaved changes stay, and those of new and
    /// deleted objects wholly.
    final func refresh(_ object: NSManagedObject, from row: Row, buffer: RowBuffer) {
        let fresh = RetainedRow(buffer: buffer, row: row)
        guard object.flags.isDisjoint(with: [.deleted, .inserted]) else { return }
        if object.flags.contains(.updated) {
            merge(fresh, into: object)
            return
        }
        object.takeCommitted(fresh)
        object.releaseLinks()
        if MethodOverrides.overridesAwakeFromFetch(type(of: object)) { object.awakeWithValues() }
        noteRefreshed(object)
    }
}
