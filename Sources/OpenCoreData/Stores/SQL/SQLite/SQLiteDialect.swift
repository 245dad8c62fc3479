import CoreDataPredicates

/// SQLite's way of writing queries. The functions are those that ``SQLiteFunctions`` installs.
package struct SQLiteDialect: SQLDialect {
    package init() {}

    package var sameOperator: String { "IS" }
    package var notSameOperator: String { "IS NOT" }
    package var unlimited: String { "-1" }
    // SQLite's own default, SQLITE_MAX_VARIABLE_NUMBER, since 3.32.
    package var maximumParameterCount: Int { 32_766 }
    package var maximumListCount: Int { 500 }
    package var keyListSource: String { "SELECT value FROM json_each(?)" }

    package func function(_ function: SQLFunction) -> (name: String, constants: [Int64]) {
        switch function {
        case .uppercase: ("NSCoreDataUppercase", [])
        case .lowercase: ("NSCoreDataLowercase", [])
        case .length: ("NSCoreDataLength", [])
        case .absolute: ("abs", [])
        case .fold(let options): ("NSCoreDataFold", [Int64(options.rawValue)])
        case .order(let options): ("NSCoreDataStringCompare", [Int64(options.rawValue)])
        case .position: ("instr", [])
        case .library(let selector): (SQLiteFunctions.name(ofLibraryFunction: selector), [])
        case .cast(let form): ("NSCoreDataCast", [form.rawValue])
        case .stringKey: ("NSCoreDataStringKey", [])
        }
    }

    package func name(of aggregate: SQLAggregate) -> String {
        switch aggregate {
        case .count: "COUNT"
        case .sum: "SUM"
        case .average: "AVG"
        case .minimum: "MIN"
        case .maximum: "MAX"
        case .median: SQLiteFunctions.name(ofLibraryFunction: "median:")
        case .standardDeviation: SQLiteFunctions.name(ofLibraryFunction: "stddev:")
        case .list: "group_concat"
        }
    }

    package func function(
        _ test: SQLTextTest, options: NSComparisonPredicate.Options
    ) -> (name: String, constants: [Int64]) {
        let options = Int64(options.rawValue)
        func search(_ kind: SQLiteFunctions.SearchKind) -> (name: String, constants: [Int64]) {
            ("NSCoreDataStringSearch", [options, kind.rawValue])
        }
        switch test {
        case .equal: return search(.equal)
        case .beginsWith: return search(.beginsWith)
        case .endsWith: return search(.endsWith)
        case .contains: return search(.contains)
        case .like: return ("NSCoreDataLike", [options])
        case .matches: return ("NSCoreDataMatches", [options])
        }
    }

    package func collation(forSelector selector: String) -> SQLCollation? {
        // BINARY is what columns have anyway.
        SQLiteCollations.name(forSelector: selector).map { $0 == "BINARY" ? .natural : .named($0) }
    }

    package func packed(keys: [Int64]) -> SQLValue {
        .text("[" + keys.map(String.init).joined(separator: ",") + "]")
    }

    package func packed(_ values: [SQLValue]) -> SQLPackedList? {
        let form = SQLiteListForm(values)
        var text = "["
        for value in values {
            guard let part = Self.part(value, form) else { return nil }
            if text.utf8.count > 1 { text += "," }
            text += part
        }
        let source = form.function.map { "SELECT \($0)(value) FROM json_each(?)" } ?? keyListSource
        return SQLPackedList(source: source, value: .text(text + "]"))
    }

    /// A value as an element of the JSON. What JSON can't hold, or SQLite doesn't read back to the same bits, is
    /// written so that the list's function gets it.
    private static func part(_ value: SQLValue, _ form: SQLiteListForm) -> String? {
        switch (value, form) {
        case (.integer(let number), .plain), (.integer(let number), .numbers): String(number)
        case (.real(let number), .numbers): "\"" + String(number.bitPattern, radix: 16) + "\""
        case (.text(let text), .plain): quoted(text)
        case (.text(let text), .texts): "\"" + hexadecimal(Data(text.utf8)) + "\""
        case (.blob(let data), .blobs): "\"" + hexadecimal(data) + "\""
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
}
