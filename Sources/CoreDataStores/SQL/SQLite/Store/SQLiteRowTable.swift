// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// Rows in memory as a virtual table of SQLite, so that one statement writes all of them.
///
/// A statement that runs for each row gets each value by a function of SQLite that checks its arguments, copies the
/// value, and copies it once more into the row. A virtual table is asked for the values of the row that is written:
/// inserting rows of ten integers takes a third less time. Statements name a table by the number of its columns
/// (`NSCoreDataRows13`). The owner of the connection uses a table for one run of a statement, which reads it once.
class SQLiteRowTable {
    private static let isOn = FastPath.rowTables.isOn

    /// Whether a connection writes a number of rows by a table. For few rows it isn't faster. Logs and observers have a
    /// statement, with its values, for each row.
    static func isUsable(on connection: SQLiteConnection, rowCount: Int = .max) -> Bool {
        isOn && rowCount >= leastRows && !connection.isObserved
    }

    private static let leastRows = 4

    private let plan: RowWritePlan
    private let cells: UnsafeBufferPointer<RowWritePlan.InsertCell>
    private let entityNumber: Int64
    private let binder: SQLiteCellBinder
    // Unchecked: the statement asks for one row or value at a time.
    /// The row that SQLite reads; nil behind the last one.
    @exclusivity(unchecked) private var row: Row?
    @exclusivity(unchecked) private var error: (any Error)?
    /// The number of rows that the statement can still get.
    @exclusivity(unchecked) private var room = 0

    /// The most rows of one statement: where the table has triggers, SQLite copies all of them first.
    private static let statementRows = 1024

    /// One row.
    struct Row {
        let key: Int64
        let version: Int32
        let cells: Cells
    }

    init(_ plan: RowWritePlan, _ binder: SQLiteCellBinder) {
        self.plan = plan
        self.binder = binder
        cells = plan.insertCells
        entityNumber = Int64(plan.entity.number)
    }

    /// The next row, whose cells stay as they are until the next call; nil behind the last one.
    func next() throws -> Row? { nil }

    /// Inserts rows: as many as one statement may have.
    ///
    /// - Returns: whether there may be more rows.
    /// - Throws: the errors of `next()`, of values that can't be stored, and of the statement. The transaction may have
    ///   the rows before the error: it must be undone.
    final func insert(on connection: SQLiteConnection) throws -> Bool {
        let table = SQLiteText.identifier(plan.entity.tableName)
        let columns = plan.insertColumns.map(SQLiteText.identifier).joined(separator: ", ")
        let policy = try conflictPolicy(on: connection)
        try run("INSERT\(policy) INTO \(table)(\(columns)) SELECT * FROM \(name)", on: connection)
        return room == 0
    }

    /// Updates rows that have the versions of the table's rows, and counts the versions up: as many as one statement
    /// may have.
    ///
    /// - Returns: the number of the updated rows, and whether there may be more.
    /// - Throws: as `insert(on:)`.
    final func update(_ update: RowUpdatePlan, on connection: SQLiteConnection) throws -> (count: Int, goesOn: Bool) {
        var assignments: [String] = []
        for assignment in update.assignments {
            switch assignment {
            case .parameter(let column):
                guard let number = plan.insertColumns.firstIndex(of: column) else { continue }
                assignments.append("\(SQLiteText.identifier(column)) = r.c\(number)")
            case .null(let column): assignments.append("\(SQLiteText.identifier(column)) = NULL")
            case .increment: continue
            }
        }
        try run(
            """
            UPDATE\(try conflictPolicy(on: connection)) \(SQLiteText.identifier(plan.entity.tableName)) \
            SET \((assignments + ["Z_OPT = r.c2 + 1"]).joined(separator: ", ")) FROM \(name) AS r \
            WHERE Z_PK = r.c0 AND Z_OPT = r.c2\(plan.entityCondition)
            """, on: connection)
        return (connection.changedRowCount, room == 0)
    }

    /// The transaction of a save is undone as a whole. With ABORT, the default, SQLite would keep a journal of each
    /// page for the statement alone. Triggers would have the policy, too, in place of those in their statements.
    private func conflictPolicy(on connection: SQLiteConnection) throws -> String {
        try connection.tablesWithTriggers.contains(plan.entity.tableName) ? "" : " OR FAIL"
    }

    /// The name of the table in statements.
    private var name: String { "\(Self.prefix)\(plan.insertColumns.count)" }

    private func run(_ text: String, on connection: SQLiteConnection) throws {
        try connection.installRowTable(name, width: plan.insertColumns.count)
        let statement = try connection.statement(text)
        room = Self.statementRows
        connection.rowTable.pointee = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        defer { connection.rowTable.pointee = nil }
        do {
            try statement.run()
        } catch let failure {
            throw error ?? failure
        }
    }

    // MARK: Called by SQLite

    private func advance() -> Bool {
        do {
            row = room > 0 ? try next() : nil
            if row != nil { room -= 1 }
            return true
        } catch {
            self.error = error
            return false
        }
    }

