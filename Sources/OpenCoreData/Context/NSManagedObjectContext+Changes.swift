extension NSManagedObjectContext {
    // MARK: Inserting

    /// Takes a new object: called by the designated initializer.
    final func insertNew(_ object: NSManagedObject) {
        let layout = object.layout
        refuseAbstract(layout)
        let table = unsavedTable(root: layout.root)
        object.table = table
        object.primaryKey = TemporaryKeys.make()
        let own = Cells.allocate(capacity: max(layout.cellCount, 1))
        if layout.hasDefaults {
            layout.copy(layout.defaultCells, to: own)
        } else {
            own.initialize(repeating: .empty, count: max(layout.cellCount, 1))
        }
        object.cells = own
        list(object, in: table)
    }

    /// Lists a new object, which has its key and its cells.
    @inline(__always)
    private func list(_ object: NSManagedObject, in table: IdentityTable) {
        object.flags = [.ownsCells, .inserted, .pending]
        table.register(object)
        inserted.append(object)
        pending.append(object)
        scheduleProcessing()
        object.awakeFromInsert()
    }

    private func refuseAbstract(_ layout: EntityLayout) {
        guard layout.entity.isAbstract else { return }
        programmingError("Entity '\(layout.name)' is abstract and can't be instantiated.", remedy: "Insert an object of one of its subentities.")
    }

    /// Takes an object that was made without a context.
    ///
    /// Stops the program if the object belongs to another context.
    public final func insert(_ object: NSManagedObject) {
        if object.flags.contains(.gone) { object.table = nil }
        if let other = object.table?.handle.context {
            guard other === self else {
                programmingError(
                    "An NSManagedObject of entity '\(object.layout.name)' can't be inserted: it belongs to another context.",
                    remedy: "Get it in this context by object(with: objectID).")
            }
            if object.flags.contains(.deleted) { undelete(object) }
            return
        }
        refuseAbstract(object.layout)
        object.readable()
        object.ownCells()
        // The table of a context that is gone.
        object.table?.unregister(object)
        let table = unsavedTable(root: object.layout.root)
        object.table = table
        if object.primaryKey >= 0 {
            object.primaryKey = TemporaryKeys.make()
            object.lazyObjectID = nil
        }
        object.row = nil
        object.buffer = nil
        list(object, in: table)
    }

    /// Says in which store a new object will be saved; needed when several stores could take it.
    public final func assign(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject, object.flags.contains(.inserted), object.primaryKey < 0 else {
            programmingError("Only new, unsaved objects can be assigned to a store.", remedy: "Assign an object right after inserting it.")
        }
        assignedStores[ObjectIdentifier(object)] = store
    }

    // MARK: Deleting

    /// Marks an object for deletion at the next save.
    ///
    /// Related objects follow by their delete rules when changes are processed.
    public final func delete(_ object: NSManagedObject) {
        guard object.table?.handle === handle else {
            if object.table == nil { return }
            programmingError(
                "An NSManagedObjectContext cannot delete objects in other contexts (entity '\(object.layout.name)').",
                remedy: "Get the object in this context by object(with: objectID).")
        }
        guard object.flags.isDisjoint(with: [.deleted, .gone]) else { return }
        object.prepareForDeletion()
        guard object.flags.isDisjoint(with: [.deleted, .gone]) else { return }
        markDeleted(object)
    }

    final func markDeleted(_ object: NSManagedObject) {
        if object.flags.contains(.updated) {
            updated.remove(object)
            object.flags.remove(.updated)
        } else if object.flags.contains(.inserted) {
            inserted.remove(object)
        }
        object.flags.insert(.deleted)
        deleted.append(object)
        if !object.flags.contains(.pending) { notePending(object) }
    }

    private func undelete(_ object: NSManagedObject) {
        deleted.remove(object)
        object.flags.subtract([.deleted, .propagated])
        if object.flags.contains(.inserted) {
            inserted.append(object)
        } else {
            noteUpdated(object)
        }
        if !object.flags.contains(.pending) { notePending(object) }
    }

    /// A fault whose row is gone: a deletion that somebody else has saved already.
    final func noteInaccessible(_ object: NSManagedObject) {
        if object.flags.contains(.updated) {
            updated.remove(object)
            object.flags.remove(.updated)
        }
        object.flags.formUnion([.deleted, .propagated])
        deleted.append(object)
        if !object.flags.contains(.pending) { notePending(object) }
    }

    // MARK: Noting

    final func noteUpdated(_ object: NSManagedObject) {
        object.flags.insert(.updated)
        updated.append(object)
    }

    final func notePending(_ object: NSManagedObject) {
        object.flags.insert(.pending)
        pending.append(object)
        scheduleProcessing()
    }

    /// Changes are processed at the end of the event: when the context's queue gets to it.
    final func scheduleProcessing() {
        guard !isProcessingScheduled, concurrencyType == .mainQueueConcurrencyType else { return }
        isProcessingScheduled = true
        queue.async { [weak self] in
            guard let self else { return }
            self.isProcessingScheduled = false
            self.endOfEvent()
        }
    }

    // MARK: Processing

    /// Processes the changes since the last event: follows delete rules and posts
    /// `NSManagedObjectContextObjectsDidChange`.
    public final func processPendingChanges() {
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        guard hasEvents else { return }
        let changed = pending
        pending = []
        // Most events change objects in one way; the set of the new ones is the large one.
        var insertedNow = Set<NSManagedObject>(minimumCapacity: inserted.objects.count == changed.count ? changed.count : 0)
        var updatedNow: Set<NSManagedObject> = []
        var deletedNow = Set(withdrawnSinceEvent)
        withdrawnSinceEvent = []
        for object in changed {
            object.flags.remove(.pending)
            if object.flags.contains(.deleted) {
                // An object that was inserted and deleted within one event never was.
                if object.flags.contains(.announced) || !object.flags.contains(.inserted) { deletedNow.insert(object) }
            } else if object.flags.contains(.inserted) && !object.flags.contains(.announced) {
                object.flags.insert(.announced)
                insertedNow.insert(object)
            } else if !object.flags.isDisjoint(with: [.inserted, .updated]) {
                updatedNow.insert(object)
            }
        }
        if propagatesDeletesAtEndOfEvent { forgetDeletedInsertions() }
        announcedInsertions = insertedNow.count == inserted.objects.count ? (insertedNow, inserted.serial) : nil
        let refreshed = Set(refreshedSinceEvent).subtracting(updatedNow).subtracting(deletedNow)
        refreshedSinceEvent = []
        if !mergedInsertions.isEmpty {
            insertedNow.formUnion(mergedInsertions)
            mergedInsertions = []
        }
        post(.NSManagedObjectContextObjectsDidChange, inserted: insertedNow, updated: updatedNow, deleted: deletedNow, refreshed: refreshed)
    }

    /// Objects that were inserted and deleted before any save are nobody's any more.
    final func forgetDeletedInsertions() {
        for object in deleted.objects where object.flags.contains(.inserted) {
            deleted.remove(object)
            leave(object)
        }
    }

    /// Lets go of an object that no store has, or has no longer.
    final func leave(_ object: NSManagedObject) {
        object.flags.subtract([.inserted, .updated, .pending])
        object.flags.insert(.gone)
        assignedStores[ObjectIdentifier(object)] = nil
        object.table?.unregister(object)
    }

    // MARK: Posting

    final func post(
        _ name: Notification.Name, inserted: Set<NSManagedObject>, updated: Set<NSManagedObject>, deleted: Set<NSManagedObject>,
        refreshed: Set<NSManagedObject> = []
    ) {
        var userInfo: [AnyHashable: Any] = [:]
        if !inserted.isEmpty { userInfo[NSInsertedObjectsKey] = inserted }
        if !updated.isEmpty { userInfo[NSUpdatedObjectsKey] = updated }
        if !deleted.isEmpty { userInfo[NSDeletedObjectsKey] = deleted }
        if !refreshed.isEmpty { userInfo[NSRefreshedObjectsKey] = refreshed }
        guard !userInfo.isEmpty else { return }
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}
