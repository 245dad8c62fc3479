extension NSManagedObjectContext {
    /// Saves all changes, or none.
    ///
    /// Changes are processed, delete rules followed, objects validated; then each store writes its part in one transaction.
    ///
    /// - Throws: a validation error (1550 to 1690; several as `NSValidationMultipleErrorsError`),
    ///   `NSManagedObjectMergeError` (133020) when somebody else has changed a row, `NSManagedObjectConstraintMergeError` (133021) when
    ///   values must be unique but aren't, both unless the merge policy settles the conflict, and what the store throws. The context
    ///   is then as it was, but for what the merge policy has done.
    public final func save() throws {
        guard !isSaving else {
            programmingError("save() was called while this context saves.", remedy: "Don't save from willSave(), didSave() or a WillSave notification.")
        }
        processPendingChanges()
        guard hasChanges || !checkedObjects.isEmpty else { return }
        isSaving = true
        defer { isSaving = false }
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
        tellWillSave()
        // Deleting what can be reached only would leave orphans.
        if let failure = propagateDeletes() { throw failure }
        forgetDeletedInsertions()
        guard hasChanges || !checkedObjects.isEmpty else { processPendingChanges(); return }
        try validateChanges()
        if !pending.isEmpty { processPendingChanges() }
        let (plan, outcome, ticket) = try write(to: try requireCoordinator())
        finish(plan, outcome, ticket)
    }

    // MARK: Before

    /// Calls `willSave` until no object changes any more because of it. Classes that don't override it have nothing to be told.
    private func tellWillSave() {
        var told: Set<ObjectIdentifier> = []
        for _ in 0..<100 {
            let changed = [inserted.objects, updated.objects, deleted.objects].flatMap { objects in
                objects.filter { MethodOverrides.overridesWillSave(type(of: $0)) && !told.contains(ObjectIdentifier($0)) }
            }
            if changed.isEmpty { return }
            for object in changed {
                told.insert(ObjectIdentifier(object))
                object.willSave()
            }
        }
    }

    final func validateChanges() throws {
        var errors: [NSError] = []
        func gather(_ check: () throws -> Void) {
            do { try check() } catch {
                let error = error as NSError
                errors += error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            }
        }
        for object in deleted.objects { gather { try object.validateForDelete() } }
        for object in inserted.objects { gather { try object.validateForInsert() } }
        for object in updated.objects { gather { try object.validateForUpdate() } }
        try ObjectValidation.raise(errors)
    }

    // MARK: After

    /// The stores have saved: objects get their keys and new committed rows.
    private func finish(_ plan: SavePlan, _ outcome: [StoreSaveResult], _ ticket: Int) {
        let insertedObjects = insertedSet(), updatedObjects = updated.set, deletedObjects = deleted.set
        for (part, result) in zip(plan.parts, outcome) {
            var last: (root: UInt32, table: IdentityTable)?
            for (object, key) in zip(part.insertedObjects, result.keys) {
                let root = object.layout.root
                if last?.root != root { last = (root, table(store: part.store.identity, root: root)) }
                adopt(object, key: key, table: last.unsafelyUnwrapped.table)
            }
        }
        for (part, result) in zip(plan.parts, outcome) {
            publish(part.insertedObjects, isNew: true, store: part.store)
            publish(part.updatedObjects, isNew: false, store: part.store)
            for object in part.deletedObjects { handle.coordinator?.forget(layout: object.layout, key: object.primaryKey, of: part.store) }
            for reference in result.touched { refreshTouched(reference, store: part.store) }
        }
        let saved = [inserted.objects, updated.objects, deleted.objects]
        // The IDs are made before anybody on another queue may ask for them.
        let savedIDs = saved.map(ids)
        deliver(savedIDs, plan, outcome, ticket)
        for object in deleted.objects { leave(object) }
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
        for objects in saved {
            for object in objects where MethodOverrides.overridesDidSave(type(of: object)) { object.didSave() }
        }
        post(.NSManagedObjectContextDidSave, inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects)
        postSavedIDs(savedIDs)
    }

    private func insertedSet() -> Set<NSManagedObject> {
        defer { announcedInsertions = nil }
        if let announced = announcedInsertions, announced.serial == inserted.serial { return announced.objects }
        return inserted.set
    }

    /// Gives a saved object its permanent key.
    final func adopt(_ object: NSManagedObject, key: Int64, table: IdentityTable) {
        guard object.primaryKey != key || object.table !== table else { return }
        object.table?.unregister(object)
        object.table = table
        object.primaryKey = key
        object.lazyObjectID = nil
        table.register(object)
    }

    /// Moves the saved values into shared rows: they are the committed values from now on.
    private func publish(_ objects: [NSManagedObject], isNew: Bool, store: any SnapshotStore) {
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
                let version: Int32 = isNew ? 1 : (object.row?.version ?? 0) &+ 1
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
            handle.coordinator?.cache(list, of: store, replacing: !isNew)
            position = end
        }
    }

    /// References to objects that had temporary keys now name the permanent ones.
    private func resolveReferences(_ object: NSManagedObject) {
        for index in object.layout.toOneProperties {
            let slot = object.layout.properties[index]
            guard object.cells.isPresent(slot.cell), object.cells.integer(slot.cell) < 0,
                let destination = object.link(slot.link) as? NSManagedObject else { continue }
            object.ownCells()
            object.cells.setReference(destination.primaryKey, layout: destination.layout.number, at: slot.cell)
        }
    }

    /// A row that the store changed by itself is fetched again when it is next needed.
    private func refreshTouched(_ reference: ObjectReference, store: any SnapshotStore) {
        guard let layouts = handle.coordinator?.layouts else { return }
        let layout = layouts[reference.layout]
        handle.coordinator?.forget(layout: layout, key: reference.key, of: store)
        guard let object = table(store: store.identity, root: layout.root)[reference.key], !object.flags.contains(.deleted) else { return }
        guard !object.flags.contains(.fault) else {
            object.row = nil
            object.buffer = nil
            return
        }
        do {
            guard let fresh = try requireCoordinator().snapshot(layout: layout, key: reference.key, store: store) else { return }
            object.takeCommitted(fresh)
        } catch {
            CoreDataLog.error("The derived attributes of \(object.objectID) can't be read: \(error.localizedDescription) They keep their values until it is refreshed.")
        }
    }

    private func ids(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObjectID> {
        var ids = Set<NSManagedObjectID>(minimumCapacity: objects.count)
        for object in objects { ids.insert(object.objectID) }
        return ids
    }

    /// Tells the contexts that merge by themselves.
    private func deliver(_ saved: [Set<NSManagedObjectID>], _ plan: SavePlan, _ outcome: [StoreSaveResult], _ ticket: Int) {
        guard let coordinator = handle.coordinator else { return }
        var changes = MergedChanges()
        if coordinator.mergeDelivery.hasSubscribers {
            (changes.inserted, changes.updated, changes.deleted) = (saved[0], saved[1], saved[2])
            for (part, result) in zip(plan.parts, outcome) {
                for row in result.touched {
                    let id = NSManagedObjectID(layout: coordinator.layouts[row.layout], store: part.store.identity, key: row.key)
                    if !changes.inserted.contains(id) { changes.updated.insert(id) }
                }
            }
        }
        coordinator.mergeDelivery.deliver(changes, ticket: ticket, from: self)
    }

    private func postSavedIDs(_ saved: [Set<NSManagedObjectID>]) {
        var userInfo: [AnyHashable: Any] = [:]
        for (key, ids) in zip([NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey], saved) where !ids.isEmpty { userInfo[key] = ids }
        guard !userInfo.isEmpty else { return }
        NotificationCenter.default.post(name: .NSManagedObjectContextDidSaveObjectIDs, object: self, userInfo: userInfo)
    }

    // MARK: Permanent IDs

    /// Gives new objects permanent IDs without saving them.
    ///
    /// - Throws: what the store throws; the objects are then as they were.
    public final func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        let new = objects.filter { $0.primaryKey < 0 && $0.flags.contains(.inserted) }
        guard !new.isEmpty else { return }
        let coordinator = try requireCoordinator()
        var groups: [(store: any SnapshotStore, objects: [NSManagedObject])] = []
        for object in new {
            let store = try coordinator.storeForInserting(object.layout, assigned: assignedStores[ObjectIdentifier(object)])
            if let index = groups.firstIndex(where: { $0.store === store }) {
                groups[index].objects.append(object)
            } else {
                groups.append((store, [object]))
            }
        }
        let keys = try groups.map { try coordinator.allocateKeys($0.objects.map(\.layout), in: $0.store) }
        for (group, keys) in zip(groups, keys) {
            for (object, key) in zip(group.objects, keys) { adopt(object, key: key, table: table(store: group.store.identity, root: object.layout.root)) }
        }
        for object in allRegistered where object.flags.contains(.ownsCells) { resolveReferences(object) }
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
