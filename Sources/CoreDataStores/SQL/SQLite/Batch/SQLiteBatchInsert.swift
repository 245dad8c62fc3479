// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Executes a batch insert, with one row in memory.
final class SQLiteBatchInsert {
    private let insertion: BatchInsertion
    private let run: SQLiteBatchRun
    private let layout: EntityLayout
    private let computed: [PropertySlot]
    private let row: BatchCells
    private let plan: RowWritePlan
    private let mayConflict: Bool
    private let binder: SQLiteCellBinder
    /// The key of the next row.
    private var key: Int64 = 0
    /// The texts of updates of existing rows, by the positions of the columns.
    private var updateTexts: [[Int]: String] = [:]
    /// The keys of updated rows whose derived attributes must be computed again.
    private var keysToDerive: [Int64] = []

    init(_ insertion: BatchInsertion, _ run: SQLiteBatchRun) throws {
        self.insertion = insertion
        self.run = run
        let layout = insertion.layout
        self.layout = layout
        computed = try run.plans.computedProperties(layout)
        plan = try run.open.plans.writePlan(layout)
        mayConflict = insertion.conflict != .fail && !layout.uniquenessConstraints.isEmpty
        binder = SQLiteCellBinder(engine: run.engine, keys: nil)
        row = BatchCells(layout)
    }

    func execute() throws {
        let engine = run.engine
        // The transaction excludes other writers, so the keys are recorded once, at the end.
        let first = try engine.reserveKeys(root: layout.root, count: 0)
        key = first
        run.log.touch(layout)
        if !mayConflict, SQLiteRowTable.isUsable(on: run.connection) {
            let table = SQLiteBatchRows(plan, binder) { try self.nextRow() }
            while try table.insert(on: run.connection) { try recordRowsChangedByTriggers(first..<key) }
        } else {
            try insertEach(first)
        }
        if !run.log.needsKeys { run.log.record(.insert, count: Int(key - first)) }
        if key > first { _ = try engine.reserveKeys(root: layout.root, count: 0) }
        try run.deriveAgain(layout, keysToDerive)
        try recordRowsChangedByTriggers(first..<key)
        if let history = run.history { try recordInsertions(first..<key, history) }
    }

    /// Makes the next row and gives it a key; nil behind the last one.
    private func nextRow() throws -> SQLiteRowTable.Row? {
        guard try makeRow() else { return nil }
        defer { didInsert() }
        return SQLiteRowTable.Row(key: key, version: 1, cells: row.cells)
    }

    /// - Returns: false behind the last row.
    private func makeRow() throws -> Bool {
        row.reset()
        guard try insertion.rows.next(row.cells) else { return false }
        guard key < Int64.max else { throw noFreeKeys }
        try run.derived.write(computed, of: layout, row.cells, to: row.cells)
        return true
    }

    private func didInsert() {
        if run.log.needsKeys { run.log.record(.insert, key: key, layout: layout) }
        key += 1
    }

    /// Inserts each row by a statement. A row that may be refused is one of them.
    private func insertEach(_ first: Int64) throws {
        let statement = try run.connection.statement(mayConflict ? plan.insertIfUniqueText : plan.insertText)
        while try makeRow() {
            try run.engine.bind(plan, row.cells, key: key, to: statement, binder)
            try statement.runAgain()
            if mayConflict, run.connection.changedRowCount == 0 {
                try resolveConflict(row.cells)
                continue
            }
            didInsert()
            if key & 1023 == 0 { try recordRowsChangedByTriggers(first..<key) }
        }
    }

    private func recordInsertions(_ inserted: Range<Int64>, _ history: BatchHistory) throws {
        var next = inserted.lowerBound
        while next < inserted.upperBound {
            let end = min(inserted.upperBound, next + Int64(SQLiteBatchRun.keyLimit))
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
    private func resolveConflict(_ cells: Cells) throws {
        guard insertion.conflict != .keepStored else { return }
        let existing = try existingRow(cells)
        let given = insertion.rows.given(cells)
        let columns = insertion.columnsToUpdate(plan, given: given)
        guard !columns.isEmpty else { return }
        if columns.contains(where: { plan.columns[$0].kind == .externalBinary }) {
            let external = columns.map { plan.columns[$0] }.filter { $0.kind == .externalBinary }
            try run.engine.recordUnusedFiles(external, plan, [existing])
        }
        let statement = try run.connection.statement(updateText(columns))
        var parameter: Int32 = 1
        for column in columns {
            parameter = try binder.bind(plan.columns[column], cells, to: statement, at: parameter)
        }
        try statement.bind(existing, at: parameter)
        try statement.run()
        run.log.record(.update, key: existing, layout: layout)
        if let history = run.history {
            let properties = insertion.updatedProperties(
                plan, columns, given: given, computed: try run.plans.computedProperties(layout))
            try history.recordUpdates(layout, keys: [existing], properties: properties)
        }
        if insertion.conflict == .updateGiven, !layout.derivedProperties.isEmpty { keysToDerive.append(existing) }
    }

    /// The key of the row that has the values of a constraint.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` (133021) if the row is of another entity.
    private func existingRow(_ cells: Cells) throws -> Int64 {
        for constraint in layout.uniquenessConstraints {
            guard let lookup = plan.lookup(constraint), let key = try run.engine.key(lookup, plan, cells) else {
                continue
            }
            let entity = try run.connection.integer(
                plan.statements.select(["Z_ENT"], from: plan.entity.tableName, where: ["Z_PK"]), [.integer(key)])
            if entity == Int64(plan.entity.number) { return key }
        }
        throw insertion.conflictWithOtherEntity([NSFilePathErrorKey: run.open.file.path])
    }

    private func updateText(_ columns: [Int]) -> String {
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

/// The rows of a batch insert, as a table of SQLite. Each one is made when SQLite asks for it.
private final class SQLiteBatchRows: SQLiteRowTable {
    private let makeNext: () throws -> Row?

    init(_ plan: RowWritePlan, _ binder: SQLiteCellBinder, _ makeNext: @escaping () throws -> Row?) {
        self.makeNext = makeNext
        super.init(plan, binder)
    }

    override func next() throws -> Row? { try makeNext() }
}
