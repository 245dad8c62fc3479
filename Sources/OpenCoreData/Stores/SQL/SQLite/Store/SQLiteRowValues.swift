internal import SQLiteLibrary

/// The values of one row, by column.
///
/// The functions that fill a row buffer are specialized for each of these types.
protocol SQLiteRowValues {
    func int64(_ column: Int32) -> Int64
    func double(_ column: Int32) -> Double
    func isNull(_ column: Int32) -> Bool
    func value(_ column: Int32) -> OpaquePointer?
    /// The text of a value that isn't NULL.
    func text(_ value: OpaquePointer?) -> String
}

/// The row to which a statement was stepped.
struct SQLiteSteppedRow: SQLiteRowValues {
    let statement: OpaquePointer

    @inline(__always) func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    @inline(__always) func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    @inline(__always) func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    @inline(__always) func value(_ column: Int32) -> OpaquePointer? { sqlite3_column_value(statement, column) }
    @inline(__always) func text(_ value: OpaquePointer?) -> String { SQLiteColumnValue.text(value) }
}

/// The arguments of a function of SQL. They are valid during its call.
struct SQLiteArguments: SQLiteRowValues {
    let values: UnsafeMutablePointer<OpaquePointer?>
    /// Whether the file has its texts in UTF-8.
    let hasUTF8Texts: Bool

    @inline(__always) func int64(_ column: Int32) -> Int64 { sqlite3_value_int64(value(column)) }
    @inline(__always) func double(_ column: Int32) -> Double { sqlite3_value_double(value(column)) }
    @inline(__always) func isNull(_ column: Int32) -> Bool { sqlite3_value_type(value(column)) == SQLITE_NULL }
    @inline(__always) func value(_ column: Int32) -> OpaquePointer? { values[Int(column)] }

    /// A text in UTF-8 is read as a blob: SQLite would copy it for the zero at its end.
    @inline(__always) func text(_ value: OpaquePointer?) -> String {
        guard hasUTF8Texts, sqlite3_value_type(value) == SQLITE_TEXT else { return SQLiteColumnValue.text(value) }
        guard let bytes = sqlite3_value_blob(value) else { return "" }
        return String(
            decoding: UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }
}
