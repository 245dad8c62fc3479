// SPDX-License-Identifier: Apache-2.0

/// An index of a store.
struct PostgreSQLIndex: Hashable {
    /// The name as it stands in statements, without the name of the schema.
    let name: String
    /// The name of the table.
    let table: String
    let isUnique: Bool
    /// The text that follows the name of the index in the statement that creates it.
    let definition: String

    /// The statement that creates the index.
    var statement: String { "CREATE \(kind) \(name) \(definition)" }

    private var kind: String { isUnique ? "UNIQUE INDEX" : "INDEX" }
}

extension PostgreSQLDefinition {
    /// The indexes of a table: first its keys and relationship keys, then for each entity its join tables, its fetch
    /// indexes and its uniqueness constraints.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020) for a partial index whose predicate can't be
    ///   written in SQL.
    func indexes(of table: SQLTable) throws -> [PostgreSQLIndex] {
        var indexes = table.indexedKeys.map { index("\(table.name)_\($0.name)_INDEX", on: table.name, [$0.name]) }
        for entity in table.entities {
            for join in schema.joinTables(namedBy: entity) {
                indexes.append(
                    index(
                        "\(join.name)_\(join.destinationColumn)_INDEX", on: join.name,
                        [join.destinationColumn, join.ownerColumn]))
            }
            if entity === table.root, entity.hasSubentities {
                indexes.append(index("\(table.name)_Z_ENT_INDEX", on: table.name, [table.entityNumber.name]))
            }
            indexes += try fetchIndexes(of: entity)
            indexes += entity.uniquenessConstraints.map { uniqueIndex($0, of: entity) }
        }
        return indexes
    }

    private func fetchIndexes(of entity: SQLEntity) throws -> [PostgreSQLIndex] {
        var names: Set<String> = []
        return try entity.entity.convertedIndexes.compactMap { description in
            guard let columns = entity.columns(of: description), names.insert(description.name).inserted else {
                return nil
            }
            return create(
                "Z_\(entity.name)_\(description.name)", on: entity.tableName,
                columns: columns.map { column in
                    // The order of the statements' ORDER BY, so that the index can serve it.
                    let order = column.isAscending ? "ASC NULLS FIRST" : "DESC NULLS LAST"
                    return "\(SQLGenerator.identifier(column.name)) \(order)"
                },
                where: try description.partialIndexPredicate.map {
                    try SQLIndexCondition(
                        entity: entity, index: description.name, identifier: SQLGenerator.identifier,
                        truth: dialect.constant, constant: Self.constant
                    ).text($0)
                })
        }
    }

    /// A constant in the type of a column; nil for a constant of another type, or of a type without constants.
    private static func constant(_ value: Any, _ column: SQLColumn) -> String? {
        switch PostgreSQLType(column.kind) {
        case .text:
            guard let text = value as? String, !text.containsNUL else { return nil }
            // Without a backslash the text means the same under all settings of the server.
            let quoted = text.replacingOccurrences(of: "'", with: "''")
            return quoted.utf8.contains(UInt8(ascii: "\\"))
                ? "E'" + quoted.replacingOccurrences(of: "\\", with: "\\\\") + "'" : "'" + quoted + "'"
        case .timestamptz:
            guard let date = value as? Date, date.timeIntervalSinceReferenceDate.isFinite else { return nil }
            // A sum of a date and an interval depends on the time zone of the session, for the server.
            return "to_timestamp('\(date.timeIntervalSince1970)'::double precision)"
        case .int2, .int4, .int8:
            guard let number = value as? NSNumber, number.doubleValue.isFinite else { return nil }
            let isInteger = number.doubleValue == Double(number.int64Value)
            return isInteger ? "\(number.int64Value)" : "\(number.doubleValue)::numeric"
        case .float4, .float8:
            guard let number = value as? NSNumber, number.doubleValue.isFinite else { return nil }
            return "'\(number.doubleValue)'::double precision"
        case .numeric:
            guard let number = value as? NSNumber, number.doubleValue.isFinite else { return nil }
            return "'\((number as? NSDecimalNumber)?.stringValue ?? number.stringValue)'::numeric"
        default: return nil
        }
    }

    private func uniqueIndex(_ constraint: SQLUniquenessConstraint, of entity: SQLEntity) -> PostgreSQLIndex {
        create(
            "Z_\(entity.name)_UNIQUE_\(constraint.names.joined(separator: "_"))", isUnique: true, on: entity.tableName,
            columns: constraint.columns.map { SQLGenerator.identifier($0.name) })
    }

    private func index(_ name: String, on table: String, _ columns: [String]) -> PostgreSQLIndex {
        create(name, on: table, columns: columns.map(SQLGenerator.identifier))
    }

    private func create(
        _ name: String, isUnique: Bool = false, on table: String, columns: [String], where condition: String? = nil
    ) -> PostgreSQLIndex {
        PostgreSQLIndex(
            name: SQLGenerator.identifier(PostgreSQLName.shortened(name)), table: table, isUnique: isUnique,
            definition: "ON \(dialect.table(table)) (\(columns.joined(separator: ", ")))"
                + (condition.map { " WHERE " + $0 } ?? ""))
    }
}

/// Names within the limit of the server, which would cut longer ones off silently.
enum PostgreSQLName {
    static let limit = SQLNameLimit(maximum: 63)

    /// A name of at most 63 bytes.
    static func shortened(_ name: String) -> String { limit.shortened(name) }
}
