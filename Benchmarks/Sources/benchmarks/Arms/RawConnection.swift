import CoreData
import OneStatement
import SystemSQLite

/// A connection of SQLite's C API, set up as a store sets up its own.
final class RawConnection {
    let handle: OpaquePointer

    init(_ url: URL) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(url.path, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw BenchmarkError("SQLite can't open \(url.path)")
        }
        self.handle = handle
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure() }
        return statement
    }

    /// Prepares a statement for as long as the closure needs it.
    func with<Result>(_ sql: String, _ body: (OpaquePointer) throws -> Result) throws -> Result {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        return try body(statement)
    }

    /// Runs the closure in one transaction.
    func transaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        try body()
        try execute("COMMIT")
    }

    /// Executes a prepared statement that answers no rows, and makes it ready for the next values.
    @inline(__always)
    func finish(_ statement: OpaquePointer) throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
        sqlite3_reset(statement)
    }

    /// Runs the closure while cells, row by row, are a table `integer_rows` with the columns c0, c1 and so on.
    func withRows(_ cells: [Int64], width: Int, _ body: () throws -> Void) throws {
        try cells.withUnsafeBufferPointer { buffer in
            var rows = IntegerRows(cells: buffer.baseAddress, count: Int64(cells.count / width), width: Int32(width))
            try withUnsafePointer(to: &rows) { rows in
                guard integer_rows_install(handle, rows) == SQLITE_OK else { throw failure() }
                try body()
            }
        }
    }

    /// The integer that a statement answers.
    func integer(_ sql: String) throws -> Int64 {
        try with(sql) { statement in
            guard sqlite3_step(statement) == SQLITE_ROW else { throw failure() }
            return sqlite3_column_int64(statement, 0)
        }
    }

    /// The number of the entity in the store's file.
    func entity(_ name: String) throws -> Int64 {
        try integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)'")
    }

    func failure() -> BenchmarkError {
        BenchmarkError(String(cString: sqlite3_errmsg(handle)))
    }
}

/// For `sqlite3_bind_text` and `sqlite3_bind_blob`: SQLite copies the bytes.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
