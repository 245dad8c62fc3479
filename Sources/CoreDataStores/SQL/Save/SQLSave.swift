// SPDX-License-Identifier: Apache-2.0

/// A SQL engine as a save sees it, inside one open store. A call serves many rows: the engine has the loop over rows
/// and cells.
package protocol SQLSaveEngine: AnyObject {
    var plans: SQLPlans { get }

    /// Runs a block in one transaction that can write. An error of the block undoes the transaction.
    func withTransaction(_ body: () throws -> Void) throws
    /// Reserves consecutive keys for rows of an entity hierarchy.
    ///
    /// - Returns: the first key.
    func reserveKeys(root: UInt32, count: Int64) throws -> Int64
    /// The row of an entity or its subentities with a key, nil if there is none.
    func row(_ layout: EntityLayout, key: Int64) throws -> RetainedRow?
    /// The entity number of the row with a key in the table of an entity, nil if there is none.
    func entityNumber(_ plan: RowWritePlan, key: Int64) throws -> Int64?
    /// The rows that have the values of some cells for a uniqueness constraint, by position; nil where there is none.
    func rows(_ lookup: UniqueRowLookup, _ cells: [Cells]) throws -> [RetainedRow?]
    /// The positions of the members of some owners, by owner and member, without members that have none.
    func positions(_ order: RelationshipWritePlan.Order, owners: [Int64]) throws -> [Int64: [Int64: Int64]]
    /// The positions of some members of one owner, by member, without members that have none.
    func positions(_ order: RelationshipWritePlan.Order, owner: Int64, members: [Int64]) throws -> [Int64: Int64]

    /// - Returns: the rows that are missing or have another version.
    func check(_ check: VersionCheck) throws -> [StoreChanges.CheckedRow]
    /// - Returns: the rows that are missing or have another version.
    func delete(_ deletion: RowDeletion) throws -> [StoreChanges.DeletedRow]
    /// - Returns: the rows that are missing or have another version.
    func update(_ update: RowUpdate, _ keys: PermanentKeys) throws -> [StoreChanges.UpdatedRow]
    func insert(_ insertion: RowInsertion, _ keys: PermanentKeys) throws
    func write(_ write: KeyWrite) throws

    /// The rows whose derived attributes triggers have changed since the transaction began.
    func rowsChangedByTriggers() -> [ObjectReference]

    /// A recorder of the changes of the transaction that has begun; nil if the store doesn't record its history.
    func historyRecorder(_ origin: ChangeOrigin) -> (any HistoryRecorder)?
}

extension SQLSaveEngine {
    package func historyRecorder(_ origin: ChangeOrigin) -> (any HistoryRecorder)? { nil }
}

