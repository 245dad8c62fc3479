import CoreDataPredicates

/// Executes a batch insert: one prepared statement, one row in memory.
final class SQLiteBatchInsert {
    private let insertion: BatchInsertion
    private let run: SQLiteBatchRun
    private let layout: EntityLayout
    private let row: BatchCells
    /// The texts of updates of existing rows, by the positions of the columns.
    private var updateTexts: [[Int]: String] = [:]
    /// The keys of updated rows whose derived attributes must be computed again.
    private var keysToDerive: [Int64] = []

    init(_ insertion: BatchInsertion, _ run: SQLiteBatchRun) {
        self.insertion = insertion
        self.run = run
        layout = insertion.layout
        row = BatchCells(insertion.layout)
    }

    func execute() throws {
        let plan = try run.open.plans.writePlan(layout)
        let computed = try run.computedProperties(layout)
        let mayConflict = insertion.conflict != .fail && !layout.uniquenessConstraints.isEmpty
        let engine = run.engine
        // The transaction excludes other writers, so the keys are recorded once, at the end.
        var key = try engine.reserveKeys(root: layout.root, count: 0)
        let first = key
        let number = Int64(plan.entity.number)
        let text = mayConflict ? plan.insertIfUniqueText : plan.insertText
        let statement = try run.connection.statement(text)
        let binder = SQLiteCellBinder(engine: engine, keys: nil)
        run.log.touch(layout)
        let derivingRow = DerivingRow(layout, row.cells, run.open)
        let wantsReferences = run.log.needsKeys
        while try insertion.rows.next(row.cells) {
            for slot in computed {
                slot.write(
                    try DerivedValues.value(of: slot, for: derivingRow, layout: layout), to: row.cells,
                    entity: layout.name)
            }
            guard key < Int64.max else { throw noFreeKeys }
            try engine.bind(plan, row.cells, key: key, entityNumber: number, to: statement, binder)
            try statement.runAgain()
            if mayConflict, run.connection.changedRowCount == 0 {
                try resolveConflict(plan)
            } else {
                if wantsReferences { run.log.record(.insert, key: key, layout: layout) }
                key += 1
                if key & 1023 == 0 { try recordRowsChangedByTriggers(first..<key) }
            }
            row.reset()
        }
        if !wantsReferences { run.log.record(.insert, count: Int(key - first)) }
        if key > first { _ = try engine.reserveKeys(root: layout.root, count: 0) }
        try run.deriveAgain(layout, keysToDerive)
        try recordRowsChangedByTriggers(first..<key)
        if let history = run.history { try recordInsertions(first..<key, history) }
    }

    private func recordInsertions(_ inserted: Range<Int64>, _ history: BatchHistory) throws {
        var next = inserted.lowerBound
        while next < inserted.upperBound {
            let end = min(inserted.upperBound, next + Int64(SQLiteBatchRun.keyCount))
            try history.recordInsertions(layout, keys: Array(next..<end)[...])
            next = end
        }
    }

    private func recordRowsChangedByTriggers(_ inserted: Range<Int64>) throws {
        try run.recordRowsChangedByTriggers { row in
            inserted.contains(row.key) && run.open.layouts[row.layout].root == layout.root
        }
    }

    private var noFreeKeys: NSError {
        CoreDataErrors.error(
            NSPersistentStoreSaveError, "The entity \(layout.name) has no free primary keys.",
            reason: "The file \(run.open.file.path) is damaged.",
            userInfo: [NSFilePathErrorKey: run.open.file.path])
    }

    // MARK: Uniqueness constraints

    /// Handles a row that a unique index has refused.
    private func resolveConflict(_ plan: RowWritePlan) throws {
        guard insertion.conflict != .keepStored else { return }
        let existing = try existingRow(plan)
        let columns = positionsOfColumnsToUpdate(plan)
        guard !columns.isEmpty else { return }
        if columns.contains(where: { plan.columns[$0].kind == .externalBinary }) {
            let external = columns.map { plan.columns[$0] }.filter { $0.kind == .externalBinary }
            try run.engine.recordUnusedFiles(external, plan, [existing])
        }
        let statement = try run.connection.statement(updateText(plan, columns))
        let binder = SQLiteCellBinder(engine: run.engine, keys: nil)
        var parameter: Int32 = 1
        for column in columns {
            parameter = try binder.bind(plan.columns[column], row.cells, to: statement, at: parameter)
        }
        try statement.bind(existing, at: parameter)
        try statement.run()
        run.log.record(.update, key: existing, layout: layout)
        if let history = run.history {
            try history.recordUpdates(layout, keys: [existing], properties: updatedProperties(plan, columns))
        }
        if insertion.conflict == .updateGiven, !layout.derivedProperties.isEmpty { keysToDerive.append(existing) }
    }

    /// The names of the properties that an existing row gets values of, derived ones included.
    private func updatedProperties(_ plan: RowWritePlan, _ columns: [Int]) throws -> [String] {
        guard insertion.conflict == .updateGiven else {
            return columns.map { layout.properties[plan.columns[$0].slot.index].name }
        }
        let given = insertion.rows.given(row.cells).map { layout.properties[$0].name }
        return given + (try run.computedProperties(layout).map(\.name))
    }

    /// The key of the row that has the values of a constraint.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` (133021) if the row is of another entity.
    private func existingRow(_ plan: RowWritePlan) throws -> Int64 {
        for constraint in layout.uniquenessConstraints {
            guard let lookup = plan.lookup(constraint), let key = try run.engine.key(lookup, plan, row.cells) else {
                continue
            }
            let entity = try run.connection.integer(
                plan.statements.select(["Z_ENT"], from: plan.entity.tableName, where: ["Z_PK"]), [.integer(key)])
            if entity == Int64(plan.entity.number) { return key }
        }
        throw CoreDataErrors.error(
            NSManagedObjectConstraintMergeError, "The batch insert of entity \(layout.name) failed.",
            reason: "An object of another entity has the values of a uniqueness constraint already.",
            suggestion: "Give the objects unique values.",
            userInfo: [NSFilePathErrorKey: run.open.file.path])
    }

    private func positionsOfColumnsToUpdate(_ plan: RowWritePlan) -> [Int] {
        guard insertion.conflict == .updateGiven else { return Array(plan.columns.indices) }
        let given = Set(insertion.rows.given(row.cells))
        return plan.columns.indices.filter { given.contains(plan.columns[$0].slot.index) }
    }

    private func updateText(_ plan: RowWritePlan, _ columns: [Int]) -> String {
        if let known = updateTexts[columns] { return known }
        var assignments: [SQLWriteStatements.Assignment] = []
        for column in columns.map({ plan.columns[$0] }) {
            assignments.append(.parameter(column.name))
            if let entityColumn = column.entityColumn { assignments.append(.parameter(entityColumn)) }
        }
        let text = plan.statements.update(
            plan.entity.tableName, assignments + [.increment("Z_OPT")], where: ["Z_PK"])
        updateTexts[columns] = text
        return text
    }
}
