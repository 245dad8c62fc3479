/// Permanent keys come down: a context notes those that its objects get, and each child takes them over on its own
/// queue.
extension NSManagedObjectContext {
    /// Notes the permanent key of an object that still has its temporary one, for children, and for those who use the
    /// old ID.
    final func notePermanentKey(of object: NSManagedObject, key: Int64, table: IdentityTable) {
        guard parentContext != nil || family.hasChildren, let store = table.store else { return }
        let permanent = PermanentKey(store: store, key: key)
        permanentKeys[object.primaryKey] = permanent
        family.note(HandedDownKey(root: object.layout.root, temporary: object.primaryKey, permanent: permanent))
    }

    /// Takes over the permanent keys that the parent has noted since the last time.
    final func applyPermanentKeys() {
        guard let family = parentContext?.family, family.notedKeyCount > appliedKeyCount else { return }
        let (keys, count) = family.keys(since: appliedKeyCount, for: self)
        appliedKeyCount = count
        for key in keys {
            if let object = unsavedTable(root: key.root)[key.temporary] {
                assignPermanentID(
                    to: object, key: key.permanent.key, table: table(store: key.permanent.store, root: key.root))
            } else {
                permanentKeys[key.temporary] = key.permanent
                self.family.note(key)
            }
        }
        for object in allRegistered { object.resolveReferences(permanentKeys) }
        self.family.tellKeys()
    }

    /// Takes over permanent keys where somebody asks for an ID, who may be on any queue.
    final func applyPermanentKeysOnQueue() {
        guard let family = parentContext?.family, family.notedKeyCount > appliedKeyCount, isOnQueue else { return }
        applyPermanentKeys()
    }

    /// An ID as the context knows it now: an old temporary one becomes the permanent one.
    final func resolvedID(for id: NSManagedObjectID) -> NSManagedObjectID {
        if parentContext == nil && permanentKeys.isEmpty { return id }
        applyPermanentKeys()
        guard id.isTemporaryID else { return id }
        if let permanent = permanentKeys[id.key] {
            return NSManagedObjectID(layout: id.layout, store: permanent.store, key: permanent.key)
        }
        guard parentContext != nil, unsavedTable(root: localLayout(id).root)[id.key] == nil else { return id }
        // The key may have come down before this context was there.
        return askParent { $0.resolvedID(for: id) } ?? id
    }

    /// Where an object is, or would be, registered: by a key that may be an old temporary one.
    final func identityLocation(root: UInt32, key: Int64, store: StoreIdentity?) -> (table: IdentityTable, key: Int64) {
        if key < 0, let permanent = permanentKeys[key] {
            return (table(store: permanent.store, root: root), permanent.key)
        }
        guard key > 0, let store else { return (unsavedTable(root: root), key) }
        return (table(store: store, root: root), key)
    }

    /// Obtains permanent IDs for objects that this context has from its parent: there they are new.
    final func obtainPermanentIDsFromParent(for objects: [NSManagedObject]) throws {
        let known = objects.filter { $0.primaryKey < 0 && $0.flags.isDisjoint(with: [.inserted, .detached]) }.map(
            \.objectID)
        guard !known.isEmpty else { return }
        try askParent { parent in
            // The parent may have them from its own parent without knowing them now.
            let objects = known.compactMap {
                parent.parentContext == nil ? parent.object(registeredAs: $0) : parent.objectOrFault($0)
            }
            try parent.assignPermanentIDs(to: objects)
        }
    }
}

extension NSManagedObject {
    /// Has references to objects that had temporary keys name their permanent ones, and so the row its object.
    fileprivate final func resolveReferences(_ keys: [Int64: PermanentKey]) {
        if let row, row.primaryKey != primaryKey || refersToAny(keys, in: row.cells) {
            let fresh = RowBuffer.copy(of: row.cells, layout: layout, key: primaryKey, version: row.version)
            resolve(keys, in: fresh.row.cells)
            // The old row may be shared with other contexts: it stays as it is.
            if !flags.contains(.ownsCells) && (!flags.contains(.fault) || cells == row.cells) {
                cells = fresh.row.cells
            }
            self.row = fresh.row
            buffer = fresh.buffer
        }
        if flags.contains(.ownsCells) { resolve(keys, in: cells) }
    }

    private final func refersToAny(_ keys: [Int64: PermanentKey], in cells: Cells) -> Bool {
        layout.toOneProperties.contains { index in
            let cell = layout.properties[index].cell
            return cells.isPresent(cell) && cells.integer(cell) < 0 && keys[cells.integer(cell)] != nil
        }
    }

    private final func resolve(_ keys: [Int64: PermanentKey], in cells: Cells) {
        for index in layout.toOneProperties {
            let cell = layout.properties[index].cell
            guard cells.isPresent(cell), cells.integer(cell) < 0, let permanent = keys[cells.integer(cell)] else {
                continue
            }
            cells.setReference(permanent.key, layout: cells.referenceLayout(cell), at: cell)
        }
    }
}

extension RowBuffer {
    /// A row of its own with a copy of cells, without the values of transient properties.
    static func copy(of cells: Cells, layout: EntityLayout, key: Int64, version: Int32) -> RetainedRow {
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        let row = buffer.appendUninitialized(primaryKey: key, version: version, layout: layout)
        layout.copy(cells, to: row.cells)
        if layout.hasTransientCells {
            for slot in layout.properties where slot.isTransient && slot.cell >= 0 { slot.clear(row.cells) }
        }
        return RetainedRow(buffer: buffer, row: row)
    }
}
