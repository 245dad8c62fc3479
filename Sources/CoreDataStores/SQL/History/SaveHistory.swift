// SPDX-License-Identifier: Apache-2.0

/// Records the row operations of one save in the history of the store.
struct SaveHistory {
    private let recorder: any HistoryRecorder
    private let plans: SQLPlans
    private let changes: StoreChanges
    /// The changed to-many relationships of each owner, by positions in its layout.
    private let relationships: [ObjectReference: [Int]]

    /// Nil if the store doesn't record its history.
    init?(_ changes: StoreChanges, _ engine: any SQLSaveEngine) {
        guard let recorder = engine.historyRecorder(changes.origin) else { return nil }
        self.recorder = recorder
        self.changes = changes
        plans = engine.plans
        var relationships: [ObjectReference: [Int]] = [:]
        for change in changes.relationships where change.owner > 0 {
            relationships[ObjectReference(key: change.owner, layout: change.layout.number), default: []].append(
                change.property)
        }
        self.relationships = relationships
    }

    /// Records deletions, before their rows are deleted.
    func willRun(_ deletion: RowDeletion) throws {
        try recorder.recordDeletions(try plans.historyPlan(deletion.plan.layout), keys: deletion.rows.lazy.map(\.key))
    }

    func didRun(_ insertion: RowInsertion) throws {
        try recorder.recordInsertions(try plans.historyPlan(insertion.plan.layout), keys: insertion.keys)
    }

    func didRun(_ update: RowUpdate) throws {
        let plan = try plans.historyPlan(update.plan.layout)
        var columns = plan.emptyColumns
        for column in update.columns { plan.mark(column.slot, in: &columns) }
        if relationships.isEmpty && update.rows.count > 1 {
            return try recorder.recordUpdates(plan, keys: update.rows.lazy.map(\.key), columns: columns)
        }
        for row in update.rows {
            let owner = ObjectReference(key: row.key, layout: row.layout.number)
            guard let changed = relationships[owner] else {
                try recorder.recordUpdate(plan, key: row.key, columns: columns)
                continue
            }
            var all = columns
            for index in changed { plan.mark(plan.layout.properties[index], in: &all) }
            try recorder.recordUpdate(plan, key: row.key, columns: all)
        }
    }

    /// Records rows whose derived attributes triggers have changed, and ends the record.
    ///
    /// - Returns: the number of the transaction; nil if nothing has changed.
    func finish(_ rowsChangedByTriggers: [ObjectReference], inserted: [Int64]) throws -> Int64? {
        if !rowsChangedByTriggers.isEmpty { try record(rowsChangedByTriggers, inserted) }
        return try recorder.finish()
    }

    private func record(_ rows: [ObjectReference], _ inserted: [Int64]) throws {
        var known = Set(changes.updated.map { ObjectReference(key: $0.key, layout: $0.layout.number) })
        known.formUnion(changes.deleted.map { ObjectReference(key: $0.key, layout: $0.layout.number) })
        for (row, key) in zip(changes.inserted, inserted) {
            known.insert(ObjectReference(key: key, layout: row.layout.number))
        }
        for row in rows where !known.contains(row) {
            guard let (plan, columns) = try plans.derivationColumns(layout: row.layout) else { continue }
            try recorder.recordUpdate(plan, key: row.key, columns: columns)
        }
    }
}
