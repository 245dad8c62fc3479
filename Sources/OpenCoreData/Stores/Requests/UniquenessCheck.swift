/// Finds the rows of a save that would violate a uniqueness constraint.
///
/// The state after the save decides: the old values of a row that is deleted or gets other values become free.
package struct UniquenessCheck {
    private struct Candidate {
        let reference: ObjectReference
        let layout: EntityLayout
        let cells: Cells
    }

    private struct Values: Hashable {
        let constraint: ObjectIdentifier
        let key: UniquenessKey
    }

    private var groups: [Values: Int] = [:]
    private var candidates: [(constraint: UniquenessConstraint, rows: [Candidate])] = []
    /// The primary keys of rows whose old values become free: of updated rows by constraint, of deleted rows by root.
    private var releasing: [ObjectIdentifier: Set<Int64>] = [:]
    private var deleted: [UInt32: Set<Int64>] = [:]

    package init(_ changes: StoreChanges) {
        for row in changes.inserted {
            for constraint in row.layout.uniquenessConstraints { add(constraint, row.layout, row.key, row.cells) }
        }
        for row in changes.updated {
            for constraint in row.layout.uniquenessConstraints where constraint.differs(row.cells, row.committed) {
                releasing[ObjectIdentifier(constraint), default: []].insert(row.key)
                add(constraint, row.layout, row.key, row.cells)
            }
        }
        guard !candidates.isEmpty else { return }
        for row in changes.deleted where !row.layout.uniquenessConstraints.isEmpty {
            deleted[row.layout.root, default: []].insert(row.key)
        }
    }

    private mutating func add(_ constraint: UniquenessConstraint, _ layout: EntityLayout, _ key: Int64, _ cells: Cells)
    {
        guard let values = constraint.key(cells) else { return }
        let candidate = Candidate(
            reference: ObjectReference(key: key, layout: layout.number), layout: layout, cells: cells)
        let group = Values(constraint: ObjectIdentifier(constraint), key: values)
        if let index = groups[group] {
            candidates[index].rows.append(candidate)
        } else {
            groups[group] = candidates.count
            candidates.append((constraint, [candidate]))
        }
    }

    /// The violations, in the order of the save's rows.
    ///
    /// - Parameter conflictingRow: looks up the row of the store that has the given values before the save.
    package func violations(_ conflictingRow: (UniquenessConstraint, EntityLayout, Cells) throws -> RetainedRow?)
        rethrows
        -> [StoreConflict.Violation]
    {
        try candidates.compactMap { constraint, rows in
            var stored = try conflictingRow(constraint, rows[0].layout, rows[0].cells)
            if let key = stored?.row.primaryKey,
                deleted[constraint.root]?.contains(key) == true
                    || releasing[ObjectIdentifier(constraint)]?.contains(key) == true
                    || rows.contains(where: { $0.reference.key == key })
            {
                stored = nil
            }
            guard stored != nil || rows.count > 1 else { return nil }
            return StoreConflict.Violation(constraint: constraint, rows: rows.map(\.reference), stored: stored)
        }
    }
}
