// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Executes a batch insert: two prepared statements, for one row and for several, and as many rows in memory.
final class SQLiteBatchInsert {
    private let insertion: BatchInsertion
    private let run: SQLiteBatchRun
    private let layout: EntityLayout
    /// The memory of the rows of one statement.
    private let rows: [BatchCells]
    private let plan: RowWritePlan
    private let mayConflict: Bool
    private let binder: SQLiteCellBinder
    /// The texts of updates of existing rows, by the positions of the columns.
    private var updateTexts: [[Int]: String] = [:]
    /// The keys of updated rows whose derived attributes must be computed again.
    private var keysToDerive: [Int64] = []

    init(_ insertion: BatchInsertion, _ run: SQLiteBatchRun) throws {
        self.insertion = insertion
        self.run = run
        let layout = insertion.layout
        self.layout = layout
        plan = try run.open.plans.writePlan(layout)
        mayConflict = insertion.conflict != .fail && !layout.uniquenessConstraints.isEmpty
        binder = SQLiteCellBinder(engine: run.engine, keys: nil)
        // A row that may be refused is inserted by a separate statement.
        rows = (0..<(mayConflict ? 1 : Self.rowCount(plan))).map { _ in BatchCells(layout) }
    }

    /// The number of rows that one statement inserts.
    ///
    /// SQLite needs a fifth less time than for statements with one row. Rows that may have values of any length are
    /// inserted one by one, since a statement has copies of all its values.
    private static func rowCount(_ plan: RowWritePlan) -> Int {
        let isLimited = plan.columns.allSatisfy {
            switch $0.kind {
            case .binary, .externalBinary, .transformable, .undefined: false
            default: true
            }
        }
        return isLimited ? max(1, min(32, 512 / plan.insertColumns.count)) : 1
    }

    func execute() throws {
        let computed = try run.plans.computedProperties(layout)
        let engine = run.engine
        // The transaction excludes other writers, so the keys are recorded once, at the end.
        var key = try engine.reserveKeys(root: layout.root, count: 0)
        let first = key
        let single = try run.connection.statement(mayConflict ? plan.insertIfUniqueText : plan.insertText)
        let several = rows.count > 1 ? try run.connection.statement(plan.insertText(rowCount: rows.count)) : single
        run.log.touch(layout)
        while true {
            let count = try makeRows(computed)
            guard count <= Int64.max - key else { throw noFreeKeys }
            let previous = key
            if count == rows.count, count > 1 {
                try insert(count, with: several, &key)
            } else {
                for index in 0..<count { try insert(rows[index], with: single, &key) }
            }
            if previous >> 10 != key >> 10 { try recordRowsChangedByTriggers(first..<key) }
            if count < rows.count { break }
            for row in rows { row.reset() }
        }
        if !run.log.needsKeys { run.log.record(.insert, count: Int(key - first)) }
        if key > first { _ = try engine.reserveKeys(root: layout.root, count: 0) }
        try run.deriveAgain(layout, keysToDerive)
        try recordRowsChangedByTriggers(first..<key)
        if let history = run.history { try recordInsertions(first..<key, history) }
    }

    /// Makes the rows of the next statement.
    ///
    /// - Returns: the number of rows. The last statement may have fewer rows than ``rows``, or none.
    private func makeRows(_ computed: [PropertySlot]) throws -> Int {
        for index in rows.indices {
            let cells = rows[index].cells
            guard try insertion.rows.next(cells) else { return index }
            try run.derived.write(computed, of: layout, cells, to: cells)
        }
        return rows.count
    }

    /// Inserts the first rows by one statement.
    private func insert(_ count: Int, with statement: SQLiteStatement, _ key: inout Int64) throws {
        let number = Int64(plan.entity.number)
        var parameter: Int32 = 1
        for index in 0..<count {
            parameter = try run.engine.bind(
                plan, rows[index].cells, key: key + Int64(index), entityNumber: number, to: statement, at: parameter,
                binder)
        }
        try statement.runAgain()
        if run.log.needsKeys {
            for index in 0..<Int64(count) { run.log.record(.insert, key: key + index, layout: layout) }
        }
        key += Int64(count)
    }

    private func insert(_ row: BatchCells, with statement: SQLiteStatement, _ key: inout Int64) throws {
        try run.engine.bind(
            plan, row.cells, key: key, entityNumber: Int64(plan.entity.number), to: statement, binder)
        try statement.runAgain()
        if mayConflict, run.connection.changedRowCount == 0 { return try resolveConflict(row.cells) }
        if run.log.needsKeys { run.log.record(.insert, key: key, layout: layout) }
        key += 1
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
