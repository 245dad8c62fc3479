// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// A list of values as one parameter: a JSON array, whose elements a SQL function decodes.
///
/// The elements are encoded where JSON lacks their type, or where SQLite would not read back the same bits.
///
/// | function | result |
/// | --- | --- |
/// | `NSCoreDataListNumber(x)` | an integer unchanged; a real from the hexadecimal digits of its bits |
/// | `NSCoreDataListText(x)`, `NSCoreDataListData(x)` | a text or blob from the hexadecimal digits of its bytes |
enum SQLiteListEncoding {
    /// Integers and texts, which JSON contains unchanged.
    case json
    /// Integers, and reals as the hexadecimal digits of their bits.
    case numbers
    /// Texts of which some contain NUL, as the hexadecimal digits of their bytes.
    case texts
    /// Blobs as the hexadecimal digits of their bytes.
    case blobs

    // MARK: Encoding

    /// The parameter of a list of keys.
    static func encode(keys: [Int64]) -> SQLValue {
        // A key has up to 20 characters, and one follows it.
        let text = String(unsafeUninitializedCapacity: keys.count * 21 + 2) { bytes in
            bytes[0] = UInt8(ascii: "[")
            var count = 1
            for key in keys {
                if count > 1 {
                    bytes[count] = UInt8(ascii: ",")
                    count += 1
                }
                count = write(key, to: bytes, at: count)
            }
            bytes[count] = UInt8(ascii: "]")
            return count + 1
        }
        return .text(text)
    }

    /// Writes the decimal digits of a number.
    ///
    /// - Returns: the position after them.
    private static func write(_ number: Int64, to bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        var position = start
        if number < 0 {
            bytes[position] = UInt8(ascii: "-")
            position += 1
        }
        let first = position
        var rest = number.magnitude
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            position += 1
            rest = quotient
        } while rest > 0
        bytes[first..<position].reverse()
        return position
    }

    /// The text after a value that tests whether the value is in a list without encoded elements.
    static func membership(_ placeholder: String) -> String {
        " IN (SELECT value FROM json_each(\(placeholder)))"
    }

    /// The parameter of a list of values; nil if the values have no common encoding.
    static func parameter(_ values: [SQLValue]) -> SQLListParameter? {
        let stored = values.map(\.storedForm)
        let encoding = SQLiteListEncoding(stored)
        var text = "["
        for value in stored {
            guard let element = encoding.element(value) else { return nil }
            if text.utf8.count > 1 { text += "," }
            text += element
        }
        let function = encoding.function
        return SQLListParameter(value: .text(text + "]")) { placeholder in
            function.map { " IN (SELECT \($0)(value) FROM json_each(\(placeholder)))" } ?? membership(placeholder)
        }
    }

    private init(_ values: [SQLValue]) {
        var encoding = SQLiteListEncoding.json
        loop: for value in values {
            switch value {
            case .real: encoding = .numbers
            case .bytes:
                encoding = .blobs
                break loop
            case .text(let text) where text.utf8.contains(0):
                encoding = .texts
                break loop
            default: continue
            }
        }
        self = encoding
    }

    /// The function that decodes an element; nil if the elements are the values.
    private var function: String? {
        switch self {
        case .json: nil
        case .numbers: "NSCoreDataListNumber"
        case .texts: "NSCoreDataListText"
        case .blobs: "NSCoreDataListData"
        }
    }

    /// A value as an element of the JSON array; nil if the encoding has no form for it.
    private func element(_ value: SQLValue) -> String? {
        switch (value, self) {
        case (.integer(let number), .json), (.integer(let number), .numbers): String(number)
        case (.real(let number), .numbers): "\"" + String(number.bitPattern, radix: 16) + "\""
        case (.text(let text), .json): Self.quoted(text)
        case (.text(let text), .texts): "\"" + Self.hexadecimal(Data(text.utf8)) + "\""
        case (.bytes(let data), .blobs): "\"" + Self.hexadecimal(data) + "\""
        default: nil
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func hexadecimal(_ data: Data) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count * 2)
        for byte in data {
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Decoding

    /// Installs the functions that decode elements.
    static func installFunctions(on connection: SQLiteConnection) throws {
        try SQLiteFunctions.add("NSCoreDataListNumber", 1, to: connection) { context, _, values in
            guard let value = values?[0], sqlite3_value_type(value) == SQLITE_TEXT else {
                return sqlite3_result_value(context, values?[0])
            }
            guard let bits = SQLiteFunctions.text(value).flatMap({ UInt64($0, radix: 16) }) else {
                return sqlite3_result_null(context)
            }
            sqlite3_result_double(context, Double(bitPattern: bits))
        }
        try SQLiteFunctions.add("NSCoreDataListText", 1, to: connection) { context, _, values in
            SQLiteListEncoding.withBytes(of: values?[0]) { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_result_text64(
                        context, $0.baseAddress, UInt64($0.count), sqliteTransient, UInt8(SQLITE_UTF8))
                }
            }
        }
        try SQLiteFunctions.add("NSCoreDataListData", 1, to: connection) { context, _, values in
            SQLiteListEncoding.withBytes(of: values?[0]) {
                sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), sqliteTransient)
            }
        }
    }

    /// Passes the bytes that hexadecimal digits represent.
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
