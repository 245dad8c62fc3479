// SPDX-License-Identifier: Apache-2.0

/// The last steps of a save, after the stores or the parent have committed.
extension NSManagedObjectContext {
    /// Gives the saved objects their permanent IDs and committed snapshots, and reports the save.
    ///
    /// - Parameter remaining: the changes that were not saved, if some stores have not committed.
    final func didWrite(
        _ plan: SavePlan, _ results: [StoreSaveResult], commit: Int, keeping remaining: RemainingChanges? = nil
    ) {
        advanceToNewestGeneration()
        let objects = objectsToSave()
        for (part, result) in zip(plan.parts, results) {
            var last: (root: UInt32, table: IdentityTable)?
            for (object, key) in zip(part.insertedObjects, result.keys) {
                let root = object.layout.root
                if last?.root != root { last = (root, registry.table(store: part.store.identity, root: root)) }
                assignPermanentID(to: object, key: key, table: last.unsafelyUnwrapped.table)
            }
        }
        hierarchy.children.scheduleIDMappings()
        for (part, result) in zip(plan.parts, results) {
            let inserted = recordCommittedSnapshots(of: part.insertedObjects, isNew: true, isStored: true)
            let updated = recordCommittedSnapshots(of: part.updatedObjects, isNew: false, isStored: true)
            cacheSnapshots(inserted, isNew: true, part.store, savedIn: result.rowCacheGeneration)
            cacheSnapshots(updated, isNew: false, part.store, savedIn: result.rowCacheGeneration)
            evictSnapshots(of: part.deletedObjects[...], part.store)
            for reference in result.affected {
                refreshAfterStoreChange(reference, store: part.store)
                recordChange(of: reference, store: part.store)
            }
        }
        // The IDs exist before the contexts on other queues merge them.
        let savedIDs = savedObjectIDs()
        let token = historyToken(plan, results)
        deliver(savedIDs, plan, results, commit, token)
        didCommit(objects, savedIDs, keeping: remaining, historyToken: token)
    }

    /// The transactions of a save in the history of its stores; nil if none records its history.
    private func historyToken(_ plan: SavePlan, _ results: [StoreSaveResult]) -> NSPersistentHistoryToken? {
        var transactions: [String: Int64] = [:]
        for (part, result) in zip(plan.parts, results) {
            if let number = result.transaction { transactions[part.store.identity.uuid] = number }
        }
        return transactions.isEmpty ? nil : NSPersistentHistoryToken(transactions)
    }

    /// The objects of a save, for `NSManagedObjectContextDidSave`.
    struct SavedObjects {
        let inserted: ChangedObjects
        let updated: ChangedObjects
        let deleted: ChangedObjects
    }

    /// The objects of the save under way.
    final func objectsToSave() -> SavedObjects {
        SavedObjects(
            inserted: ChangedObjects(unsavedChanges.inserted.objects),
            updated: ChangedObjects(unsavedChanges.updated.objects),
            deleted: ChangedObjects(unsavedChanges.deleted.objects))
    }

    /// The IDs of the objects of the save under way, after new ones have got permanent IDs.
    final func savedObjectIDs() -> SavedObjectIDs {
        // An ID may be permanent by now, which the object learns when the ID is read.
        if hierarchy.parent != nil { applyPermanentKeysOnQueue() }
        return SavedObjectIDs(unsavedChanges.lists)
    }

