extension NSManagedObjectContext {
    // MARK: Tables

    final func unsavedTable(root: UInt32) -> IdentityTable {
        if let last = lastUnsavedTable, last.root == root { return last.table }
        let table = unsavedTables[root] ?? IdentityTable(handle: handle, store: nil)
        unsavedTables[root] = table
        lastUnsavedTable = (root, table)
        return table
    }

    final func table(store: StoreIdentity, root: UInt32) -> IdentityTable {
        let key = TableKey(store: store.ordinal, root: root)
        if let table = storedTables[key] { return table }
        let table = IdentityTable(handle: handle, store: store)
        storedTables[key] = table
        return table
    }

    final func table(for id: NSManagedObjectID) -> IdentityTable {
        guard !id.isTemporaryID, let store = id.storeIdentity else { return unsavedTable(root: localLayout(id).root) }
        let root = localLayout(id).root
        if let known = storedTables[TableKey(store: store.ordinal, root: root)] { return known }
        // An ID may come from another coordinator that has opened the same store.
        let stores = handle.coordinator?.persistentStores ?? []
        let isHere = stores.contains { $0.identity === store }
        let same = isHere ? nil : stores.first { $0.identity.uuid == store.uuid }
        return table(store: same?.identity ?? store, root: root)
    }

    // MARK: Objects by ID

    /// The registered object with an ID.
    final func object(registeredAs objectID: NSManagedObjectID) -> NSManagedObject? {
        let objectID = resolvedID(for: objectID)
        return table(for: objectID)[objectID.key]
    }

