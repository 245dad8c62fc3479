// SPDX-License-Identifier: Apache-2.0

/// Faults: where their rows come from, and how they are fired.
extension NSManagedObjectContext {
    /// The committed snapshot of an object: from the row cache, or fetched.
    ///
    /// A cached row that is older than `stalenessInterval` is evicted and fetched again.
    ///
    /// - Returns: nil if there is no row.
    /// - Throws: the errors of the store.
    final func snapshot(_ layout: EntityLayout, key: Int64, table: IdentityTable) throws -> RetainedRow? {
        if hierarchy.parent != nil { return try parentRow(layout, key: key, store: table.store) }
        guard let identity = table.store, !table.isForeign else { return nil }
        if stalenessInterval < 0, let database = directDatabase(identity) {
            // A cached row needs no access to the stores of the coordinator.
            if let cached = identity.rowCache?.row(layout, key: key) { return cached }
            let coordinator = try requireCoordinator()
            coordinator.activity.countFault()
            return try coordinator.read(database) { try $0.storedSnapshot(layout: layout, key: key) }
        }
        let source = try source(identity)
        let coordinator = try requireCoordinator()
        func read() throws -> RetainedRow? {
            try coordinator.read(source) { try $0.snapshot(layout: layout, key: key) }
        }
        guard stalenessInterval >= 0 else { return try read() }
        let begin = RowBuffer.now()
        guard let found = try read() else { return nil }
        guard found.buffer.cachedAt < begin, found.buffer.isOlder(than: stalenessInterval) else { return found }
        coordinator.evictSnapshot(layout: layout, key: key, of: identity.store)
        return try read()
    }

    /// Whether the store has a newer version of a fault's row, or has deleted the row.
    ///
    /// - Throws: the errors of the store.
    final func isSuperseded(_ row: Row, of object: NSManagedObject) throws -> Bool {
        guard let coordinator = handle.coordinator, let identity = object.table?.store else { return false }
        let newest = try coordinator.read(try source(identity)) {
            try $0.snapshot(layout: object.layout, key: object.primaryKey)
        }
        return newest.map { $0.version != row.version || !object.accepts($0.row) } ?? true
    }

    /// Fires a fault that has no row: reads its row, or the rows of its whole batch.
    ///
    /// A fault whose row can't be read gets empty values, and the recorded failure keeps the object from being saved.
    /// For a fault whose row is missing see ``shouldHandleInaccessibleFault(_:for:triggeredByProperty:)``.
    final func fulfillFault(_ object: NSManagedObject) {
        do {
            if object.buffer?.slice != nil {
                loadSlice(of: object)
                // A batch without faults has fired it.
                guard object.flags.contains(.fault) else { return }
                if object.row != nil {
                    object.fireFault()
                    return
                }
            }
            if object.primaryKey > 0 || hierarchy.parent != nil, let table = object.table,
                let found = try snapshot(object.layout, key: object.primaryKey, table: table)
            {
                // A custom store may have used the object.
                guard object.flags.contains(.fault) else { return }
                if object.fulfill(with: found) { return }
            }
        } catch {
            // The row may exist: the object doesn't count as deleted, and can't be saved before it was read.
            CoreDataLog.error(
                "CoreData could not fulfill a fault for \(object.objectID): \(error.localizedDescription)")
            reading.recordFailure(error)
            object.useNilValues()
            return
        }
        guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: nil) else {
            programmingError(
                "CoreData could not fulfill a fault for '\(object.objectID)'.",
                remedy: "Its row was deleted; use existingObject(with:), or leave shouldDeleteInaccessibleFaults on.")
        }
        guard object.flags.contains(.fault) else { return }
        object.useNilValues()
        if object.flags.isDisjoint(with: [.deleted, .detached]) { markInaccessible(object) }
    }

    /// The members of a to-many relationship in the store, without unsaved changes.
    ///
    /// - Returns: nil if they can't be read; then the failure is recorded and logged.
    final func destinationObjects(of owner: NSManagedObject, slot: PropertySlot) -> [NSManagedObject]? {
        if hierarchy.parent != nil { return destinationObjectsFromParent(of: owner, slot: slot) }
        guard let coordinator = handle.coordinator, let table = owner.table, let store = table.store, !table.isForeign,
            owner.primaryKey > 0
        else { return [] }
        coordinator.activity.countFault()
        do {
            let references = try coordinator.read(try source(store)) {
                try $0.destinations(of: slot, ownerLayout: owner.layout, key: owner.primaryKey)
            }
            let root = owner.layout.model[slot.destination].root
            let table = registry.table(store: store, root: root)
            let objects = objectsOrFaults(references, model: owner.layout.model, table: table, areUnique: false)
            return objects.contains { $0.flags.contains(.detached) }
                ? objects.filter { !$0.flags.contains(.detached) } : objects
        } catch {
            CoreDataLog.error(
                """
                CoreData could not fulfill the relationship '\(slot.name)' of \(owner.objectID): \
                \(error.localizedDescription)
                """
            )
            reading.recordFailure(error)
            return nil
        }
    }
}
