// SPDX-License-Identifier: Apache-2.0

/// The rows of a store in memory by the values of its uniqueness constraints.
struct MemoryUniqueKeys {
    private var keys: [ObjectIdentifier: [UniquenessKey: Int64]] = [:]

    /// The primary key of the row with the values of the given cells. The first use of a constraint indexes all rows.
    mutating func row(_ constraint: UniquenessConstraint, _ cells: Cells, in table: MemoryDatabase.Table?)
        -> Int64?
    {
        if keys[ObjectIdentifier(constraint)] == nil {
            var index: [UniquenessKey: Int64] = [:]
            for (primaryKey, retained) in table?.rows ?? [:] {
                guard Self.applies(constraint, to: retained), let values = constraint.key(retained.row.cells) else {
                    continue
                }
                index[values] = primaryKey
            }
            keys[ObjectIdentifier(constraint)] = index
        }
        return constraint.key(cells).flatMap { keys[ObjectIdentifier(constraint)]?[$0] }
    }

    /// Removes the rows that a save is going to change.
    mutating func remove(_ changes: StoreChanges, _ tables: [UInt32: MemoryDatabase.Table]) {
        for row in changes.deleted { remove(row.layout, row.key, tables) }
        for row in changes.updated { remove(row.layout, row.key, tables) }
    }

    /// Inserts the rows that a save has written.
    mutating func insert(
        _ changes: StoreChanges, keys inserted: [Int64], _ tables: [UInt32: MemoryDatabase.Table]
    ) {
        for row in changes.updated { add(row.layout, row.key, tables) }
        for (row, key) in zip(changes.inserted, inserted) { add(row.layout, key, tables) }
    }

    private mutating func remove(_ layout: EntityLayout, _ key: Int64, _ tables: [UInt32: MemoryDatabase.Table]) {
        guard !layout.uniquenessConstraints.isEmpty, let row = tables[layout.root]?.rows[key] else { return }
        for constraint in layout.uniquenessConstraints {
            if let values = constraint.key(row.row.cells) { keys[ObjectIdentifier(constraint)]?[values] = nil }
        }
    }

    private mutating func add(_ layout: EntityLayout, _ key: Int64, _ tables: [UInt32: MemoryDatabase.Table]) {
        guard !layout.uniquenessConstraints.isEmpty, let row = tables[layout.root]?.rows[key] else { return }
        for constraint in layout.uniquenessConstraints {
            if let values = constraint.key(row.row.cells) { keys[ObjectIdentifier(constraint)]?[values] = key }
        }
    }

    private static func applies(_ constraint: UniquenessConstraint, to retained: RetainedRow) -> Bool {
        let layouts = retained.buffer.layouts
        return layouts[retained.row.layoutNumber].isKind(of: layouts[constraint.layout])
    }
}
