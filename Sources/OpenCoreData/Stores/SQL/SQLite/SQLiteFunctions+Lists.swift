internal import CSQLite
import CoreDataPredicates

/// The functions that read the elements of packed lists; see ``SQLiteListForm``.
///
/// | function | result |
/// | --- | --- |
/// | `NSCoreDataListNumber(x)` | an integer as it is, the real whose bits a text gives in hexadecimal |
/// | `NSCoreDataListText(x)`, `NSCoreDataListData(x)` | the text or blob whose bytes a text gives in hexadecimal |
extension SQLiteFunctions {
    static func installLists(on connection: SQLiteConnection) throws {
        try add("NSCoreDataListNumber", 1, to: connection) { context, _, values in
            guard let value = values?[0], sqlite3_value_type(value) == SQLITE_TEXT else {
                return sqlite3_result_value(context, values?[0])
            }
            guard let bits = SQLiteFunctions.text(value).flatMap({ UInt64($0, radix: 16) }) else {
                return sqlite3_result_null(context)
            }
            sqlite3_result_double(context, Double(bitPattern: bits))
        }
        try add("NSCoreDataListText", 1, to: connection) { context, _, values in
            SQLiteFunctions.withBytes(of: values?[0]) { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_result_text64(
                        context, $0.baseAddress, UInt64($0.count), sqliteTransient, UInt8(SQLITE_UTF8))
                }
            }
        }
        try add("NSCoreDataListData", 1, to: connection) { context, _, values in
            SQLiteFunctions.withBytes(of: values?[0]) {
                sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), sqliteTransient)
            }
        }
    }

    /// The bytes that hexadecimal digits stand for.
    private static func withBytes(of value: OpaquePointer?, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let count = Int(sqlite3_value_bytes(value))
        guard let digits = sqlite3_value_text(value) else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
        func digit(_ index: Int) -> UInt8 {
            let character = digits[index]
            return character < 0x3A ? character & 15 : (character & 15) + 9
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, count / 2)) { bytes in
            for index in 0..<(count / 2) {
                bytes.initializeElement(at: index, to: digit(index * 2) << 4 | digit(index * 2 + 1))
            }
            body(UnsafeBufferPointer(rebasing: bytes[..<(count / 2)]))
        }
    }
}
