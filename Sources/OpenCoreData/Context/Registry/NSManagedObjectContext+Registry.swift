/// The registered objects: one object for each ID.
extension NSManagedObjectContext {
    // MARK: Identity tables

    /// The identity table of objects without a store.
    final func unsavedTable(root: UInt32) -> IdentityTable {
        if let last = lastUnsavedTable, last.root == root { return last.table }
        let table = unsavedTables[root] ?? IdentityTable(handle: handle, store: nil)
        unsavedTables[root] = table
        lastUnsavedTable = (root, table)
        return table
    }

    /// The identity table of the objects of a store.
    final func table(store: StoreIdentity, root: UInt32) -> IdentityTable {
        let key = TableKey(store: store.ordinal, root: root)
        if let last = lastStoredTable, last.key == key { return last.table }
        let table = storedTables[key] ?? IdentityTable(handle: handle, store: store)
        storedTables[key] = table
        lastStoredTable = (key, table)
        return table
    }

    /// The identity table that an ID belongs to.
    final func table(for id: NSManagedObjectID) -> IdentityTable {
        table(for: id, root: localLayout(id).root)
    }

    private func table(for id: NSManagedObjectID, root: UInt32) -> IdentityTable {
        guard !id.isTemporary, let store = id.storeIdentity else { return unsavedTable(root: root) }
        let key = TableKey(store: store.ordinal, root: root)
        if let last = lastStoredTable, last.key == key { return last.table }
        if let known = storedTables[key] {
            lastStoredTable = (key, known)
            return known
        }
        // The ID may come from another coordinator that has opened the same store.
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
        let layout = localLayout(objectID)
        let table = table(for: objectID, root: layout.root)
        let registered = table[objectID.key]
        if let registered, !registered.isFault {
            // A fault without a row counts as deleted after it has fired.
            let isMissing =
                registered.flags.contains(.deleted) && !registered.flags.contains(.inserted) && registered.row == nil
            if isMissing { throw missing(objectID) }
            return registered
        }
        if parentContext != nil {
            guard let object = try existingObjectInParent(objectID) else { throw missing(objectID) }
            return object
        }
        guard !objectID.isTemporary, let found = try snapshot(layout, key: objectID.key, table: table) else {
            throw missing(objectID)
        }
        guard registered == nil else {
            let object = materialize(found.row, buffer: found.buffer, table: table, refreshing: false)
            object.fireFaultIfNeeded()
            return object
        }
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

    /// The layout of an ID in the model of this context. An ID of another copy of the model is found by entity name.
    final func localLayout(_ objectID: NSManagedObjectID) -> EntityLayout {
        guard let model = handle.coordinator?.layouts, model !== objectID.layout.model else { return objectID.layout }
        return model.byName[objectID.layout.name] ?? objectID.layout
    }

    /// The destination of a to-one reference of `source`.
    final func object(ofLayout number: UInt32, key: Int64, near source: NSManagedObject) -> NSManagedObject {
        let layout = source.layout.model[number]
        if parentContext != nil { return objectForChildReference(layout, key: key, near: source) }
        let table =
            key < 0
            ? unsavedTable(root: layout.root)
            : source.table?.store.map { self.table(store: $0, root: layout.root) } ?? unsavedTable(root: layout.root)
        return table[key] ?? makeFault(layout: layout, key: key, table: table, id: nil)
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
            if known.flags.contains(.fault) {
                // A fault has no values to protect: the newest row replaces its row, unless the new one is partial.
                let isReplaced = buffer.availableCells == nil && known.row.map { $0.version != row.version } == true
                // Relationships that were read before the row has changed aren't those of the new row: with it, a save
                // of them would overwrite the change unnoticed.
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
