// SPDX-License-Identifier: Apache-2.0

/// The transformable values that a save writes: encoded, and compared with the committed ones, before any store gets
/// the addresses of cells. Value transformers are code of the program, and may do anything to the objects.
final class TransformableValuesOfSave {
    private var values: [(object: NSManagedObject, slot: PropertySlot, box: TransformableBox)] = []

    /// The committed rows that the values were compared with. The buffers keep them, so that no other row gets their
    /// addresses.
    private var rows: [(object: NSManagedObject, buffer: RowBuffer?, row: Row?)] = []
    /// Whether a value was changed while it was encoded.
    private var isOutdated = false

    /// Whether the save has no transformable values that a program has set.
    var isEmpty: Bool { rows.isEmpty && values.isEmpty && !isOutdated }

    /// Encodes the values of the objects that a plan writes.
    ///
    /// - Throws: the error of a value that can't be encoded.
    func prepare(_ plan: SavePlan) throws {
        for part in plan.parts {
            for objects in [part.insertedObjects, part.updatedObjects] {
                try objects.forEachUnretained { _, object in
                    guard object.layout.hasTransformables else { return }
                    rows.append((object, object.buffer, object.row))
                    for slot in object.layout.storedTransformables { try prepare(object, slot, part.store.database) }
                }
            }
        }
    }

    private func prepare(_ object: NSManagedObject, _ slot: PropertySlot, _ database: any StoreDatabase) throws {
        guard object.flags.contains(.ownsCells), let current = object.cells.object(slot.cell).pointee else { return }
        let committed = object.row.flatMap { $0.cells.object(slot.cell).pointee }
        // A value that the object was read or saved with is not written, except by stores that write whole rows.
        if current === committed, !database.archivesWholeRows || current is StoredTransformable { return }
        let stored = current as? StoredTransformable
        if let stored, committed == nil || (committed as? StoredTransformable)?.data == stored.data { return }
        guard let value = slot.objectValue(current) else { return }
        let isEqual = committed != nil && slot.areEqual(current, committed)
        let data =
            isEqual && !database.archivesWholeRows ? nil : try stored?.data ?? database.archive(value, slot)
        guard object.flags.contains(.ownsCells), object.cells.object(slot.cell).pointee === current else {
            isOutdated = true
            return
        }
        // Other objects, in other contexts too, may have the same box.
        let box = TransformableBox(value)
        box.savedForm = TransformableBox.SavedForm(data: data, committed: committed, isEqual: isEqual)
        object.cells.object(slot.cell).pointee = box
        values.append((object, slot, box))
    }

    /// Whether the objects still have the encoded values, and the rows that these were compared with: a merge by the
    /// program may have replaced a row.
    var areCurrent: Bool {
        if isOutdated { return false }
        for (object, _, row) in rows where object.row?.header != row?.header { return false }
        return values.allSatisfy { object, slot, box in
            !object.flags.contains(.fault) && object.cells.object(slot.cell).pointee === box
        }
    }

    /// Ends the save: a value may change before the next one.
    func end() {
        for value in values { value.box.savedForm = nil }
        values = []
        rows = []
        isOutdated = false
    }
}
