// SPDX-License-Identifier: Apache-2.0

/// The registered objects: one object for each ID.
extension NSManagedObjectContext {
    // MARK: Objects by ID

    /// The registered object with an ID.
    final func object(registeredAs objectID: NSManagedObjectID) -> NSManagedObject? {
        let objectID = resolvedID(for: objectID)
        return registeredObject(
            registry.layout(of: objectID), key: objectID.key, in: registry.table(for: objectID))
    }

    /// The registered object with an ID, or a new fault.
    final func objectOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
        let objectID = resolvedID(for: objectID)
        let table = registry.table(for: objectID)
        return registeredObjectOrFault(
            registry.layout(of: objectID), key: objectID.key, in: table,
            id: table.store === objectID.storeIdentity ? objectID : nil)
    }

    /// The object with an ID, with its values.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) if the object doesn't exist, and the errors of the
    ///   store.
    final func loadedObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        if let object = objectInMemory(objectID) { return object }
        let objectID = resolvedID(for: objectID)
        let layout = registry.layout(of: objectID)
        let table = registry.table(for: objectID, root: layout.root)
        let registered = registeredObject(layout, key: objectID.key, in: table)
        if let registered, !registered.isFault {
            // A fault without a row counts as deleted after it has fired.
            let isMissing =
                registered.flags.contains(.deleted) && !registered.flags.contains(.inserted) && registered.row == nil
            if isMissing { throw missing(objectID) }
            return registered
        }
        if hierarchy.parent != nil {
            guard let object = try existingObjectInParent(objectID) else { throw missing(objectID) }
            return object
        }
        guard !objectID.isTemporary, let found = try snapshot(layout, key: objectID.key, table: table) else {
            throw missing(objectID)
        }
        guard table[objectID.key] == nil else {
            let object = materialize(found.row, buffer: found.buffer, table: table, refreshing: false)
            object.fireFaultIfNeeded()
            return object
        }
        return makeLoadedObject(of: found, table: table)
    }

    /// Makes and registers the object of the newest row, with its values, after a look-up has found none.
    @inline(__always)
    final func makeLoadedObject(of found: RetainedRow, table: IdentityTable) -> NSManagedObject {
        let object = makeObject(of: found.row, buffer: found.buffer, table: table)
        // The row is the newest, so that firing the fault has nothing to check.
        object.applyValues(of: found.row)
        return object
    }

    /// The error of an ID without a row.
    private func missing(_ objectID: NSManagedObjectID) -> NSError {
        CoreDataErrors.error(
            NSManagedObjectReferentialIntegrityError,
            "The object \(objectID.uriRepresentation().absoluteString) no longer exists.",
            reason: "Its store has no row with this ID.", userInfo: [NSAffectedObjectsErrorKey: [objectID]])
    }

    /// The destination of a to-one reference of `source`.
    final func object(ofLayout number: UInt32, key: Int64, near source: NSManagedObject) -> NSManagedObject {
        let layout = source.layout.model[number]
        if hierarchy.parent != nil { return objectForChildReference(layout, key: key, near: source) }
        let table =
            key < 0
            ? registry.unsavedTable(root: layout.root)
            : source.table?.store.map { registry.table(store: $0, root: layout.root) }
                ?? registry.unsavedTable(root: layout.root)
        return registeredObjectOrFault(layout, key: key, in: table)
    }

    /// Makes and registers an object without values.
    final func makeFault(layout: EntityLayout, key: Int64, table: IdentityTable, id: NSManagedObjectID?)
        -> NSManagedObject
    {
        let object = layout.classBinding.managedObjectClass.init(entity: layout.entity, insertInto: nil)
        object.prepareAsFault(in: table, key: key)
        if let id { object.setObjectID(id) }
        table.registerMissing(object)
        return object
    }

    // MARK: Rows to objects

    /// The object of a row: the registered one, or a new one with the row attached.
    ///
    /// - Parameter refreshing: whether the row replaces the committed values of a registered object that is no fault.
    @inline(__always)
    final func materialize(_ row: Row, buffer: RowBuffer, table: IdentityTable, refreshing: Bool) -> NSManagedObject {
        if let known = table[row.primaryKey] {
            guard known.accepts(row) else {
                displace(known)
                return makeObject(of: row, buffer: buffer, table: table)
            }
            if known.flags.contains(.fault) {
                // A fault has no values to protect: the newest row replaces its row, unless the new one is partial.
                let isReplaced = buffer.availableCells == nil && known.row.map { $0.version != row.version } == true
                // Relationships that were read before the row changed don't belong to the new row: with its row
                // version, a save of them would overwrite the change unnoticed.
                if refreshing || isReplaced { known.releaseLinks() }
                if known.row == nil || buffer.availableCells == nil { known.attach(row, buffer: buffer) }
            } else if refreshing {
                refresh(known, from: row, buffer: buffer)
            }
            return known
        }
        return makeObject(of: row, buffer: buffer, table: table)
    }

    /// Makes and registers the object of a row, after a look-up has found none.
    @inline(__always)
    private func makeObject(of row: Row, buffer: RowBuffer, table: IdentityTable) -> NSManagedObject {
        let layout = buffer.layouts[row.layoutNumber]
        let object = layout.classBinding.managedObjectClass.init(entity: layout.entity, insertInto: nil)
        object.prepareAsFault(in: table, key: row.primaryKey)
        object.attach(row, buffer: buffer)
        table.registerMissing(object)
        return object
    }
}
