// SPDX-License-Identifier: Apache-2.0

/// A row with key-value access for predicates and sort descriptors. The values of relationships are other rows.
package final class EvaluatedRow: NSObject, KeyValueCoding, KeyPathInspecting, ComparableByIdentity, IdentifiedObject {
    package let retained: RetainedRow
    unowned let relations: any RowRelations
    private var layout: EntityLayout { retained.buffer.layouts[retained.row.layoutNumber] }

    package init(_ retained: RetainedRow, relations: any RowRelations) {
        self.retained = retained
        self.relations = relations
    }

    package func value(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": return self
        case "objectID": return objectID
        case "entity": return layout.entity
        default: break
        }
        guard let slot = layout.slot(named: key) else { return nil }
        let row = retained.row
        switch slot.kind {
        case .toOne:
            guard row.cells.isPresent(slot.cell) else { return nil }
            return relations.row(
                layout: layout.model[row.cells.referenceLayout(slot.cell)], key: row.cells.integer(slot.cell))
        case .toMany:
            let rows = relations.contentRows(of: slot, ownerLayout: layout, key: row.primaryKey)
            return slot.isOrdered ? NSOrderedSet(array: rows) : NSSet(array: rows)
        case .fetched:
            return nil
        default:
            return slot.read(row.cells)
        }
    }

    package func crossesToManyRelationship(_ path: ArraySlice<String>) -> Bool {
        layout.entity.crossesToManyRelationship(path)
    }

    package var objectID: NSManagedObjectID {
        NSManagedObjectID(layout: layout, store: relations.identity, key: retained.row.primaryKey)
    }

    package var comparisonIdentity: NSObject { objectID }

    /// Rows of one object are equal, and equal to its ID: predicates compare rows with IDs.
    package override func isEqual(_ object: Any?) -> Bool {
        if let other = object as? EvaluatedRow { return other.retained.row.header == retained.row.header }
        return objectID.isEqual(object)
    }

    package override var hash: Int { retained.row.primaryKey.hashValue }
}
