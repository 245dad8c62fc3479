// SPDX-License-Identifier: Apache-2.0

/// A context records the permanent keys of its objects. Each child applies them on its own queue.
extension NSManagedObjectContext {
    /// Records the permanent key of an object that still has its temporary one, for the children and for uses of the
    /// temporary ID.
    final func recordPermanentKey(of object: NSManagedObject, key: Int64, table: IdentityTable) {
        guard hierarchy.parent != nil || hierarchy.children.hasChildren, let store = table.store else { return }
        hierarchy.record(
            PermanentIDMapping(
                root: object.layout.root, temporary: object.primaryKey,
                permanent: PermanentKey(store: store, key: key)))
    }

    /// Applies the permanent keys that the parent has recorded since the last call.
    final func applyPermanentKeys() {
        guard hierarchy.hasUnappliedKeys else { return }
        for mapping in hierarchy.consumeUnappliedKeys(for: self) {
            let permanent = mapping.permanent
            if let object = registry.unsavedTable(root: mapping.root)[mapping.temporary] {
                assignPermanentID(
                    to: object, key: permanent.key, table: registry.table(store: permanent.store, root: mapping.root))
            } else {
                hierarchy.record(mapping)
            }
        }
        for object in registry.objects { object.resolveReferences(hierarchy.permanentKeys) }
        hierarchy.children.scheduleIDMappings()
    }

    /// Applies permanent keys before an ID is read. The caller can be on any queue.
    final func applyPermanentKeysOnQueue() {
        if isOnQueue && hierarchy.hasUnappliedKeys { applyPermanentKeys() }
    }

    /// The permanent ID for a temporary ID, once it exists; otherwise the given ID.
    final func resolvedID(for id: NSManagedObjectID) -> NSManagedObjectID {
        if !hierarchy.mayHavePermanentKeys { return id }
        applyPermanentKeys()
        guard id.isTemporaryID else { return id }
        if let permanent = hierarchy.permanentKeys[id.key] {
            return NSManagedObjectID(layout: id.layout, store: permanent.store, key: permanent.key)
        }
        guard hierarchy.parent != nil, registry.unsavedTable(root: registry.layout(of: id).root)[id.key] == nil else {
            return id
        }
        // The parent may have recorded the key before this child was added.
        return performOnParent { $0.resolvedID(for: id) } ?? id
    }

    /// The identity table and the key of an object. The given key may be a temporary one that was replaced.
    final func identityLocation(root: UInt32, key: Int64, store: StoreIdentity?) -> (table: IdentityTable, key: Int64) {
        if key < 0, let permanent = hierarchy.permanentKeys[key] {
            return (registry.table(store: permanent.store, root: root), permanent.key)
        }
        guard key > 0, let store else { return (registry.unsavedTable(root: root), key) }
        return (registry.table(store: store, root: root), key)
    }

    /// Obtains permanent IDs for objects that were inserted in an ancestor.
    final func obtainPermanentIDsFromParent(for objects: [NSManagedObject]) throws {
        let ids = objects.filter { $0.primaryKey < 0 && $0.flags.isDisjoint(with: [.inserted, .detached]) }.map(
            \.objectID)
        guard !ids.isEmpty else { return }
        try performOnParent { parent in
            // If the parent has a parent, this grandparent may have the objects.
            let objects = ids.compactMap {
                parent.hierarchy.parent == nil ? parent.object(registeredAs: $0) : parent.objectOrFault($0)
            }
            try parent.assignPermanentIDs(to: objects)
        }
    }
}

extension NSManagedObject {
    /// Replaces temporary keys by permanent ones, in the references of the object and in the key of its row.
    fileprivate final func resolveReferences(_ keys: [Int64: PermanentKey]) {
        if let row, row.primaryKey != primaryKey || refersToAny(keys, in: row.cells) {
            let copy = RowBuffer.copy(of: row.cells, layout: layout, key: primaryKey, version: row.version)
            resolve(keys, in: copy.row.cells)
            // The old row may be shared with other contexts and must not change.
            if !flags.contains(.ownsCells) && (!flags.contains(.fault) || cells == row.cells) {
                cells = copy.row.cells
            }
            self.row = copy.row
            buffer = copy.buffer
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
    /// Copies cells into a row buffer of one row, without the values of transient properties.
    static func copy(of cells: Cells, layout: EntityLayout, key: Int64, version: Int32) -> RetainedRow {
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        let row = buffer.appendUninitialized(primaryKey: key, version: version, layout: layout)
        layout.copy(cells, to: row.cells)
        layout.resetTransientValues(row.cells)
        return RetainedRow(buffer: buffer, row: row)
    }
}
