import CoreData
import TestSupport

#if canImport(SQLiteLibrary)
    import SQLiteLibrary
#else
    import SQLite3
#endif

/// The rows of a store's file, read beside Core Data.
package final class SQLiteFile {
    package typealias Row = [String: Value]

    package enum Value: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case bytes

        package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
        package var text: String? { if case .text(let value) = self { value } else { nil } }
    }

    private var database: OpaquePointer?

    /// Opens a file for reading.
    package convenience init(_ url: URL) throws { try self.init(url, SQLITE_OPEN_READONLY) }

    /// Opens a file for writing, and creates it if it is missing.
    package convenience init(creating url: URL) throws {
        try self.init(url, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    private init(_ url: URL, _ flags: Int32) throws {
        guard sqlite3_open_v2(url.path, &database, flags, nil) == SQLITE_OK else {
            throw failure("open \(url.path)")
        }
        sqlite3_busy_timeout(database, 10_000)
    }

    deinit { sqlite3_close_v2(database) }

    /// The rows of a query, by the names of its columns.
    package func rows(_ query: String) throws -> [Row] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else { throw failure(query) }
        defer { sqlite3_finalize(statement) }
        var rows: [Row] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                var row: Row = [:]
                for column in 0..<sqlite3_column_count(statement) {
                    row[String(cString: sqlite3_column_name(statement, column))] = value(statement, column)
                }
                rows.append(row)
            case SQLITE_DONE: return rows
            default: throw failure(query)
            }
        }
    }

    /// Runs a statement.
    package func run(_ statement: String) throws { _ = try rows(statement) }

    /// The names of the tables.
    package func tables() throws -> [String] {
        try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").compactMap { $0["name"]?.text }
    }

    /// The names of a table's columns.
    package func columns(of table: String) throws -> [String] {
        try rows("PRAGMA table_info(\(table))").compactMap { $0["name"]?.text }
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
        default: .bytes
        }
    }

    private func failure(_ what: String) -> TestFailure {
        TestFailure("\(what): \(String(cString: sqlite3_errmsg(database)))")
    }
}
