extension NSManagedObjectContext {
    /// Saves all changes, or none.
    final func saveChanges() throws {
        guard !isSaving else { throw recursiveSave() }
        // Observers of a change notification may save.
        let wasProcessing = isProcessing
        isProcessing = false
        defer { isProcessing = wasProcessing }
        processChanges()
        guard hasChanges || !checkedObjects.isEmpty else { return moveToNewestGeneration() }
        isSaving = true
        defer { isSaving = false }
        post(.NSManagedObjectContextWillSave, [:])
        try prepareForWriting()
        guard hasChanges || !checkedObjects.isEmpty else { return }
        if parentContext != nil { return try saveIntoParent() }
        let (plan, outcome, ticket) = try readingNewest { try write(to: try requireCoordinator()) }
        finish(plan, outcome, ticket)
    }

    /// The error of a save that the same context calls while it saves, with Apple's code, which has no name.
    private func recursiveSave() -> NSError {
        let message = "attempt to recursively call -save: on the context aborted"
        return NSError(
            domain: NSCocoaErrorDomain, code: 132001,
            userInfo: [
                NSLocalizedDescriptionKey: message, "message": message,
                NSLocalizedRecoverySuggestionErrorKey: """
                The context\(name.map { " '\($0)'" } ?? "") is saving already. Don't call save() in willSave(), in \
                didSave(), or in an observer of NSManagedObjectContextWillSave.
                """,
            ])
    }

    // MARK: After

    /// The stores have saved: objects get their keys and new committed rows.
    private func finish(_ plan: SavePlan, _ outcome: [StoreSaveResult], _ ticket: Int) {
        moveToNewestGeneration()
        let objects = savedObjects()
        for (part, result) in zip(plan.parts, outcome) {
            var last: (root: UInt32, table: IdentityTable)?
            for (object, key) in zip(part.insertedObjects, result.keys) {
                let root = object.layout.root
                if last?.root != root { last = (root, table(store: part.store.identity, root: root)) }
                assignPermanentID(to: object, key: key, table: last.unsafelyUnwrapped.table)
            }
        }
        family.tellKeys()
        for (part, result) in zip(plan.parts, outcome) {
            recordCommittedSnapshots(of: part.insertedObjects, isNew: true, store: part.store)
            recordCommittedSnapshots(of: part.updatedObjects, isNew: false, store: part.store)
            for object in part.deletedObjects {
                handle.coordinator?.forget(layout: object.layout, key: object.primaryKey, of: part.store)
            }
            for reference in result.touched {
                refreshTouched(reference, store: part.store)
                recordChange(of: reference, store: part.store)
            }
        }
        // The IDs are made before anybody on another queue may ask for them.
        let savedIDs = [inserted.objects, updated.objects, deleted.objects].map(ids)
        deliver(savedIDs, plan, outcome, ticket)
        settle(objects, savedIDs)
    }

    /// The objects of a save, as notifications tell them.
    struct SavedObjects {
        let inserted: Set<NSManagedObject>
        let updated: Set<NSManagedObject>
        let deleted: Set<NSManagedObject>
    }

    final func savedObjects() -> SavedObjects {
        SavedObjects(inserted: insertedSet(), updated: updated.set, deleted: deleted.set)
    }

    /// Everything is written: nothing is changed any more, and the save is told.
    final func settle(_ objects: SavedObjects, _ savedIDs: [Set<NSManagedObjectID>]) {
        let saved = [inserted.objects, updated.objects, deleted.objects]
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        assignedStores.removeAll()
        checkedObjects.removeAll()
        for objects in saved {
            for object in objects {
                object.flags.subtract([.inserted, .updated, .announced, .replacing])
                object.commitLinks()
            }
        }
        noteWhetherChanged()
        if handle.observers.isObserved { handle.observers.noteSaved() }
        tellDidSave(saved)
        for object in saved[2] { unregister(object) }
        recordChanges(savedIDs)
        if handle.observers.isObserved { handle.observers.endGone() }
        // The save is done: observers may save again.
        isSaving = false
        post(
            .NSManagedObjectContextDidSave, inserted: objects.inserted, updated: objects.updated,
            deleted: objects.deleted)
        postSavedIDs(savedIDs)
        for object in saved[2] { breakRelationshipCycles(object) }
    }

