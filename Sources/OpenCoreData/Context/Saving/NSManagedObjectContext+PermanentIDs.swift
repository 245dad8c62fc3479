// SPDX-License-Identifier: Apache-2.0

/// Permanent IDs of new objects.
extension NSManagedObjectContext {
    /// Gives new objects permanent IDs without saving them: the work of ``obtainPermanentIDs(for:)``.
    ///
    /// - Throws: what the stores throw. No object has changed then.
    final func assignPermanentIDs(to objects: [NSManagedObject]) throws {
        if hierarchy.parent != nil { try obtainPermanentIDsFromParent(for: objects) }
        let new = objects.filter { $0.primaryKey < 0 && $0.flags.contains(.inserted) }
        guard !new.isEmpty else { return }
        let coordinator = try requireCoordinator()
        var groups: [(store: any SnapshotStore, objects: [NSManagedObject])] = []
        for object in new {
            let store = try coordinator.storeForInserting(
                object.layout, assigned: unsavedChanges.assignedStore(of: object))
            if let index = groups.firstIndex(where: { $0.store === store }) {
                groups[index].objects.append(object)
            } else {
                groups.append((store, [object]))
            }
        }
        let keys = try groups.map { try coordinator.allocateKeys(for: $0.objects, in: $0.store) }
        for (group, keys) in zip(groups, keys) {
            for (object, key) in zip(group.objects, keys) {
                assignPermanentID(
                    to: object, key: key, table: registry.table(store: group.store.identity, root: object.layout.root))
            }
        }
        // Only objects with unsaved changes can refer to new objects.
        for objects in unsavedChanges.lists {
            for object in objects where object.flags.contains(.ownsCells) { resolveReferences(object) }
        }
        hierarchy.children.scheduleIDMappings()
    }

    /// Gives new objects their permanent IDs before a save, if their store is a custom store.
    ///
    /// - Throws: what the stores throw. No object has changed then.
    final func assignReferenceIDs(_ coordinator: NSPersistentStoreCoordinator) throws {
        guard coordinator.hasObjectStores else { return }
        let objects = try unsavedChanges.inserted.objects.filter { object in
            guard object.primaryKey < 0 else { return false }
            let assigned = unsavedChanges.assignedStore(of: object)
            return try coordinator.storeForInserting(object.layout, assigned: assigned) is any ObjectStore
        }
        try assignPermanentIDs(to: Array(objects))
    }

    /// Registers an object under its permanent key.
    final func assignPermanentID(to object: NSManagedObject, key: Int64, table: IdentityTable) {
        guard object.primaryKey != key || object.table !== table else { return }
        if object.primaryKey < 0 { recordPermanentKey(of: object, key: key, table: table) }
        object.table?.unregister(object)
        object.setIdentity(table: table, key: key)
        table.register(object)
    }

    /// Replaces the temporary keys of to-one references by the permanent keys of the destinations.
    final func resolveReferences(_ object: NSManagedObject) {
        for index in object.layout.toOneProperties {
            let slot = object.layout.properties[index]
            guard object.cells.isPresent(slot.cell), object.cells.integer(slot.cell) < 0,
                let destination = object.link(slot.link) as? NSManagedObject
            else { continue }
            object.ownCells()
            object.cells.setReference(destination.primaryKey, layout: destination.layout.number, at: slot.cell)
        }
    }
}
