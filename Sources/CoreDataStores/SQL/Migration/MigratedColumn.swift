// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Where the values of a column come from in a lightweight migration: a value for each row of the source table.
package indirect enum MigratedColumn: Equatable {
    /// A column of the source table, without conversion.
    case column(String)
    /// SQL over the columns of the source table.
    case expression(String)
    /// SQL over a column with external storage, for a column without. The value of some rows is the name of a file,
    /// whose contents take its place when all rows are written.
    case inlined(String)
    /// The same value in all rows.
    case constant(SQLValue)
    /// The values, with another one in place of NULL.
    case replacingNull(MigratedColumn, SQLValue)
    /// A value for the rows of each entity, by the entity's number in the source. The other rows have none.
    case byEntity([EntityValue])
    /// NULL: a property without a source and without a default value.
    case missing

    /// The value of a column for the rows of one entity.
    package struct EntityValue: Equatable {
        /// The number of the entity in the source.
        package let number: Int
        package let value: MigratedColumn
    }

    /// The SQL of the values.
    package func sql(_ dialect: any SQLMigrationDialect) -> SQLFragment {
        switch self {
        case .column(let name): "\(dialect.identifier(name))"
        case .expression(let text), .inlined(let text): "\(text)"
        case .constant(let value): "\(value: value)"
        case .replacingNull(let column, let value): "COALESCE(\(column.sql(dialect)), \(value: value))"
        case .byEntity(let values):
            "CASE Z_ENT\(SQLFragment(values.map { " WHEN \(String($0.number)) THEN \($0.value.sql(dialect))" })) END"
        case .missing: "NULL"
        }
    }

    /// Whether some values are names of files whose contents take their places.
    var hasFileNames: Bool {
        switch self {
        case .inlined: true
        case .replacingNull(let column, _): column.hasFileNames
        case .byEntity(let values): values.contains { $0.value.hasFileNames }
        case .column, .expression, .constant, .missing: false
        }
    }

    /// The values, with another one in place of NULL.
    func replacingNull(by value: SQLValue) -> MigratedColumn {
        self == .missing ? .constant(value) : .replacingNull(self, value)
    }
}

extension SQLStorageKind {
    var isInteger: Bool { [.integer16, .integer32, .integer64].contains(self) }

    package var isNumber: Bool { isInteger || [.boolean, .double, .float, .decimal].contains(self) }

    /// The range of an integer of this kind; nil for any other kind.
    var migratedRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        default: nil
        }
    }

    /// The value of an attribute as a value of a column of this kind; nil for a value that a column of this kind can't
    /// have.
    package func migratedValue(_ value: Any) -> SQLValue? {
        switch self {
        case .boolean: return Numbers.number(value).map { .integer($0.int64Value) }
        case .integer16, .integer32, .integer64:
            guard let integer = Numbers.number(value).flatMap(Numbers.int64), let range = migratedRange,
                range.contains(integer)
            else { return nil }
            return .integer(integer)
        case .double: return Numbers.number(value).map { .real($0.doubleValue) }
        case .float: return Numbers.number(value).map { .real(Double($0.floatValue)) }
        case .decimal: return Numbers.number(value).map { .decimal($0.decimalOrNaN) }
        case .date: return (value as? Date).map { .timestamp($0) }
        case .string: return (value as? String).map { .text($0) }
        case .uri: return (value as? URL).map { .text($0.absoluteString) }
        case .uuid: return (value as? UUID).map { .uuid($0) }
        case .binary, .externalBinary: return (value as? Data).map { .bytes($0) }
        default: return nil
        }
    }
}