/// One save into a SQL store: the changes become row operations, which the engine runs in one transaction.
///
/// A row with another version than the context's snapshot is a conflict. All conflicts are collected before the
/// transaction is undone.
package struct SQLSave {
    private let changes: StoreChanges
    private let engine: any SQLSaveEngine

    package init(_ changes: StoreChanges, engine: any SQLSaveEngine) {
        self.changes = changes
        self.engine = engine
    }

    /// A unique index has refused a row.
    private struct Refusal: Error {
        let error: NSError
    }

    /// Saves.
    ///
    /// - Throws: `StoreConflict` for conflicts and violated constraints, `NSManagedObjectReferentialIntegrityError`
    ///   (133000) for a reference to an object that no store has and this save doesn't insert, and the engine's errors.
    ///
    /// - Parameter beforeCommit: called when all rows are written but the transaction can still be undone.
    package func run(beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        do {
            return try attempt(checksUniqueness: false, beforeCommit)
        } catch is Refusal {
            // Two rows may have had the same values only during the save. The second attempt compares the rows as they
            // are after the save, and clears unique values before it writes new ones.
            do {
                return try attempt(checksUniqueness: true, beforeCommit)
            } catch let refusal as Refusal {
                throw refusal.error
            }
        }
    }

    private func attempt(checksUniqueness: Bool, _ beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        var keys: [Int64] = []
        var transaction: Int64?
        try engine.withTransaction {
            if checksUniqueness {
                let violations = try UniquenessCheck(changes).violations(storedRows)
                if !violations.isEmpty { throw StoreConflict(violations: violations) }
            }
            var conflicts: [StoreConflict.Row] = []
            let history = SaveHistory(changes, engine)
            do {
                keys = try writeRows(clearsUniqueValues: checksUniqueness, history, &conflicts)
            } catch let error as NSError
                where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError
            {
                throw conflicts.isEmpty ? Refusal(error: error) : StoreConflict(rows: conflicts)
            }
            if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
            transaction = try history?.finish(engine.rowsChangedByTriggers(), inserted: keys)
            try beforeCommit()
        }
        return StoreSaveResult(keys: keys, affected: engine.rowsChangedByTriggers(), transaction: transaction)
    }

    /// - Returns: the keys of the inserted rows.
    private func writeRows(
        clearsUniqueValues: Bool, _ history: SaveHistory?, _ conflicts: inout [StoreConflict.Row]
    ) throws -> [Int64] {
        let keys = try PermanentKeys(changes.inserted, reserve: engine.reserveKeys)
        let operations = try RowOperations(
            changes, keys: keys, plans: engine.plans, clearsUniqueValues: clearsUniqueValues)
        for operation in operations.list { try run(operation, keys, history, &conflicts) }
        return keys.inserted
    }

    private func run(
        _ operation: RowOperation, _ keys: PermanentKeys, _ history: SaveHistory?,
        _ conflicts: inout [StoreConflict.Row]
    ) throws {
        switch operation {
        case .checkVersions(let check):
            for row in try engine.check(check) { conflicts.append(try conflict(row.layout, row.key, row.version)) }
        case .checkAbsence(let row):
            let conflict = try conflict(row.layout, row.key, 0)
            if conflict.persisted != nil { conflicts.append(conflict) }
            try checkEntity(try engine.plans.writePlan(row.layout), row.key)
        case .delete(let deletion):
            let deletion = try withoutMisnamedRows(deletion)
            try history?.willRun(deletion)
            try run(deletion, &conflicts)
        case .update(let update):
            for row in try engine.update(update, keys) {
                conflicts.append(try conflict(row.layout, row.key, row.version))
            }
            try history?.didRun(update)
        case .insert(let insertion):
            try engine.insert(insertion, keys)
            try history?.didRun(insertion)
        case .writeKeys(let write):
            try engine.write(write)
        case .writeOrder(let orders):
            let write = try orders.write(
                { try engine.positions(orders.plan, owner: $0, members: $1) },
                { try engine.positions(orders.plan, owners: $0) })
            if !write.values.isEmpty { try engine.write(write) }
        }
    }

    private func run(_ deletion: RowDeletion, _ conflicts: inout [StoreConflict.Row]) throws {
        var conflicting: Set<Int64> = []
        for row in try engine.delete(deletion) {
            let conflict = try conflict(row.layout, row.key, row.version)
            // A row that another context or process has deleted is as the save wants it.
            guard conflict.persisted != nil else {
                try checkEntity(deletion.plan, row.key)
                continue
            }
            conflicts.append(conflict)
            conflicting.insert(row.key)
        }
        let deleted = deletion.rows.map(\.key).filter { !conflicting.contains($0) }
        guard !deleted.isEmpty else { return }
        for text in deletion.plan.deletedOwnerTexts {
            try engine.write(KeyWrite(text: text, width: 1, values: deleted))
        }
    }

    // MARK: Rows of other entities

    /// A deletion without the rows of other entities. An object that was never read may have an ID that names a row by
    /// another entity: its deletion leaves the row alone.
    private func withoutMisnamedRows(_ deletion: RowDeletion) throws -> RowDeletion {
        let plan = deletion.plan
        guard !deletion.isVersioned, !plan.entityCondition.isEmpty else { return deletion }
        let rows = try deletion.rows.filter { try isOfEntityOrMissing(plan, $0.key) }
        return RowDeletion(plan: plan, isVersioned: false, rows: rows[...])
    }

    /// Checks that the row with a key, if there is one, is of the entity of a plan.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000).
    private func checkEntity(_ plan: RowWritePlan, _ key: Int64) throws {
        if try plan.entityCondition.isEmpty || isOfEntityOrMissing(plan, key) { return }
        throw StoreChanges.misnamedRow(plan.layout, key)
    }

    private func isOfEntityOrMissing(_ plan: RowWritePlan, _ key: Int64) throws -> Bool {
        let number = try engine.entityNumber(plan, key: key)
        return number == nil || number == Int64(plan.entity.number)
    }

    private func conflict(_ layout: EntityLayout, _ key: Int64, _ version: Int32) throws -> StoreConflict.Row {
        StoreConflict.Row(layout: layout, key: key, version: version, persisted: try engine.row(layout, key: key))
    }

    /// The rows that the store has with the values of cells of an entity for a constraint, by position.
    private func storedRows(_ constraint: UniquenessConstraint, _ layout: EntityLayout, _ cells: [Cells]) throws
        -> [RetainedRow?]
    {
        let none = [RetainedRow?](repeating: nil, count: cells.count)
        guard let lookup = try engine.plans.uniqueRowLookup(layout, constraint) else { return none }
        let references = lookup.columns.filter { $0.kind == .relationshipKey }.map(\.cell)
        if references.isEmpty { return try engine.rows(lookup, cells) }
        // No stored row refers to a new object.
        let positions = cells.indices.filter { index in references.allSatisfy { cells[index].integer($0) >= 0 } }
        if positions.isEmpty { return none }
        var rows = none
        for (position, row) in zip(positions, try engine.rows(lookup, positions.map { cells[$0] })) {
            rows[position] = row
        }
        return rows
    }
}