    /// Calls `didSave()` of the classes that override it. Deleted objects are told while they still say that they are.
    private func tellDidSave(_ saved: [ContiguousArray<NSManagedObject>]) {
        for objects in saved {
            for object in objects where MethodOverrides.overridesDidSave(type(of: object)) {
                let isDeleted = object.flags.contains(.deleted)
                // What a deleted object is given is no change.
                if isDeleted { object.flags.insert(.suppressesChangeTracking) }
                object.didSave()
                if isDeleted { object.flags.remove(.suppressesChangeTracking) }
            }
        }
    }

    private func insertedSet() -> Set<NSManagedObject> {
        defer { announcedInsertions = nil }
        if let announced = announcedInsertions, announced.serial == inserted.serial { return announced.objects }
        return inserted.set
    }

    /// Gives a saved object its permanent key.
    final func assignPermanentID(to object: NSManagedObject, key: Int64, table: IdentityTable) {
        guard object.primaryKey != key || object.table !== table else { return }
        if object.primaryKey < 0 { notePermanentKey(of: object, key: key, table: table) }
        object.table?.unregister(object)
        object.table = table
        object.primaryKey = key
        object.lazyObjectID = nil
        table.register(object)
    }

    /// Moves the saved values into shared rows: they are the committed values from now on.
    ///
    /// - Parameter store: where the rows are; nil for those that a parent has taken, which are no store's.
    final func recordCommittedSnapshots(of objects: [NSManagedObject], isNew: Bool, store: (any SnapshotStore)?) {
        var position = 0
        while position < objects.count {
            // One list of rows per run of objects of one entity.
            let layout = objects[position].layout
            var end = position
            while end < objects.count && objects[end].layout === layout { end += 1 }
            var list = RowList(layout: layout, includesSubentities: false, expected: end - position)
            for object in objects[position..<end] {
                resolveReferences(object)
                let buffer = list.bufferForAppending()
                let version: Int32 =
                    store == nil ? object.row?.version ?? 0 : isNew ? 1 : (object.row?.version ?? 0) &+ 1
                let row = buffer.appendUninitialized(primaryKey: object.primaryKey, version: version, layout: layout)
                if layout.hasTransientCells {
                    layout.copy(object.cells, to: row.cells)
                    for slot in layout.properties where slot.isTransient && slot.cell >= 0 { slot.clear(row.cells) }
                } else if object.flags.contains(.ownsCells) {
                    // The cells change owners, so nothing is copied but their bytes.
                    row.cells.initialize(from: object.cells, count: layout.cellCount)
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
            if let store { cacheSnapshots(list, objects[position..<end], layout, store, isNew: isNew) }
            position = end
        }
    }

    /// Lets other contexts take saved rows; those with objects of the program's they read themselves.
    private func cacheSnapshots(
        _ list: RowList, _ objects: ArraySlice<NSManagedObject>, _ layout: EntityLayout, _ store: any SnapshotStore,
        isNew: Bool
    ) {
        guard let coordinator = handle.coordinator else { return }
        guard layout.hasTransformables else { return coordinator.cache(list, of: store, replacing: !isNew) }
        for object in objects { coordinator.forget(layout: layout, key: object.primaryKey, of: store) }
    }

    /// References to objects that had temporary keys now name the permanent ones.
    private func resolveReferences(_ object: NSManagedObject) {
        for index in object.layout.toOneProperties {
            let slot = object.layout.properties[index]
            guard object.cells.isPresent(slot.cell), object.cells.integer(slot.cell) < 0,
                let destination = object.link(slot.link) as? NSManagedObject
            else { continue }
            object.ownCells()
            object.cells.setReference(destination.primaryKey, layout: destination.layout.number, at: slot.cell)
        }
    }

    /// A row that the store changed by itself is fetched again when it is next needed. An object whose values change by
    /// that is told as refreshed.
    private func refreshTouched(_ reference: ObjectReference, store: any SnapshotStore) {
        guard let layouts = handle.coordinator?.layouts else { return }
        let layout = layouts[reference.layout]
        handle.coordinator?.forget(layout: layout, key: reference.key, of: store)
        guard let object = table(store: store.identity, root: layout.root)[reference.key],
            !object.flags.contains(.deleted)
        else { return }
        guard !object.flags.contains(.fault) else {
            object.row = nil
            object.buffer = nil
            return
        }
        do {
            guard let fresh = try requireCoordinator().snapshot(layout: layout, key: reference.key, store: store) else {
                return
            }
            let isChanged = layout.derivedProperties.contains {
                !layout.properties[$0].isEqual(object.cells, fresh.row.cells)
            }
            object.takeCommitted(fresh)
            if isChanged { noteRefreshed(object) }
        } catch {
            CoreDataLog.error(
                """
                The derived attributes of \(object.objectID) can't be read: \(error.localizedDescription) They \
                keep their values until it is refreshed.
                """
            )
        }
    }

    final func ids(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObjectID> {
        var ids = Set<NSManagedObjectID>(minimumCapacity: objects.count)
        for object in objects { ids.insert(object.objectID) }
        return ids
    }

    /// Tells the contexts that merge by themselves.
    private func deliver(
        _ saved: [Set<NSManagedObjectID>], _ plan: SavePlan, _ outcome: [StoreSaveResult], _ ticket: Int
    ) {
        guard let coordinator = handle.coordinator else { return }
        var changes = MergedChanges()
        let hasMergingChildren = family.delivery.hasSubscribers
        if coordinator.mergeDelivery.hasSubscribers || hasMergingChildren {
            (changes.inserted, changes.updated, changes.deleted) = (saved[0], saved[1], saved[2])
            for (part, result) in zip(plan.parts, outcome) {
                for row in result.touched {
                    let id = NSManagedObjectID(
                        layout: coordinator.layouts[row.layout], store: part.store.identity, key: row.key)
                    if !changes.inserted.contains(id) { changes.updated.insert(id) }
                }
            }
        }
        coordinator.mergeDelivery.deliver(changes, ticket: ticket, from: self)
        if hasMergingChildren { deliverToChildren(changes, from: self) }
    }

    private func postSavedIDs(_ saved: [Set<NSManagedObjectID>]) {
        var userInfo: [AnyHashable: Any] = [:]
        for (key, ids) in zip([NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey], saved)
        where !ids.isEmpty { userInfo[key] = ids }
        guard !userInfo.isEmpty else { return }
        post(.NSManagedObjectContextDidSaveObjectIDs, userInfo)
    }

    // MARK: Permanent IDs

    /// Gives new objects permanent IDs without saving them.
    final func assignPermanentIDs(to objects: [NSManagedObject]) throws {
        if parentContext != nil { try obtainPermanentIDsFromParent(for: objects) }
        let new = objects.filter { $0.primaryKey < 0 && $0.flags.contains(.inserted) }
        guard !new.isEmpty else { return }
        let coordinator = try requireCoordinator()
        var groups: [(store: any SnapshotStore, objects: [NSManagedObject])] = []
        for object in new {
            let store = try coordinator.storeForInserting(
                object.layout, assigned: assignedStores[ObjectIdentifier(object)])
            if let index = groups.firstIndex(where: { $0.store === store }) {
                groups[index].objects.append(object)
            } else {
                groups.append((store, [object]))
            }
        }
        let keys = try groups.map { try coordinator.allocateKeys($0.objects.map(\.layout), in: $0.store) }
        for (group, keys) in zip(groups, keys) {
            for (object, key) in zip(group.objects, keys) {
                assignPermanentID(
                    to: object, key: key, table: table(store: group.store.identity, root: object.layout.root))
            }
        }
        // Others can't refer to new objects.
        for objects in [inserted.objects, updated.objects, deleted.objects] {
            for object in objects where object.flags.contains(.ownsCells) { resolveReferences(object) }
        }
        family.tellKeys()
    }
}

extension NSManagedObject {
    fileprivate final func commitLinks() {
        guard let links else { return }
        for index in layout.relationshipProperties {
            let slot = layout.properties[index]
            if slot.kind == .toMany { (links[slot.link] as? ToManyContent)?.commit() }
        }
    }
}
