// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

/// Where a value of a row goes: a parameter of a statement, or a column of a virtual table.
protocol SQLiteValueTarget {
    func set(_ value: Int64) throws
    func set(_ value: Double) throws
    func setNull() throws
    func set(_ value: String) throws
    func set(_ value: UnsafeRawBufferPointer) throws
}

extension SQLiteValueTarget {
    func set(_ value: Data) throws { try value.withUnsafeBytes { try set($0) } }
}

/// A parameter of a statement, which outlives the value.
struct SQLiteParameter: SQLiteValueTarget {
    private unowned(unsafe) let statement: SQLiteStatement
    private let number: Int32

    @inline(__always)
    init(_ statement: SQLiteStatement, _ number: Int32) {
        self.statement = statement
        self.number = number
    }

    @inline(__always)
    func set(_ value: Int64) throws { try statement.bind(value, at: number) }
    @inline(__always)
    func set(_ value: Double) throws { try statement.bind(value, at: number) }
    @inline(__always)
    func setNull() throws { try statement.bindNull(at: number) }
    func set(_ value: String) throws { try statement.bind(value, at: number) }
    func set(_ value: UnsafeRawBufferPointer) throws { try statement.bind(value, at: number) }
}

/// The value of a column that a virtual table is asked for. Without a value the column is NULL.
struct SQLiteColumnResult: SQLiteValueTarget {
    private let context: OpaquePointer?

    @inline(__always)
    init(_ context: OpaquePointer?) { self.context = context }

    @inline(__always)
    func set(_ value: Int64) { sqlite3_result_int64(context, value) }
    @inline(__always)
    func set(_ value: Double) { sqlite3_result_double(context, value) }
    @inline(__always)
    func setNull() {}

    func set(_ value: String) {
        var text = value
        text.withUTF8 { bytes in
            // An empty string has no base address, which would be NULL.
            guard let base = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_result_text(context, "", 0, sqliteTransient)
            }
            base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_result_text64(context, $0, UInt64(bytes.count), sqliteTransient, UInt8(SQLITE_UTF8))
            }
        }
    }

    func set(_ value: UnsafeRawBufferPointer) {
        guard let base = value.baseAddress, !value.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, base, UInt64(value.count), sqliteTransient)
    }
}
