// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

/// Runs the row operations of one save on the connection of an open SQLite store, row by row.
final class SQLiteSaveEngine: SQLSaveEngine {
    private let open: SQLiteSession
    private let connection: SQLiteConnection
    var externalFiles: SQLiteExternalFileChanges

    init(_ open: SQLiteSession) {
        self.open = open
        connection = open.connection
        externalFiles = SQLiteExternalFileChanges(open.file)
    }

    var plans: SQLPlans { open.plans }

    /// Whether a statement writes many rows.
    private var usesTables = true

    /// Rows of an update are missing, or have other versions than the context saw. A statement for each row tells
    /// which.
    private struct ChangedRows: Error {}

    func withTransaction(_ body: () throws -> Void) throws {
        connection.affectedRows.removeAll()
        do {
            try open.withWriteTransaction(body)
        } catch is ChangedRows {
            externalFiles.revert()
            usesTables = false
            try withTransaction(body)
        } catch {
            externalFiles.revert()
            throw error
        }
    }

    // MARK: Reading

    func row(_ layout: EntityLayout, key: Int64) throws -> RetainedRow? { try open.row(layout, key: key) }

    func entityNumber(_ plan: RowWritePlan, key: Int64) throws -> Int64? {
        try connection.integer(plan.entityText, [.integer(key)])
    }

    func rows(_ lookup: UniqueRowLookup, _ cells: [Cells]) throws -> [RetainedRow?] {
        let statement = try connection.statement(lookup.text)
        let reader = open.reader(lookup.plan)
        let binder = SQLiteCellBinder(engine: self, keys: nil)
        var list = lookup.plan.makeList()
        return try cells.map { cells in
            defer { statement.reset() }
            var parameter: Int32 = 1
            for column in lookup.columns { parameter = try binder.bind(column, cells, to: statement, at: parameter) }
            return try statement.step() ? try reader.append(SQLiteSteppedRow(statement), to: &list) : nil
        }
    }

    /// The key of the row that has the values of some cells.
    func key(_ lookup: RowWritePlan.UniqueValueLookup, _ plan: RowWritePlan, _ cells: Cells) throws -> Int64? {
        let statement = try connection.statement(lookup.text)
        defer { statement.reset() }
        let binder = SQLiteCellBinder(engine: self, keys: nil)
        var parameter: Int32 = 1
        for column in lookup.columns { parameter = try binder.bind(column, cells, to: statement, at: parameter) }
        return try statement.step() ? statement.int64(at: 0) : nil
    }

    func positions(_ order: RelationshipWritePlan.Order, owners: [Int64]) throws -> [Int64: [Int64: Int64]] {
        var positions: [Int64: [Int64: Int64]] = [:]
        let statement = try connection.statement(order.readText)
        defer { statement.reset() }
        for owner in owners {
            try statement.bind(owner, at: 1)
            var members: [Int64: Int64] = [:]
            while try statement.step() {
                if !statement.isNull(at: 1) { members[statement.int64(at: 0)] = statement.int64(at: 1) }
            }
            statement.reset()
            positions[owner] = members
        }
        return positions
    }

    func positions(_ order: RelationshipWritePlan.Order, owner: Int64, members: [Int64]) throws -> [Int64:
        Int64]
    {
        var positions: [Int64: Int64] = [:]
        let statement = try connection.statement(order.readMemberText)
        defer { statement.reset() }
        for member in members {
            try statement.bind(owner, at: 1)
            try statement.bind(member, at: 2)
            if try statement.step(), !statement.isNull(at: 1) { positions[member] = statement.int64(at: 1) }
            statement.reset()
        }
        return positions
    }

    func check(_ check: VersionCheck) throws -> [StoreChanges.CheckedRow] {
        try check.rows.filter {
            try connection.integer(check.plan.versionText, [.integer($0.key)]) != Int64($0.version)
        }
    }

    func rowsChangedByTriggers() -> [ObjectReference] {
        plans.mapping.references(of: connection.affectedRows.lazy.map { ($0.entityNumber, $0.primaryKey) })
    }

    // MARK: Writing

    func delete(_ deletion: RowDeletion) throws -> [StoreChanges.DeletedRow] {
        let plan = deletion.plan
        try recordUnusedFiles(plan.externalColumns, plan, deletion.rows.lazy.map(\.key))
        let statement = try connection.statement(deletion.isVersioned ? plan.deleteVersionText : plan.deleteText)
        var missing: [StoreChanges.DeletedRow] = []
        for row in deletion.rows {
            try statement.bind(row.key, at: 1)
            if deletion.isVersioned { try statement.bind(Int64(row.version), at: 2) }
            try statement.runAgain()
            if deletion.isVersioned && connection.changedRowCount == 0 { missing.append(row) }
        }
        return missing
    }