    /// The registered object with an ID, or a new fault.
    final func objectOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
        let objectID = resolvedID(for: objectID)
        let table = table(for: objectID)
        return table[objectID.key]
            ?? makeFault(
                layout: localLayout(objectID), key: objectID.key, table: table,
                id: table.store === objectID.storeIdentity ? objectID : nil)
    }

    /// The object with an ID, with its values.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) if there is none, and what the store throws.
    final func loadedObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        let objectID = resolvedID(for: objectID)
        let table = table(for: objectID)
        if let known = table[objectID.key] {
            if known.flags.contains(.deleted) { throw missing(objectID) }
            if !known.isFault { return known }
        }
        if parentContext != nil {
            guard let object = try existingObjectOfParent(objectID) else { throw missing(objectID) }
            return object
        }
        guard !objectID.isTemporaryID, let found = try snapshot(localLayout(objectID), key: objectID.key, table: table)
        else { throw missing(objectID) }
        let object = materialize(found.row, buffer: found.buffer, table: table, refreshing: false)
        object.fireFaultIfNeeded()
        return object
    }

    private func missing(_ objectID: NSManagedObjectID) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The object \(objectID.uriRepresentation().absoluteString) no longer exists.",
                NSAffectedObjectsErrorKey: [objectID],
            ])
    }

    /// An ID may come from a coordinator with another copy of the model: its entity is found by name.
    final func localLayout(_ objectID: NSManagedObjectID) -> EntityLayout {
        guard let model = handle.coordinator?.layouts, model !== objectID.layout.model else { return objectID.layout }
        return model.byName[objectID.layout.name] ?? objectID.layout
    }

    /// The destination of a to-one reference of `source`.
    final func object(ofLayout number: UInt32, key: Int64, near source: NSManagedObject) -> NSManagedObject {
        let layout = source.layout.model[number]
        if parentContext != nil { return objectOfParent(layout, key: key, near: source) }
        let table =
            key < 0
            ? unsavedTable(root: layout.root)
            : source.table?.store.map { self.table(store: $0, root: layout.root) } ?? unsavedTable(root: layout.root)
        return table[key] ?? makeFault(layout: layout, key: key, table: table, id: nil)
    }

    /// A new object without values, registered.
    final func makeFault(layout: EntityLayout, key: Int64, table: IdentityTable, id: NSManagedObjectID?)
        -> NSManagedObject
    {
        let object = layout.classBinding.managedObjectClass.init(entity: layout.entity, insertInto: nil)
        object.enter(table, key: key)
        object.lazyObjectID = id
        table.register(object)
        return object
    }

    // MARK: Rows to objects

    /// The object of a row: the registered one, or a new one with the row attached.
    ///
    /// - Parameter refreshing: whether an unchanged object takes the row's values in place of its own.
    @inline(__always)
    final func materialize(_ row: Row, buffer: RowBuffer, table: IdentityTable, refreshing: Bool) -> NSManagedObject {
        if let known = table[row.primaryKey] {
            if known.flags.contains(.fault) {
                // A fault that was not fired yet has no state to protect: it takes the newest row, but no part of it in
                // place of a whole one.
                if refreshing { known.releaseLinks() }
                if known.row == nil || buffer.presentCells == nil { known.attach(row, buffer: buffer) }
            } else if refreshing {
                refresh(known, from: row, buffer: buffer)
            }
            return known
        }
        let layout = buffer.layouts[row.layoutNumber]
        let object = layout.classBinding.managedObjectClass.init(entity: layout.entity, insertInto: nil)
        object.enter(table, key: row.primaryKey)
        object.attach(row, buffer: buffer)
        table.register(object)
        return object
    }

    // MARK: Faults

    /// The committed row of an object: out of the store's row cache, or fetched.
    final func snapshot(_ layout: EntityLayout, key: Int64, table: IdentityTable) throws -> RetainedRow? {
        if parentContext != nil { return try rowOfParent(layout, key: key, store: table.store) }
        guard let identity = table.store else { return nil }
        let store = try source(identity)
        let coordinator = try requireCoordinator()
        guard stalenessInterval >= 0 else { return try coordinator.snapshot(layout: layout, key: key, store: store) }
        let begin = RowBuffer.now()
        let found = try coordinator.snapshot(layout: layout, key: key, store: store)
        guard let found, found.buffer.cachedAt < begin, found.buffer.isOlder(than: stalenessInterval) else {
            return found
        }
        coordinator.forget(layout: layout, key: key, of: identity.store)
        return try coordinator.snapshot(layout: layout, key: key, store: store)
    }

    /// Whether the store has another row, or none, in place of a fault's row.
    ///
    /// - Throws: what the store throws.
    final func isSuperseded(_ row: Row, of object: NSManagedObject) throws -> Bool {
        guard let coordinator = handle.coordinator, let identity = object.table?.store else { return false }
        let newest = try coordinator.snapshot(
            layout: object.layout, key: object.primaryKey, store: try source(identity))
        return newest?.row.version != row.version
    }

    final func fulfillFault(_ object: NSManagedObject) {
        do {
            if object.buffer?.slice != nil {
                loadSlice(of: object)
                if object.row != nil {
                    object.fulfill()
                    return
                }
            }
            if object.primaryKey > 0 || parentContext != nil, let table = object.table,
                let found = try snapshot(object.layout, key: object.primaryKey, table: table)
            {
                object.attach(found.row, buffer: found.buffer)
                object.takeValues(of: found.row)
                return
            }
        } catch {
            // Whether the row is there isn't known: the object is no deletion, and can't be saved before it was read.
            CoreDataLog.error(
                "CoreData could not fulfill a fault for \(object.objectID): \(error.localizedDescription)")
            readingFailure = error
            object.useEmptyCells()
            return
        }
        guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: nil) else {
            programmingError(
                "CoreData could not fulfill a fault for '\(object.objectID)'.",
                remedy: "Its row was deleted; use existingObject(with:), or leave shouldDeleteInaccessibleFaults on.")
        }
        object.useEmptyCells()
        if object.flags.isDisjoint(with: [.deleted, .detached]) { noteInaccessible(object) }
    }

    /// The objects of a to-many relationship, as the store has them; nil if it can't be read.
    final func destinationObjects(of owner: NSManagedObject, slot: PropertySlot) -> [NSManagedObject]? {
        if parentContext != nil { return destinationObjectsOfParent(of: owner, slot: slot) }
        guard let coordinator = handle.coordinator, let store = owner.table?.store, owner.primaryKey > 0 else {
            return []
        }
        do {
            let references = try coordinator.destinations(
                of: slot, ownerLayout: owner.layout, key: owner.primaryKey, store: try source(store))
            let root = owner.layout.model[slot.destination].root
            let table = table(store: store, root: root)
            return references.compactMap { reference in
                let layout = owner.layout.model[reference.layout]
                let object =
                    table[reference.key] ?? makeFault(layout: layout, key: reference.key, table: table, id: nil)
                return object.flags.contains(.detached) ? nil : object
            }
        } catch {
            CoreDataLog.error(
                """
                CoreData could not fulfill the relationship '\(slot.name)' of \(owner.objectID): \
                \(error.localizedDescription)
                """
            )
            readingFailure = error
            return nil
        }
    }
}
