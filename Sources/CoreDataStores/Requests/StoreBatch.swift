// SPDX-License-Identifier: Apache-2.0

/// A batch request in neutral form: without objects and context.
package enum StoreBatch {
    case insert(BatchInsertion)
    case update(BatchUpdate)
    case delete(BatchDeletion)

    /// The name of the entity whose rows change.
    package var entityName: String {
        switch self {
        case .insert(let insertion): insertion.layout.name
        case .update(let update): update.query.layout.name
        case .delete(let deletion): deletion.query.layout.name
        }
    }

    /// Whether the result has the changed objects, not their number alone.
    package var wantsReferences: Bool {
        switch self {
        case .insert(let insertion): insertion.wantsReferences
        case .update(let update): update.wantsReferences
        case .delete(let deletion): deletion.wantsReferences
        }
    }
}

/// Inserts rows of one entity.
package struct BatchInsertion {
    /// The treatment of a row whose values under a uniqueness constraint another row has already.
    package enum Conflict {
        /// The request fails.
        case fail
        /// The stored row remains as it is.
        case keepStored
        /// The stored row gets the values that were given for the new one.
        case updateGiven
        /// The stored row gets all values of the new one.
        case updateAll
    }

    package let layout: EntityLayout
    package let rows: any BatchRowSource
    package let conflict: Conflict
    let wantsReferences: Bool

    package init(layout: EntityLayout, rows: any BatchRowSource, conflict: Conflict, wantsReferences: Bool) {
        self.layout = layout
        self.rows = rows
        self.conflict = conflict
        self.wantsReferences = wantsReferences
    }
}

/// Makes the rows of a batch insert, one after the other.
package protocol BatchRowSource: AnyObject {
    /// The positions of the properties that the last row has values for.
    ///
    /// - Parameter cells: the last row.
    func given(_ cells: Cells) -> [Int]
    /// Writes the values of the next row.
    ///
    /// - Parameter cells: the row, which has the default values.
    /// - Returns: false if there are no more rows.
    func next(_ cells: Cells) throws -> Bool
}

/// Sets values in the rows of a query.
package struct BatchUpdate {
    package enum Value {
        /// The constant in the property's cells of ``BatchUpdate/constants``.
        case constant
        /// Evaluated in SQL.
        case expression(NSExpression)
    }

    package let query: StoreQuery
    package let assignments: [(slot: PropertySlot, value: Value)]
    package let constants: BatchCells
    package let wantsReferences: Bool

    package init(
        query: StoreQuery, assignments: [(slot: PropertySlot, value: Value)], constants: BatchCells,
        wantsReferences: Bool
    ) {
        self.query = query
        self.assignments = assignments
        self.constants = constants
        self.wantsReferences = wantsReferences
    }
}

/// Deletes the rows of a query.
package struct BatchDeletion {
    package let query: StoreQuery
    package let wantsReferences: Bool

    package init(query: StoreQuery, wantsReferences: Bool) {
        self.query = query
        self.wantsReferences = wantsReferences
    }
}

/// The memory of one row, which has the default values at first. Used by one thread.
package final class BatchCells {
    let layout: EntityLayout
    package let cells: Cells

    package init(_ layout: EntityLayout) {
        self.layout = layout
        cells = .allocate(layout)
        layout.copy(layout.defaultCells, to: cells)
    }

    deinit {
        layout.destroy(cells)
        cells.deallocate()
    }

    /// Sets all cells to the default values.
    package func reset() {
        layout.destroy(cells)
        layout.copy(layout.defaultCells, to: cells)
    }
}

/// The changes of a batch request. Every row that a store inserts, updates or deletes for a batch request is recorded
/// here once, in the open transaction. Rows that only lose a reference to a deleted row are not recorded.
package struct BatchRowLog {
    package enum Change { case insert, update, delete }

    /// Whether rows must be recorded by key. Otherwise a store may record their number alone.
    package let needsKeys: Bool
    /// The number of rows that the request itself has changed.
    package private(set) var count = 0
    /// These rows, if the request wants them.
    package private(set) var references: [ObjectReference] = []
    /// The root layouts of the entities whose rows have changed; cached rows of these are old.
    package private(set) var roots: Set<UInt32> = []

    package init(wantsReferences: Bool) { needsKeys = wantsReferences }

    /// Records a row.
    ///
    /// - Parameter isResult: false for a row that a cascading delete rule has deleted.
    @inline(__always)
    package mutating func record(_ change: Change, key: Int64, layout: EntityLayout, isResult: Bool = true) {
        guard isResult else { return }
        count += 1
        if needsKeys { references.append(ObjectReference(key: key, layout: layout.number)) }
    }

    /// Records rows whose keys are not needed.
    package mutating func record(_ change: Change, count: Int) { self.count += count }

    /// Records that cached rows of an entity hierarchy may be old.
    package mutating func touch(_ layout: EntityLayout) { roots.insert(layout.root) }
}