    func update(_ update: RowUpdate, _ keys: PermanentKeys) throws -> [StoreChanges.UpdatedRow] {
        let external = update.columns.filter { $0.kind == .externalBinary }
        try recordUnusedFiles(external, update.plan, update.rows.lazy.map(\.key))
        let binder = SQLiteCellBinder(engine: self, keys: keys)
        if usesTables, SQLiteRowTable.isUsable(on: connection, rowCount: update.rows.count) {
            try updateByTable(update, binder)
            return []
        }
        let statement = try connection.statement(update.text)
        var missing: [StoreChanges.UpdatedRow] = []
        for row in update.rows {
            var parameter: Int32 = 1
            for column in update.columns {
                parameter = try binder.bind(column, row.cells, to: statement, at: parameter)
            }
            try statement.bind(Int64(row.version) + 1, at: parameter)
            try statement.bind(row.key, at: parameter + 1)
            try statement.bind(Int64(row.version), at: parameter + 2)
            try statement.runAgain()
            if connection.changedRowCount == 0 { missing.append(row) }
        }
        return missing
    }

    private func updateByTable(_ update: RowUpdate, _ binder: SQLiteCellBinder) throws {
        let count = try update.rows.withUnsafeBufferPointer { rows in
            let table = SQLiteUpdatedRows(update.plan, rows, binder)
            var (count, goesOn) = (0, true)
            while goesOn {
                let part = try table.update(update.update, on: connection)
                (count, goesOn) = (count + part.count, part.goesOn)
            }
            return count
        }
        guard count == update.rows.count else { throw ChangedRows() }
    }

    func insert(_ insertion: RowInsertion, _ keys: PermanentKeys) throws {
        let plan = insertion.plan
        let binder = SQLiteCellBinder(engine: self, keys: keys)
        if usesTables, SQLiteRowTable.isUsable(on: connection, rowCount: insertion.rows.count) {
            return try insertion.rows.withUnsafeBufferPointer { rows in
                try insertion.keys.withUnsafeBufferPointer { keys in
                    let table = SQLiteInsertedRows(plan, rows, keys, binder)
                    while try table.insert(on: connection) {}
                }
            }
        }
        let statement = try connection.statement(plan.insertText)
        for index in insertion.rows.indices {
            try bind(
                plan, insertion.rows[index].cells, key: insertion.keys[index],
                version: insertion.rows[index].version, to: statement, binder)
            try statement.runAgain()
        }
    }

    /// Binds the parameters of a row in a statement that inserts rows.
    func bind(
        _ plan: RowWritePlan, _ cells: Cells, key: Int64, version: Int32 = 1, to statement: SQLiteStatement,
        _ binder: SQLiteCellBinder
    ) throws {
        try statement.bind(key, at: 1)
        try statement.bind(Int64(plan.entity.number), at: 2)
        try statement.bind(Int64(version), at: 3)
        var parameter: Int32 = 4
        for column in plan.columns { parameter = try binder.bind(column, cells, to: statement, at: parameter) }
    }

    func write(_ write: KeyWrite) throws {
        let statement = try connection.statement(write.text)
        var parameter: Int32 = 1
        for value in write.values {
            try statement.bind(value, at: parameter)
            parameter += 1
            if parameter > write.width {
                try statement.runAgain()
                parameter = 1
            }
        }
    }

    func recordUnusedFiles(
        _ columns: [RowWritePlan.Column], _ plan: RowWritePlan, _ keys: some Sequence<Int64>
    ) throws {
        guard !columns.isEmpty else { return }
        for key in keys {
            for column in columns {
                externalFiles.recordUnused(try connection.data(plan.valueText(column), [.integer(key)]))
            }
        }
    }

    // MARK: History

    func historyRecorder(_ origin: ChangeOrigin) -> (any HistoryRecorder)? { open.historyRecorder(origin) }

    // MARK: Keys

    /// Reserves keys in `Z_PRIMARYKEY`.
    func reserveKeys(root: UInt32, count: Int64) throws -> Int64 {
        try reserveKeys(root: root, count: count, after: 0)
    }

    /// Reserves keys in `Z_PRIMARYKEY`.
    ///
    /// - Parameter lowest: a key that all reserved ones follow.
    /// - Returns: the first reserved key.
    @discardableResult
    func reserveKeys(root: UInt32, count: Int64, after lowest: Int64) throws -> Int64 {
        let entity = try plans.entity(open.layouts[root])
        let number = SQLValue.integer(Int64(entity.number))
        let recorded = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [number])
        // A file that another program has edited may have rows with higher keys.
        let table = SQLiteText.identifier(entity.tableName)
        let highest = try connection.integer("SELECT MAX(Z_PK) FROM \(table)") ?? 0
        let last = max(recorded ?? 0, highest, lowest)
        guard last <= Int64.max - count else {
            throw CoreDataErrors.error(
                NSPersistentStoreSaveError, "The entity \(entity.name) has no free primary keys: Z_MAX is \(last).",
                reason: "The file \(open.file.path) is damaged.", userInfo: [NSFilePathErrorKey: open.file.path])
        }
        if recorded == nil {
            try connection.run(
                "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, 0, ?)",
                [number, .text(entity.name), .integer(last + count)])
        } else {
            try connection.run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(last + count), number])
        }
        return last + 1
    }
}
