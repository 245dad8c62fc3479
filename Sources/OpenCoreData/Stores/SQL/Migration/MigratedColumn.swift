import CoreDataModel
import CoreDataPredicates

/// Where the values of a column come from in a lightweight migration, as SQL over a row of the source table.
package enum MigratedColumn: Equatable {
    /// A column of the source table, without conversion.
    case column(String)
    /// An expression with its parameters.
    case expression(String, [SQLValue])
    /// NULL: a property without a source and without a default value.
    case missing

    package func sql(_ engine: any SQLMigrationEngine) -> String {
        switch self {
        case .column(let name): engine.identifier(name)
        case .expression(let text, _): text
        case .missing: "NULL"
        }
    }

    package var bindings: [SQLValue] {
        if case .expression(_, let values) = self { return values }
        return []
    }

    /// The values, with another one in place of NULL.
    func replacingNull(by value: SQLValue, _ engine: any SQLMigrationEngine) -> MigratedColumn {
        if self == .missing { return .expression("?", [value]) }
        return .expression("COALESCE(\(sql(engine)), ?)", bindings + [value])
    }
}

extension SQLStorageKind {
    package var isInteger: Bool { [.integer16, .integer32, .integer64].contains(self) }

    package var isNumber: Bool { isInteger || [.boolean, .double, .float, .decimal].contains(self) }

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
    package func migratedValue(_ value: Any) -> SQLValue? {
        switch self {
        case .boolean, .integer16, .integer32, .integer64: return Numbers.number(value).map { .integer($0.int64Value) }
        case .double, .float: return Numbers.number(value).map { .real($0.doubleValue) }
        case .decimal: return Numbers.number(value).map { .decimal($0.decimalValue) }
        case .date: return (value as? Date).map { .timestamp($0) }
        case .string: return (value as? String).map { .text($0) }
        case .uri: return (value as? URL).map { .text($0.absoluteString) }
        case .uuid: return (value as? UUID).map { .uuid($0) }
        case .binary, .externalBinary: return (value as? Data).map { .bytes($0) }
        default: return nil
        }
    }
}
