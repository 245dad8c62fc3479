// SPDX-License-Identifier: Apache-2.0

/// The values of an object or row in the form of conflicts: attributes, and the IDs of to-one relationships. Nil values
/// are `NSNull`.
enum ConflictSnapshot {
    /// The values that an object was fetched with; the present values of an object that has no row.
    ///
    /// - Parameter keys: the properties; nil for all.
    static func values(of object: NSManagedObject, _ keys: [String]? = nil) -> [String: Any] {
        object.fireFaultIfNeeded()
        if let row = object.row { return values(of: row, object.layout, store: object.table?.store, keys) }
        return presentValues(of: object, keys)
    }

    /// The values that an object has now, with its unsaved changes.
    static func presentValues(of object: NSManagedObject, _ keys: [String]? = nil) -> [String: Any] {
        object.fireFaultIfNeeded()
        return dictionary(object.layout, object.cells, keys) { slot in object.destination(slot)?.objectID }
    }

    /// The values of a row of a store.
    static func values(of row: Row, _ layout: EntityLayout, store: StoreIdentity?, _ keys: [String]? = nil) -> [String:
        Any]
    {
        let cells = row.cells
        return dictionary(layout, cells, keys) { slot in
            guard cells.isPresent(slot.cell) else { return nil }
            return NSManagedObjectID(
                layout: layout.model[cells.referenceLayout(slot.cell)], store: store, key: cells.integer(slot.cell))
        }
    }

    private static func dictionary(
        _ layout: EntityLayout, _ cells: Cells, _ keys: [String]?, destination: (PropertySlot) -> NSManagedObjectID?
    ) -> [String: Any] {
        var result: [String: Any] = [:]
        for slot in layout.properties
        where slot.cell >= 0 && !slot.isTransient && keys?.contains(slot.name) != false {
            result[slot.name] = (slot.kind == .toOne ? destination(slot) : slot.read(cells)) ?? NSNull()
        }
        return result
    }
}
