import CoreDataModel
import CoreDataPredicates

/// Where the values of a column come from in a lightweight migration, as SQL over a row of the source table.
enum MigratedColumn: Equatable {
    /// A column of the source table, without conversion.
    case column(String)
    /// An expression with its parameters.
    case expression(String, [SQLValue])
    /// NULL: a property without a source and without a default value.
    case missing

    var sql: String {
        switch self {
        case .column(let name): SQLiteText.identifier(name)
        case .expression(let text, _): text
        case .missing: "NULL"
        }
    }

    var bindings: [SQLValue] {
        if case .expression(_, let values) = self { return values }
        return []
    }

    // MARK: Conversions

    /// The values of one column as values of another one. The inferred mapping model allows numbers of all types.
    static func converted(_ source: SQLColumn, to destination: SQLColumn) -> MigratedColumn {
        let column = SQLiteText.identifier(source.name)
        switch (source.kind, destination.kind) {
        case (.binary, .externalBinary):
            // The mark of a value in the column itself; a reader accepts it for values of any size.
            return .expression("CAST(x'01' || \(column) AS BLOB)", [])
        case (.externalBinary, .binary):
            // A value in a file has the mark 2. It is read after the rows were copied.
            return .expression(
                "CASE WHEN SUBSTR(\(column), 1, 1) = x'01' THEN SUBSTR(\(column), 2) ELSE \(column) END", [])
        case (let from, .boolean) where from.isNumber && from != .boolean:
            return .expression("\(column) <> 0", [])
        case (.double, let to), (.float, let to), (.decimal, let to):
            if to.isInteger { return .expression("CAST(\(column) AS INTEGER)", []) }
            if source.kind == .decimal, to == .double || to == .float {
                return .expression("CAST(\(column) AS REAL)", [])
            }
            return .column(source.name)
        case (let from, .double) where from.isInteger || from == .boolean,
            (let from, .float) where from.isInteger || from == .boolean:
            return .expression("CAST(\(column) AS REAL)", [])
        default:
            return .column(source.name)
        }
    }

    /// The values, with another one in place of NULL.
    func replacingNull(by value: SQLValue) -> MigratedColumn {
        if self == .missing { return .expression("?", [value]) }
        return .expression("IFNULL(\(sql), ?)", bindings + [value])
    }
}

extension SQLStorageKind {
    var isInteger: Bool { [.integer16, .integer32, .integer64].contains(self) }

    var isNumber: Bool { isInteger || [.boolean, .double, .float, .decimal].contains(self) }

    /// The values that a number of this kind can have, if they are fewer than those of a column.
    var migratedRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        default: nil
        }
    }

    /// The value of an attribute as a value of a column of this kind; nil for what no column of the kind can have.
    func migratedValue(_ value: Any) -> SQLValue? {
        switch self {
        case .externalBinary: return (value as? Data).map { .bytes(Data([1]) + $0) }
        case .boolean, .integer16, .integer32, .integer64: return Numbers.number(value).map { .integer($0.int64Value) }
        case .double, .float: return Numbers.number(value).map { .real($0.doubleValue) }
        case .decimal: return Numbers.number(value).map { .decimal($0.decimalValue) }
        case .date: return (value as? Date).map { .timestamp($0) }
        case .string: return (value as? String).map { .text($0) }
        case .uri: return (value as? URL).map { .text($0.absoluteString) }
        case .uuid: return (value as? UUID).map { .uuid($0) }
        case .binary: return (value as? Data).map { .bytes($0) }
        default: return nil
        }
    }
}
