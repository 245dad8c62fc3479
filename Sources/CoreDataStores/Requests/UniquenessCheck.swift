// SPDX-License-Identifier: Apache-2.0

/// Finds the rows of a save that would violate a uniqueness constraint.
///
/// The state after the save decides: the old values of a row that is deleted or gets other values become free.
struct UniquenessCheck {
    /// The rows of the save with values for one constraint. A row is a position among the inserted rows of the save,
    /// followed by the updated ones.
    private struct Group {
        let constraint: UniquenessConstraint
        /// The rows with values, in the order of the save; then the first row with each list of values.
        var rows: [Int] = []
        /// The further rows with the values of a first row.
        var repetitions: [Int: [Int]] = [:]
        /// The primary keys of updated rows, whose old values become free.
        var releasing: Set<Int64> = []
    }

    private let changes: StoreChanges
    private var groups: [Group] = []
    private var groupsByConstraint: [ObjectIdentifier: Int] = [:]
    /// The primary keys of deleted rows by root.
    private var deleted: [UInt32: Set<Int64>] = [:]

    init(_ changes: StoreChanges) {
        self.changes = changes
        for (index, row) in changes.inserted.enumerated() {
            for constraint in row.layout.uniquenessConstraints { add(constraint, index, row.cells) }
        }
        for (index, row) in changes.updated.enumerated() {
            for constraint in row.layout.uniquenessConstraints where constraint.differs(row.cells, row.committed) {
                let group = group(of: constraint)
                groups[group].releasing.insert(row.key)
                add(constraint, changes.inserted.count + index, row.cells)
            }
        }
        guard !groups.isEmpty else { return }
        for index in groups.indices { separateRepetitions(&groups[index]) }
        for row in changes.deleted where !row.layout.uniquenessConstraints.isEmpty {
            deleted[row.layout.root, default: []].insert(row.key)
        }
    }

    private mutating func add(_ constraint: UniquenessConstraint, _ row: Int, _ cells: Cells) {
        guard constraint.hasValues(cells) else { return }
        let group = group(of: constraint)
        groups[group].rows.append(row)
    }

    private func separateRepetitions(_ group: inout Group) {
        let rows = group.rows
        var size = 16
        while size < rows.count * 2 { size *= 2 }
        // The positions in `rows` by hash, with open addressing: most rows are compared with no other one.
        var positions = [Int](repeating: -1, count: size)
        var hashes: [Int] = []
        hashes.reserveCapacity(rows.count)
        for (position, row) in rows.enumerated() {
            let cells = written(row).cells
            var hasher = Hasher()
            group.constraint.hash(cells, into: &hasher)
            let hash = hasher.finalize()
            hashes.append(hash)
            var slot = hash & (size - 1)
            while positions[slot] >= 0 {
                let first = positions[slot]
                if hashes[first] == hash, group.constraint.haveEqualValues(written(rows[first]).cells, cells) { break }
                slot = (slot + 1) & (size - 1)
            }
            if positions[slot] < 0 {
                positions[slot] = position
            } else {
                group.repetitions[rows[positions[slot]], default: []].append(row)
            }
        }
        if group.repetitions.isEmpty { return }
        let repeated = Set(group.repetitions.values.joined())
        group.rows.removeAll(where: repeated.contains)
    }

    private mutating func group(of constraint: UniquenessConstraint) -> Int {
        // Rows of one entity follow one another.
        if let last = groups.indices.last, groups[last].constraint === constraint { return last }
        if let known = groupsByConstraint[ObjectIdentifier(constraint)] { return known }
        groupsByConstraint[ObjectIdentifier(constraint)] = groups.count
        groups.append(Group(constraint: constraint))
        return groups.count - 1
    }

    private func written(_ row: Int) -> (layout: EntityLayout, key: Int64, cells: Cells) {
        if row < changes.inserted.count {
            let inserted = changes.inserted[row]
            return (inserted.layout, inserted.key, inserted.cells)
        }
        let updated = changes.updated[row - changes.inserted.count]
        return (updated.layout, updated.key, updated.cells)
    }

    private func reference(_ row: Int) -> ObjectReference {
        let written = written(row)
        return ObjectReference(key: written.key, layout: written.layout.number)
    }

    /// The violations, in the order of the save's rows.
    ///
    /// - Parameter storedRows: looks up the rows of the store that have the values of cells before the save, by
    ///   position. All cells are of one entity.
    func violations(
        _ storedRows: (UniquenessConstraint, EntityLayout, [Cells]) throws -> [RetainedRow?]
    ) rethrows -> [StoreConflict.Violation] {
        var found: [(row: Int, violation: StoreConflict.Violation)] = []
        for group in groups {
            var start = 0
            while start < group.rows.count {
                let layout = written(group.rows[start]).layout
                var end = start + 1
                while end < group.rows.count, end - start < Self.lookupLimit, written(group.rows[end]).layout === layout
                {
                    end += 1
                }
                let rows = group.rows[start..<end]
                let stored = try storedRows(group.constraint, layout, rows.map { written($0).cells })
                for (row, stored) in zip(rows, stored) {
                    if let violation = violation(group, row, stored) { found.append((row, violation)) }
                }
                start = end
            }
        }
        if groups.count > 1 { found.sort { $0.row < $1.row } }
        return found.map(\.violation)
    }

    /// The greatest number of rows in one look-up.
    private static let lookupLimit = 10_000

    private func violation(_ group: Group, _ row: Int, _ found: RetainedRow?) -> StoreConflict.Violation? {
        var rows = [reference(row)]
        if let others = group.repetitions[row] { rows += others.map(reference) }
        var stored = found
        if let found {
            let key = withExtendedLifetime(found.buffer) { found.row.primaryKey }
            if deleted[group.constraint.root]?.contains(key) == true || group.releasing.contains(key)
                || rows.contains(where: { $0.key == key })
            {
                stored = nil
            }
        }
        guard stored != nil || rows.count > 1 else { return nil }
        return StoreConflict.Violation(constraint: group.constraint, rows: rows, stored: stored)
    }
}