    @inline(__always)
    private func setColumn(_ number: Int32, _ context: OpaquePointer?) -> Bool {
        guard let row else { return false }
        let result = SQLiteColumnResult(context)
        switch number {
        case 0: result.set(row.key)
        case 1: result.set(entityNumber)
        case 2: result.set(Int64(row.version))
        default:
            let cell = cells[Int(number) - 3]
            switch cell.kind {
            case .boolean, .integer16, .integer32, .integer64:
                if row.cells.isPresent(cell.cell) { result.set(row.cells.integer(cell.cell)) }
            case .double, .float, .date:
                if row.cells.isPresent(cell.cell) { result.set(row.cells.double(cell.cell)) }
            default:
                return setValue(cell, row.cells, result)
            }
        }
        return true
    }

    @inline(never)
    private func setValue(
        _ cell: RowWritePlan.InsertCell, _ cells: Cells, _ result: SQLiteColumnResult
    ) -> Bool {
        do {
            let column = plan.columns[cell.column]
            if cell.isEntity {
                try binder.setEntity(column, cells, to: result)
            } else {
                try binder.set(column, cells, to: result)
            }
            return true
        } catch {
            self.error = error
            return false
        }
    }

    // MARK: The module

    private static let prefix = "NSCoreDataRows"

    /// The object of SQLite that stands for a table of a connection.
    private struct Table {
        var base = sqlite3_vtab()
        /// The address of the table of the running statement.
        let current: UnsafeMutablePointer<UnsafeRawPointer?>
    }

    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        /// The table of the statement.
        var table: UnsafeRawPointer?

        /// Calls a body with the table of a cursor; `SQLITE_MISUSE` outside of a run.
        @inline(__always)
        static func with(
            _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (SQLiteRowTable) -> Int32
        ) -> Int32 {
            guard let cursor else { return SQLITE_MISUSE }
            let table = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self).pointee.table
            guard let table else { return SQLITE_MISUSE }
            // `insert(on:)` keeps the table while the statement runs.
            return Unmanaged<SQLiteRowTable>.fromOpaque(table)._withUnsafeGuaranteedRef(body)
        }
    }

    /// The functions of the tables. SQLite keeps the address.
    nonisolated(unsafe) fileprivate static let module: UnsafeMutablePointer<sqlite3_module> = {
        var module = sqlite3_module()
        module.xConnect = { connection, current, _, arguments, result, _ in
            guard let current, let result, let name = arguments?[0],
                let width = Int(String(cString: name).dropFirst(SQLiteRowTable.prefix.count))
            else { return SQLITE_MISUSE }
            let columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
            let code = sqlite3_declare_vtab(connection, "CREATE TABLE x(\(columns))")
            guard code == SQLITE_OK else { return code }
            // No trigger or view of a file reads the rows.
            _ = opencoredata_sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY)
            let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
            table.initialize(to: Table(current: current.assumingMemoryBound(to: UnsafeRawPointer?.self)))
            result.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }
        module.xBestIndex = { _, plan in
            // Little beside the rows of a store: the table comes first in a join.
            plan?.pointee.estimatedCost = 1000
            plan?.pointee.estimatedRows = 1000
            return SQLITE_OK
        }
        module.xDisconnect = { table in
            UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).deallocate()
            return SQLITE_OK
        }
        module.xOpen = { table, result in
            guard let table, let result else { return SQLITE_MISUSE }
            let current = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.current
            let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            cursor.initialize(to: Cursor(table: current.pointee))
            result.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self).deallocate()
            return SQLITE_OK
        }
        module.xFilter = { cursor, _, _, _, _ in Cursor.with(cursor) { $0.advance() ? SQLITE_OK : SQLITE_ABORT } }
        module.xNext = { cursor in Cursor.with(cursor) { $0.advance() ? SQLITE_OK : SQLITE_ABORT } }
        module.xEof = { cursor in Cursor.with(cursor) { $0.row == nil ? 1 : 0 } }
        module.xColumn = { cursor, context, number in
            Cursor.with(cursor) { $0.setColumn(number, context) ? SQLITE_OK : SQLITE_ABORT }
        }
        module.xRowid = { cursor, result in
            Cursor.with(cursor) { table in
                guard let row = table.row else { return SQLITE_MISUSE }
                result?.pointee = row.key
                return SQLITE_OK
            }
        }
        let address = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        address.initialize(to: module)
        return address
    }()
}

extension SQLiteConnection {
    fileprivate var tablesWithTriggers: Set<String> {
        get throws {
            if let known = knownTablesWithTriggers { return known }
            var names: Set<String> = []
            let statement = try uncachedStatement("SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'")
            while try statement.step() { if let name = statement.text(at: 0) { names.insert(name) } }
            knownTablesWithTriggers = names
            return names
        }
    }

    /// Adds the table with a number of columns to the connection, once.
    fileprivate func installRowTable(_ name: String, width: Int) throws {
        guard rowTableWidths.insert(width).inserted else { return }
        let code = sqlite3_create_module_v2(handle, name, SQLiteRowTable.module, rowTable, nil)
        guard code == SQLITE_OK else { throw error(code, sql: nil) }
    }
}
