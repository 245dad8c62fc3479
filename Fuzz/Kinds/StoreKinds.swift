import CoreDataModel
import OpenCoreData

/// An XML store.
struct XMLStoreKind: InputKind {
    let name = "xml-store"
    let form = MutationForm.text([
        "int16", "int32", "int64", "bool", "double", "float", "date", "decimal", "binary", "transformable", "uuid",
        "uri", "string", "base64", "ITEM", "PART", "SPECIAL", "name", "parts", "ordered", "next", "z102", "z999999999",
        "z-1", "0/0", "1/1",
    ])

    func samples() throws -> [Data] { [try SampleStores.store(NSXMLStoreType)] }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let store = folder.appendingPathComponent("Mutant.xml")
        try mutant.write(to: store)
        return try StoreUse.use(store, NSXMLStoreType)
    }
}

/// A binary store.
struct BinaryStoreKind: InputKind {
    let name = "binary-store"
    let form = MutationForm.propertyList

    func samples() throws -> [Data] { [try SampleStores.store(NSBinaryStoreType)] }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let store = folder.appendingPathComponent("Mutant.binary")
        try mutant.write(to: store)
        return try StoreUse.use(store, NSBinaryStoreType)
    }
}

/// The whole file of a SQLite store.
struct SQLiteStoreKind: InputKind {
    let name = "sqlite-store"
    let form = MutationForm.bytes

    func samples() throws -> [Data] { [try SampleStores.store(NSSQLiteStoreType, hasHistory: true)] }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let store = folder.appendingPathComponent("Mutant.sqlite")
        try mutant.write(to: store)
        return try StoreUse.use(store, NSSQLiteStoreType, hasHistory: true)
    }
}

/// The values in the tables of a SQLite store, or in the tables of its history: the file is a sound database.
///
/// The mutated text has a line for each value: `TABLE "key" "COLUMN" "value"`. The value is NULL, or begins with the
/// letter of its storage class: `i`, `r`, `t` or `b`, the last with hexadecimal digits.
struct StoredValuesKind: InputKind {
    let name: String
    let tables: [String]
    let form = MutationForm.text([
        "NULL", "i0", "i-1", "i1", "i16001", "i99999", "i9223372036854775807", "i-9223372036854775808", "r1e308",
        "r-1e308", "rnan", "r0.5", "ttext", "t", "b", "b00", "bff", "b02", "b62706c6973743030",
    ])

    static let history = StoredValuesKind(
        name: "history", tables: ["ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING", "Z_PRIMARYKEY"])
    static let rows = StoredValuesKind(
        name: "rows", tables: ["ZITEM", "ZPART", "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])

    private static let store = Result { try SampleStores.store(NSSQLiteStoreType, hasHistory: true) }

    func samples() throws -> [Data] {
        try withStore { connection in
            var lines: [String] = []
            for table in tables {
                let columns = try connection.tables()[table] ?? []
                let statement = try connection.uncachedStatement("SELECT rowid, * FROM \(table)")
                while try statement.step() {
                    for (index, column) in columns.enumerated() {
                        let value = Self.text(statement, Int32(index + 1))
                        lines.append("\(table) \"\(statement.int64(at: 0))\" \"\(column)\" \"\(value)\"")
                    }
                }
            }
            return [Data(lines.joined(separator: "\n").utf8)]
        }
    }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let url = folder.appendingPathComponent("Mutant.sqlite")
        try Self.store.get().write(to: url)
        do {
            let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
            try connection.withTransaction {
                for line in String(decoding: mutant, as: UTF8.self).split(separator: "\n") {
                    let parts = line.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
                    guard parts.count == 7 else { continue }
                    set(parts[0].trimmingCharacters(in: .whitespaces), parts[1], parts[3], parts[5], connection)
                }
            }
        }
        return try StoreUse.use(url, NSSQLiteStoreType, hasHistory: true)
    }

    /// Sets a value, if the table, the row and the column exist, and SQLite accepts it.
    private func set(_ table: String, _ key: String, _ column: String, _ value: String, _ connection: SQLiteConnection)
    {
        guard tables.contains(table), let row = Int64(key), let stored = Self.value(value),
            column.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else { return }
        try? connection.run("UPDATE OR IGNORE \(table) SET \(column) = ? WHERE rowid = ?", [stored, .integer(row)])
    }

    private func withStore<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        try Self.store.get().write(to: url)
        return try body(try SQLiteConnection(path: url.path, mode: .readWrite))
    }

    private static func text(_ statement: SQLiteStatement, _ column: Int32) -> String {
        switch statement.value(at: column) {
        case .integer(let value): "i\(value)"
        case .real(let value): "r\(value)"
        case .text(let value): "t\(value)"
        case .bytes(let value): "b" + value.map { String(format: "%02x", $0) }.joined()
        default: "NULL"
        }
    }

    private static func value(_ text: String) -> SQLValue? {
        let rest = String(text.dropFirst())
        switch text.first {
        case "i": return Int64(rest).map { .integer($0) }
        case "r": return Double(rest).map { .real($0) }
        case "t": return .text(rest)
        case "b":
            let digits = Array(rest)
            return .bytes(
                Data(
                    stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
                    }))
        case "N": return .null
        default: return nil
        }
    }
}