    /// Ends a save whose changes are written: the objects no longer count as changed, `didSave()` is called, and the
    /// notifications are posted.
    ///
    /// - Parameters:
    ///   - remaining: the changes that were not saved, if some stores have not committed.
    ///   - historyToken: the transactions of the save in the history of its stores.
    final func didCommit(
        _ objects: SavedObjects, _ savedIDs: SavedObjectIDs, keeping remaining: RemainingChanges? = nil,
        historyToken: NSPersistentHistoryToken? = nil
    ) {
        let saved = unsavedChanges.lists
        unsavedChanges.removeAll()
        if let remaining { unsavedChanges.restore(remaining) }
        for objects in saved {
            objects.forEachUnretained { _, object in
                object.flags.subtract([.inserted, .updated, .announced, .replacing])
                object.commitRelationshipContents()
            }
        }
        updateMayHaveChanges()
        if handle.observers.isObserved { handle.observers.recordSavedReferences() }
        // The cells now belong to committed rows, so objects and observers may reset and refresh at once.
        saving.releaseCells()
        callDidSave(saved)
        saved[2].forEachUnretained { unregister($1) }
        if !saved[2].isEmpty { registry.removeDetachedOrderedSets() }
        recordChanges(savedIDs)
        if handle.observers.isObserved { handle.observers.finishDetachedObjects() }
        // The save is done: observers may save again.
        saving.end()
        post(
            .NSManagedObjectContextDidSave, inserted: objects.inserted, updated: objects.updated,
            deleted: objects.deleted, historyToken: historyToken)
        postDidSaveObjectIDs(savedIDs, historyToken)
        saved[2].forEachUnretained { breakRelationshipCycles($1) }
    }

    /// Calls `didSave()` of the classes that override it. A deleted object is still `isDeleted` then.
    private func callDidSave(_ saved: [ContiguousArray<NSManagedObject>]) {
        for objects in saved {
            objects.forEachUnretained { _, object in
                guard MethodOverrides.overridesDidSave(type(of: object)) else { return }
                let isDeleted = object.flags.contains(.deleted)
                // Values that a deleted object sets in its didSave() are no changes.
                if isDeleted { object.flags.insert(.suppressesChangeTracking) }
                object.didSave()
                if isDeleted { object.flags.remove(.suppressesChangeTracking) }
            }
        }
    }

    /// Moves the saved values into row buffers: they are the committed snapshots from now on.
    ///
    /// - Parameters:
    ///   - objects: the saved objects. A row buffer is made for each run of objects of one entity.
    ///   - isNew: whether the objects were inserted. Their row version is then 1, or the next one after a row that they
    ///     replace.
    ///   - isStored: whether a store has the rows. False after a save into a parent, whose objects have no stored rows
    ///     yet.
    /// - Returns: the row buffers.
    @discardableResult
    final func recordCommittedSnapshots(of objects: [NSManagedObject], isNew: Bool, isStored: Bool) -> [RowBuffer] {
        var buffers: [RowBuffer] = []
        var position = 0
        while position < objects.count {
            let layout = objects[position].layout
            var end = position
            objects.withUnsafeBufferPointer { objects in
                while end < objects.count,
                    objects.unretained(at: end)._withUnsafeGuaranteedRef({ $0.layoutNumber == layout.number })
                { end += 1 }
            }
            var list = RowList(layout: layout, includesSubentities: false, expected: end - position)
            for object in objects[position..<end] {
                resolveReferences(object)
                let buffer = list.bufferForAppending()
                let version: Int32 =
                    !isStored
                    ? object.row?.version ?? 0
                    : (isNew ? unsavedChanges.replacedVersion(of: object) : object.row?.version ?? 0) &+ 1
                let row = buffer.appendUninitialized(primaryKey: object.primaryKey, version: version, layout: layout)
                if layout.hasTransientCells {
                    layout.copy(object.cells, to: row.cells)
                    layout.resetTransientValues(row.cells)
                } else if object.flags.contains(.ownsCells) {
                    // The row takes over the ownership of the values: their bytes are moved, not copied.
                    row.cells.initialize(from: object.cells, wordCount: layout.wordCount)
                    object.cells.deallocate()
                    object.flags.remove(.ownsCells)
                    object.cells = row.cells
                } else {
                    layout.copy(object.cells, to: row.cells)
                    object.cells = row.cells
                }
                object.row = row
                object.buffer = buffer
            }
            if buffers.isEmpty { buffers = list.buffers } else { buffers += list.buffers }
            position = end
        }
        return buffers
    }

