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

    static func uuid(_ data: Data) -> UUID? {
        guard data.count == 16 else { return nil }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The text that SQLite makes of a number is the shortest one that reads back to the same double.
    static func decimal(_ value: OpaquePointer?) -> HashableDecimalNumber {
        sqlite3_value_type(value) == SQLITE_INTEGER
            ? HashableDecimalNumber(decimal: Decimal(sqlite3_value_int64(value)))
            : HashableDecimalNumber(
                decimal: Decimal(string: text(value), locale: Locale(identifier: "en_US_POSIX")) ?? .nan)
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
