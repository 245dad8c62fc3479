// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

/// A row of SQLite. NULL reads as zero.
protocol SQLiteRow: SQLRow where Source == SQLiteExternalValueReader {
    func int64(_ column: Int32) -> Int64
    func double(_ column: Int32) -> Double
    func isNull(_ column: Int32) -> Bool
    func value(_ column: Int32) -> OpaquePointer?
    /// The text of a value that isn't NULL.
    func text(_ value: OpaquePointer?) -> String
}

extension SQLiteRow {
    // Only a zero needs a look at the type.
    @inline(__always) func integer(at column: Int32) -> Int64? {
        let integer = int64(column)
        return integer != 0 || !isNull(column) ? integer : nil
    }

    @inline(__always) func real(at column: Int32, kind: SQLStorageKind) -> Double? {
        let double = double(column)
        return double != 0 || !isNull(column) ? double : nil
    }

    @inline(__always) func string(at column: Int32) -> String? {
        let value = value(column)
        return sqlite3_value_type(value) == SQLITE_NULL ? nil : text(value)
    }

    @inline(never)
    func object(
        at column: Int32, kind: SQLStorageKind,
        origin: () -> (source: SQLiteExternalValueReader, entityName: String)
    ) throws -> AnyObject? {
        let value = value(column)
        guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
        return switch kind {
        case .decimal: SQLiteColumnValue.decimal(value)
        case .binary: Box(SQLiteColumnValue.data(value))
        case .externalBinary:
            try externalValue(SQLiteColumnValue.data(value), origin()).map { Box($0) }
        case .uuid: SQLiteColumnValue.uuid(value).map { Box($0) }
        case .uri: URL(string: SQLiteColumnValue.text(value)).map { Box($0) }
        case .transformable: StoredTransformable(SQLiteColumnValue.data(value))
        case .undefined: Box<Any>(SQLiteColumnValue.any(value))
        default: nil
        }
    }

    private func externalValue(
        _ column: Data, _ origin: (source: SQLiteExternalValueReader, entityName: String)
    ) throws -> Data? {
        try origin.source.value(of: column, entityName: origin.entityName)
    }

    func value(of step: ValuePlan.Step, in source: SQLiteExternalValueReader) throws -> Any? {
        let value = value(step.column)
        guard step.kind == .externalBinary, sqlite3_value_type(value) != SQLITE_NULL else {
            return SQLiteColumnValue.value(value, step.kind)
        }
        return try source.value(of: SQLiteColumnValue.data(value), entityName: step.natural.slot?.entityName ?? "")
    }
}

/// The row to which a statement was stepped.
struct SQLiteSteppedRow: SQLiteRow {
    private let statement: OpaquePointer

    init(_ statement: SQLiteStatement) { self.statement = statement.handle }

    @inline(__always) func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    @inline(__always) func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    @inline(__always) func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }
    @inline(__always) func value(_ column: Int32) -> OpaquePointer? { sqlite3_column_value(statement, column) }
    @inline(__always) func text(_ value: OpaquePointer?) -> String { SQLiteColumnValue.text(value) }
}

/// The arguments of a function of SQL. They are valid during its call.
struct SQLiteArguments: SQLiteRow {
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
