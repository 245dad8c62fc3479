/// Finds the rows of a save that would give several objects the same values for properties that must be unique.
///
/// What counts is the state after the save: a row that is deleted, or gets other values, leaves its old ones to others.
struct UniquenessCheck {
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
    /// The primary keys of rows that give up their values, by constraint and for deleted rows by root.
    private var leaving: [ObjectIdentifier: Set<Int64>] = [:]
    private var deleted: [UInt32: Set<Int64>] = [:]

    init(_ changes: StoreChanges) {
        for row in changes.inserted {
            for constraint in row.layout.uniquenessConstraints { add(constraint, row.layout, row.key, row.cells) }
        }
        for row in changes.updated {
            for constraint in row.layout.uniquenessConstraints where constraint.differs(row.cells, row.committed) {
                leaving[ObjectIdentifier(constraint), default: []].insert(row.key)
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
    /// - Parameter holder: the store's row, before the save, that has the same values as the given one.
    func violations(_ holder: (UniquenessConstraint, EntityLayout, Cells) throws -> RetainedRow?) rethrows
        -> [StoreConflict.Violation]
    {
        try candidates.compactMap { constraint, rows in
            var stored = try holder(constraint, rows[0].layout, rows[0].cells)
            if let key = stored?.row.primaryKey,
                deleted[constraint.root]?.contains(key) == true
                    || leaving[ObjectIdentifier(constraint)]?.contains(key) == true
                    || rows.contains(where: { $0.reference.key == key })
            {
                stored = nil
            }
            guard stored != nil || rows.count > 1 else { return nil }
            return StoreConflict.Violation(constraint: constraint, rows: rows.map(\.reference), stored: stored)
        }
    }
}
