// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// Reading the current row.
///
/// All functions use `sqlite3_column_value`, which doesn't access the mutex and the error state of the connection.
extension SQLiteStatement {
    /// The storage class of a column: `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB`, `SQLITE_NULL`.
    @inline(__always)
    func storageClass(at index: Int32) -> Int32 {
        sqlite3_value_type(sqlite3_column_value(handle, index))
    }

    @inline(__always)
    func isNull(at index: Int32) -> Bool {
        storageClass(at: index) == SQLITE_NULL
    }

    @inline(__always)
    package func int64(at index: Int32) -> Int64 {
        sqlite3_value_int64(sqlite3_column_value(handle, index))
    }

    @inline(__always)
    func double(at index: Int32) -> Double {
        sqlite3_value_double(sqlite3_column_value(handle, index))
    }

    /// The text of a column; nil for NULL. Bytes that are not UTF-8 are replaced.
    func text(at index: Int32) -> String? {
        let value = sqlite3_column_value(handle, index)
        guard sqlite3_value_type(value) != SQLITE_NULL, let bytes = sqlite3_value_text(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The bytes of a column; nil for NULL.
    package func data(at index: Int32) -> Data? {
        let value = sqlite3_column_value(handle, index)
        guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
        guard let bytes = sqlite3_value_blob(value) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    /// Passes the bytes of a blob or text column, which are valid until the next step or reset.
    func withBytes<Result>(at index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        let value = sqlite3_column_value(handle, index)
        let bytes = sqlite3_value_blob(value)
        return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_value_bytes(value))))
    }

    /// The value of a column of any storage class.
    package func value(at index: Int32) -> SQLValue { SQLiteColumnValue.natural(sqlite3_column_value(handle, index)) }

    /// The columns of the current row.
    var namedValues: [(name: String, value: SQLValue)] {
        (0..<columnCount).map { (columnName(at: $0), value(at: $0)) }
    }

    /// The name of a column in the statement.
    func columnName(at index: Int32) -> String {
        sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }

    /// The text that logs have, with the bound values.
    var expandedText: String? {
        guard let characters = sqlite3_expanded_sql(handle) else { return nil }
        defer { sqlite3_free(characters) }
        let text = String(cString: characters)
        guard let rowSource else { return text }
        // The text around the select has no parameters.
        return String(text.dropFirst(sql.count - rowSource.count - 1).dropLast())
    }
}
