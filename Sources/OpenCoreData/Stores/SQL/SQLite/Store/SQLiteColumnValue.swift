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

    /// The text that SQLite makes of a number is the shortest one that reads back to the same double.
    static func decimal(_ value: OpaquePointer?) -> HashableDecimalNumber {
        if sqlite3_value_type(value) == SQLITE_INTEGER {
            return HashableDecimalNumber(decimal: Decimal(sqlite3_value_int64(value)))
        }
        let decimal = sqlite3_value_text(value).flatMap {
            DecimalDigits.decimal(UnsafeBufferPointer(start: $0, count: Int(sqlite3_value_bytes(value))))
        }
        return HashableDecimalNumber(decimal: decimal ?? Decimal(string: text(value), locale: posix) ?? .nan)
    }

    private static let posix = Locale(identifier: "en_US_POSIX")

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
