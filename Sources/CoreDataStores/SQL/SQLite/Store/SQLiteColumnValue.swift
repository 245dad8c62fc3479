// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

/// Column values as objects have them. Callers test for NULL first.
enum SQLiteColumnValue {
    @inline(__always)
    static func text(_ value: OpaquePointer?) -> String {
        guard let bytes = sqlite3_value_text(value) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }

    static func data(_ value: OpaquePointer?) -> Data {
        guard let bytes = sqlite3_value_blob(value) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    static func uuid(_ value: OpaquePointer?) -> UUID? {
        guard let bytes = sqlite3_value_blob(value), sqlite3_value_bytes(value) == 16 else { return nil }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// The decimal of a number: the shortest that reads back to the same double. The text that SQLite makes of a number
    /// has 15 digits at most, which are enough for most.
    static func decimal(_ value: OpaquePointer?) -> HashableDecimalNumber {
        if sqlite3_value_type(value) == SQLITE_INTEGER {
            return HashableDecimalNumber(decimal: Decimal(sqlite3_value_int64(value)))
        }
        let number = sqlite3_value_type(value) == SQLITE_FLOAT ? sqlite3_value_double(value) : nil
        let decimal = sqlite3_value_text(value).flatMap {
            DecimalDigits.decimal(
                UnsafeBufferPointer(start: $0, count: Int(sqlite3_value_bytes(value))), of: number)
        }
        if decimal == nil, let exact = number.flatMap({ Decimal(shortest: $0) }) {
            return HashableDecimalNumber(decimal: exact)
        }
        return HashableDecimalNumber(decimal: decimal ?? Decimal(string: text(value), locale: posix) ?? .nan)
    }

    private static let posix = Locale(identifier: "en_US_POSIX")

    /// A value as dictionaries have it, unless it is in a file or transformed; nil for NULL.
    static func value(_ value: OpaquePointer?, _ kind: SQLStorageKind) -> Any? {
        if sqlite3_value_type(value) == SQLITE_NULL { return nil }
        switch kind {
        case .integer16, .integer32, .integer64: return NumberObjects.integer(sqlite3_value_int64(value))
        case .boolean: return NSNumber(value: sqlite3_value_int64(value) != 0)
        case .double: return NumberObjects.double(sqlite3_value_double(value))
        case .float: return NSNumber(value: Float(sqlite3_value_double(value)))
        case .date: return Date(timeIntervalSinceReferenceDate: sqlite3_value_double(value))
        case .string: return text(value)
        case .decimal: return decimal(value)
        case .uri: return URL(string: text(value))
        case .uuid: return uuid(value)
        case .binary: return data(value)
        default: return any(value)
        }
    }

    /// A value as the file contains it.
    static func natural(_ value: OpaquePointer?) -> SQLValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        case SQLITE_TEXT: .text(text(value))
        case SQLITE_BLOB: .bytes(data(value))
        default: .null
        }
    }

    /// A value of the type that it was stored with.
    static func any(_ value: OpaquePointer?) -> Any {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: NumberObjects.integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: NumberObjects.double(sqlite3_value_double(value))
        case SQLITE_TEXT: text(value)
        default: data(value)
        }
    }
}
