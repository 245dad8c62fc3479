// SPDX-License-Identifier: Apache-2.0

/// Turns the changes of one save into row operations.
///
/// Order: checks, deletions, updates, insertions, relationships. A row is deleted before another one gets its unique
/// values, and a relationship is written when the rows of all its members are in the store. Consecutive rows that need
/// the same statement share one operation.
struct RowOperations {
    private(set) var list: [RowOperation] = []
    private let changes: StoreChanges
    private let keys: PermanentKeys
    private let plans: SQLPlans

    /// - Parameter clearsUniqueValues: whether updated rows first give up the unique values that they change, so that
    ///   rows can exchange values.
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) for a reference to an object that no store has
    ///   and this save doesn't insert.
    init(_ changes: StoreChanges, keys: PermanentKeys, plans: SQLPlans, clearsUniqueValues: Bool) throws {
        self.changes = changes
        self.keys = keys
        self.plans = plans
        try addChecks()
        try addDeletions()
        if clearsUniqueValues { try addUniqueValueClearing() }
        try addUpdates()
        try addInsertions()
        try addRelationships()
    }

    // MARK: Rows

    private mutating func addChecks() throws {
        try Self.forEachRun(of: changes.checked, { $0.layout }) { layout, rows in
            list.append(.checkVersions(VersionCheck(plan: try plans.writePlan(layout), rows: rows)))
        }
        for row in changes.inserted where row.isReplacement { list.append(.checkAbsence(row)) }
    }

    private mutating func addDeletions() throws {
        try Self.forEachRun(of: changes.deleted, { $0.layout }, { ($0.version == 0) == ($1.version == 0) }) {
            layout, rows in
            let isVersioned = rows.first?.version != 0
            list.append(
                .delete(RowDeletion(plan: try plans.writePlan(layout), isVersioned: isVersioned, rows: rows)))
        }
    }

    private mutating func addUniqueValueClearing() throws {
        var cleared = KeyWrites()
        for row in changes.updated {
            let changed = row.layout.uniquenessConstraints.filter { $0.differs(row.cells, row.committed) }
            guard !changed.isEmpty, let text = try plans.writePlan(row.layout).clearUniqueValuesText(changed) else {
                continue
            }
            cleared.add(text, [row.key])
        }
        list += cleared.list.map(RowOperation.writeKeys)
    }

    private mutating func addUpdates() throws {
        guard var first = changes.updated.first else { return }
        var plan = try plans.writePlan(first.layout)
        var start = 0
        var startSignature: [Int] = []
        var signature: [Int] = []
        for (index, row) in changes.updated.enumerated() {
            if row.layout !== plan.layout { plan = try plans.writePlan(row.layout) }
            Self.fill(&signature, plan, row)
            if index > start && (row.layout !== first.layout || signature != startSignature) {
                try addUpdate(changes.updated[start..<index], startSignature)
                start = index
                first = row
            }
            if index == start { swap(&startSignature, &signature) }
        }
        try addUpdate(changes.updated[start...], startSignature)
    }

    /// The statement of an updated row depends on this signature: the changed columns, and which of their references
    /// become nil.
    private static func fill(_ signature: inout [Int], _ plan: RowWritePlan, _ row: StoreChanges.UpdatedRow) {
        signature.removeAll(keepingCapacity: true)
        for (index, column) in plan.columns.enumerated() where !column.slot.isEqual(row.cells, row.committed) {
            signature.append(column.orderColumn != nil && !row.cells.isPresent(column.cell) ? ~index : index)
        }
    }

    /// - Parameter rows: rows of one entity with this signature.
    private mutating func addUpdate(_ rows: ArraySlice<StoreChanges.UpdatedRow>, _ signature: [Int]) throws {
        guard let row = rows.first else { return }
        let plan = try plans.writePlan(row.layout)
        list.append(.update(RowUpdate(plan: plan, update: plans.updatePlan(plan, signature), rows: rows)))
    }

    private mutating func addInsertions() throws {
        try Self.forEachRun(of: changes.inserted, { $0.layout }) { layout, rows in
            list.append(
                .insert(
                    RowInsertion(
                        plan: try plans.writePlan(layout), rows: rows,
                        keys: keys.inserted[rows.startIndex..<rows.endIndex])))
        }
    }

    // MARK: Relationships

    /// The statements of all relationships: rows leave their owners before they get new owners, and the order comes
    /// last. Each statement is one operation, whatever the number of owners.
    private mutating func addRelationships() throws {
        var removals = KeyWrites()
        var additions = KeyWrites()
        var orders: [OrderWrites] = []
        var positions: [String: Int] = [:]
        for change in changes.relationships {
            guard let plan = try plans.writePlan(change.layout, change.layout.properties[change.property]) else {
                continue
            }
            let owner = try keys.permanentKey(change.owner)
            let added = try change.added.map { try keys.permanentKey($0.key) }
            // The store knows nothing of an object that was added and removed without a save.
            let removed = change.removed.map(\.key).filter { $0 > 0 }
            if let foreignKeys = plan.foreignKeys {
                for member in removed { removals.add(foreignKeys.clearText, [member, owner]) }
                for member in added {
                    additions.add(
                        foreignKeys.setText,
                        foreignKeys.hasEntityColumn ? [owner, plan.ownerEntityNumber, member] : [owner, member])
                }
            }
            if let join = plan.join {
                for member in removed { removals.add(join, join.deleteText, owner, member) }
                for member in added { additions.add(join, join.insertText, owner, member) }
            }
            guard let order = plan.order else { continue }
            let members: OrderWrite.Members =
                if let all = change.order {
                    try Self.members(all, change.placements, keys)
                } else {
                    .last(try change.last.map { try keys.permanentKey($0.key) })
                }
            let write = OrderWrite(owner: owner, members: members, added: added)
            if let position = positions[order.writeText] {
                orders[position].owners.append(write)
            } else {
                positions[order.writeText] = orders.count
                orders.append(OrderWrites(plan: order, owners: [write]))
            }
        }
        list += (removals.list + additions.list).map(RowOperation.writeKeys) + orders.map(RowOperation.writeOrder)
    }

    private static func members(
        _ all: StoreChanges.MemberList, _ placements: [StoreChanges.Placement]?, _ keys: PermanentKeys
    ) throws -> OrderWrite.Members {
        let all = { try all.references.map { try keys.permanentKey($0.key) } }
        guard let placements else { return .all(try all()) }
        return .placed(
            try placements.map { placement in
                OrderWrite.Placement(
                    members: try placement.members.map { try keys.permanentKey($0.key) },
                    previous: try placement.previous.map { try keys.permanentKey($0.key) },
                    next: try placement.next.map { try keys.permanentKey($0.key) })
            }, all: all)
    }

    // MARK: Runs

    /// Calls a block for the longest runs of rows of one entity.
    ///
    /// - Parameter areAlike: whether two neighbouring rows of one entity may share a run.
    private static func forEachRun<Row>(
        of rows: [Row], _ layout: (Row) -> EntityLayout, _ areAlike: (Row, Row) -> Bool = { _, _ in true },
        _ body: (EntityLayout, ArraySlice<Row>) throws -> Void
    ) rethrows {
        var start = 0
        for index in rows.indices.dropFirst()
        where layout(rows[index]) !== layout(rows[start]) || !areAlike(rows[index - 1], rows[index]) {
            try body(layout(rows[start]), rows[start..<index])
            start = index
        }
        if start < rows.count { try body(layout(rows[start]), rows[start...]) }
    }
}

/// Runs of statements for keys, with the runs of one statement together.
private struct KeyWrites {
    /// In the order of the first runs.
    private(set) var list: [KeyWrite] = []
    private var positions: [String: Int] = [:]

    mutating func add(_ text: String, _ values: [Int64]) {
        if let position = positions[text] {
            list[position].values += values
        } else {
            positions[text] = list.count
            list.append(KeyWrite(text: text, width: values.count, values: values))
        }
    }

    /// Adds a row of a join table. A relationship that is its own inverse has one for each direction.
    mutating func add(_ join: RelationshipWritePlan.Join, _ text: String, _ owner: Int64, _ member: Int64) {
        add(text, [owner, member])
        if join.isReflexive { add(text, [member, owner]) }
    }
}