    /// Puts saved rows into the row cache. Rows with transformable values are evicted instead, because each context
    /// decodes its own objects.
    private func cacheSnapshots(
        _ buffers: [RowBuffer], isNew: Bool, _ store: any SnapshotStore, savedIn generation: Int
    ) {
        let cache = store.database.rowCache
        func hasTransformables(_ buffer: RowBuffer) -> Bool { buffer.firstLayout?.hasTransformables == true }
        guard buffers.contains(where: hasTransformables) else {
            return cache.addSaved(buffers, replacing: !isNew, savedIn: generation)
        }
        cache.addSaved(buffers.filter { !hasTransformables($0) }, replacing: !isNew, savedIn: generation)
        for buffer in buffers where hasTransformables(buffer) {
            guard let root = buffer.firstLayout?.root else { continue }
            cache.evict(root: root, keys: Array(buffer.primaryKeys))
        }
    }

    /// Evicts the rows of objects from the row cache, with one call for each run of objects of one entity hierarchy.
    private func evictSnapshots(of objects: ArraySlice<NSManagedObject>, _ store: any SnapshotStore) {
        var rest = objects
        while let root = rest.first?.layout.root {
            let run = rest.prefix { $0.layout.root == root }
            store.database.rowCache.evict(root: root, keys: run.map(\.primaryKey))
            rest = rest[run.endIndex...]
        }
    }

    /// Replaces the row of an object whose derived attributes the store has changed. A fault reads it at its next
    /// access. An object whose values differ from before is reported as refreshed.
    private func refreshAfterStoreChange(_ reference: ObjectReference, store: any SnapshotStore) {
        guard let layouts = handle.coordinator?.layouts else { return }
        let layout = layouts[reference.layout]
        handle.coordinator?.evictSnapshot(layout: layout, key: reference.key, of: store)
        guard let object = knownObject(layout, key: reference.key, store: store.identity),
            !object.flags.contains(.deleted)
        else { return }
        guard !object.flags.contains(.fault) else {
            object.row = nil
            object.buffer = nil
            return
        }
        do {
            let fresh = try requireCoordinator().read(store.database) {
                try $0.snapshot(layout: layout, key: reference.key)
            }
            guard let fresh, object.accepts(fresh.row) else { return }
            let isChanged = layout.derivedProperties.contains {
                !layout.properties[$0].isEqual(object.cells, fresh.row.cells)
            }
            object.applyCommittedRow(fresh)
            if isChanged { markRefreshed(object) }
        } catch {
            CoreDataLog.error(
                """
                The derived attributes of \(object.objectID) can't be read: \(error.localizedDescription) They \
                keep their values until it is refreshed.
                """
            )
        }
    }

    /// Delivers the save to the contexts that merge automatically.
    private func deliver(
        _ saved: SavedObjectIDs, _ plan: SavePlan, _ results: [StoreSaveResult], _ commit: Int,
        _ token: NSPersistentHistoryToken?
    ) {
        guard let coordinator = handle.coordinator else { return }
        var changes = MergedChanges()
        changes.historyToken = token
        let hasMergingChildren = hierarchy.children.delivery.hasSubscribers
        if coordinator.mergeDelivery.hasSubscribers || hasMergingChildren {
            (changes.inserted, changes.updated, changes.deleted) = (saved.inserted, saved.updated, saved.deleted)
            for (part, result) in zip(plan.parts, results) {
                for row in result.affected {
                    let id = NSManagedObjectID(
                        layout: coordinator.layouts[row.layout], store: part.store.identity, key: row.key)
                    if !changes.inserted.contains(id) { changes.updated.insert(id) }
                }
            }
        }
        coordinator.mergeDelivery.deliver(changes, commit: commit, from: self)
        if hasMergingChildren { deliverToChildren(changes, from: self) }
    }

    private func postDidSaveObjectIDs(_ saved: SavedObjectIDs, _ token: NSPersistentHistoryToken?) {
        if saved.isEmpty { return }
        post(.NSManagedObjectContextDidSaveObjectIDs, historyToken: token, savedIDs: saved) { saved.userInfo }
    }
}

extension NSManagedObject {
    /// The changes of to-many relationships are committed.
    fileprivate final func commitRelationshipContents() {
        guard let links else { return }
        for index in layout.toManyProperties {
            (links[layout.properties[index].link] as? ToManyContent)?.commit()
        }
    }
}
