// SPDX-License-Identifier: Apache-2.0

/// Executes lightweight migrations of PostgreSQL stores, and reads what they are planned with.
struct PostgreSQLMigrationEngine {
    /// A connection with a transaction that has locked the tables.
    let connection: PostgreSQLConnection
    let catalog: PostgreSQLCatalog

    private var dialect: PostgreSQLDialect { PostgreSQLDialect(schema: connection.location.schema) }
    private var cleanup: PostgreSQLDeferredMigration {
        PostgreSQLDeferredMigration(connection: connection, dialect: dialect)
    }

    /// A migration of a store with its steps.
    struct Plan {
        let destination: SQLSchema
        /// Whether programs with the model of the source can go on.
        let isCompatible: Bool
        /// The removal of what an earlier migration has left, if it has to come first.
        let cleanup: [SQLMigrationStep]
        let steps: SQLMigrationPlan
    }

    /// Plans a migration of the store.
    ///
    /// - Throws: the errors of `SQLLightweightMigration` and `SQLMigrationPlan`.
    func plan(
        from source: SQLSchema, to model: NSManagedObjectModel, configuration: String?, isDeferred: Bool
    ) throws -> Plan {
        let destination = try schema(of: model, configuration: configuration, from: source)
        var migrationDialect = PostgreSQLMigrationDialect(
            schemaName: connection.location.schema, catalog: catalog, constant: constant)
        let migration = try SQLLightweightMigration(
            from: source, to: destination, isDeferred: isDeferred, migrationDialect)
        // Columns that an earlier migration has left may have the names of new ones.
        let hasRoom = try !cleanup.hasParts(namedAsIn: destination, butNotIn: source)
        migrationDialect.isCompatible = hasRoom && CompatibleMigration(migration).isCompatible
        let isCompatible = migrationDialect.isCompatible
        let keys = try source.tables.map { ($0.root.number, try highestKey(of: $0)) }
        return Plan(
            destination: destination, isCompatible: isCompatible,
            cleanup: isCompatible ? [] : try cleanup.steps(),
            steps: try SQLMigrationPlan(
                migration, migrationDialect, highestKeys: Dictionary(keys, uniquingKeysWith: max)))
    }

    /// The schema of the new model. An entity that was there before, perhaps under another name, keeps its number.
    private func schema(of model: NSManagedObjectModel, configuration: String?, from source: SQLSchema) throws
        -> SQLSchema
    {
        let mapping = try LightweightMapping(from: source.model, to: model)
        var numbers = PermanentEntityNumbers(byName: [:], highest: catalog.numbers.highest)
        for (name, entity) in mapping.entities {
            numbers.byName[name] = entity.source.flatMap(source.entity(for:))?.number
        }
        return try SQLSchema(postgreSQL: model, configuration: configuration, permanentNumbers: numbers)
    }

    /// A value as a constant, which the server writes.
    private func constant(_ value: SQLValue) throws -> String {
        let result = try connection.execute("SELECT quote_literal($1)", PostgreSQLParameters([value]))
        return result.rowCount > 0 ? result[0].text(0) : "NULL"
    }

    /// The highest key ever given to an object of an entity hierarchy.
    private func highestKey(of table: SQLTable) throws -> Int64 {
        let sequence = dialect.table(PostgreSQLDefinition.sequence(table.name))
        func number(_ text: String) throws -> Int64 { try integer(SQLStatement(text: text, bindings: [])) ?? 0 }
        // Two statements: in a cluster the rows are on another server than the sequence.
        return try max(
            number("SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM \(sequence)"),
            number("SELECT COALESCE(MAX(z_pk), 0) FROM \(dialect.table(table.name))"))
    }
}

extension PostgreSQLMigrationEngine: SQLMigrationExecutor {
    func run(_ statement: SQLStatement) throws { try connection.run(statement) }

    func integer(_ statement: SQLStatement) throws -> Int64? {
        let result = try connection.execute(statement.text, PostgreSQLParameters(statement.bindings))
        return result.rowCount > 0 && !result[0].isNull(0) ? result[0].int64(0) : nil
    }

    func readExternalData(of column: SQLColumn, in table: SQLTable) throws {
        // All values are in the rows, so no value is the name of a file.
        throw SQLUnavailable(part: "external data")
    }

    /// The number of rows that are read and written together.
    private static let rowsOfStatement: Int64 = 10_000

    func compute(_ attribute: SQLAttribute, of entity: SQLEntity, _ expression: NSExpression) throws {
        let attributes = entity.properties.compactMap { name, property -> (name: String, column: SQLColumn)? in
            guard case .attribute(let read) = property, read.column.kind.hasPlainValues else { return nil }
            return (name, read.column)
        }
        let rows = dialect.table(entity.tableName)
        let names = attributes.map { ", " + SQLGenerator.identifier($0.column.name) }.joined()
        let numbers = entity.numbers.map(String.init).joined(separator: ", ")
        let type = PostgreSQLType(attribute.column.kind)
        var last: Int64 = 0
        while true {
            let found = try connection.execute(
                """
                SELECT Z_PK\(names) FROM \(rows) WHERE Z_ENT IN (\(numbers)) AND Z_PK > $1 \
                ORDER BY Z_PK LIMIT \(Self.rowsOfStatement)
                """, PostgreSQLParameters([.integer(last)]))
            guard found.rowCount > 0 else { return }
            var keys = PostgreSQLArray(type: .int8, capacity: found.rowCount)
            var values = PostgreSQLArray(type: type, capacity: found.rowCount)
            for row in found {
                let object = NSMutableDictionary()
                for (position, (name, column)) in attributes.enumerated() where !row.isNull(position + 1) {
                    object[name] = column.kind.object(row.value(position + 1))
                }
                last = row.int64(0)
                keys.append(int64: last)
                let value = expression.expressionValue(with: object, context: nil)
                if let value, let stored = attribute.column.kind.migratedValue(value) {
                    values.append(stored)
                } else {
                    values.appendNull()
                }
            }
            var parameters = PostgreSQLParameters()
            parameters.append(array: keys)
            parameters.append(array: values)
            _ = try connection.execute(
                """
                UPDATE \(rows) AS t SET \(SQLGenerator.identifier(attribute.column.name)) = v.c2 \
                FROM unnest($1::bigint[], $2::\(type.name)[]) AS v(c1, c2) WHERE t.Z_PK = v.c1
                """, parameters)
        }
    }

    func isUniqueViolation(_ error: any Error) -> Bool { (error as? PostgreSQLFailure)?.isUniqueViolation ?? false }

    var storeName: String { connection.location.publicURL.absoluteString }

    func error(_ code: Int, reason: String, suggestion: String, userInfo: [String: Any]) -> NSError {
        let url = connection.location.publicURL
        return CoreDataErrors.error(
            code, "The store \u{201c}\(url.absoluteString)\u{201d} couldn\u{2019}t be opened. \(reason)",
            reason: reason,
            suggestion: suggestion,
            userInfo: [NSURLErrorKey: url, "reason": reason].merging(userInfo) { _, given in given })
    }
}

extension PostgreSQLConnection {
    /// Runs a statement whose rows are of no interest.
    func run(_ statement: SQLStatement) throws {
        if statement.bindings.isEmpty { return try executeScript(statement.text) }
        try execute(statement.text, PostgreSQLParameters(statement.bindings))
    }
}

extension SQLStorageKind {
    /// Whether an expression can compute with the values as they are stored.
    fileprivate var hasPlainValues: Bool {
        isNumber || [.date, .string, .uri, .uuid, .binary, .externalBinary].contains(self)
    }

    /// A stored value as the value of an attribute.
    fileprivate func object(_ value: SQLValue) -> Any? {
        switch value {
        case .integer(let number): self == .boolean ? NSNumber(value: number != 0) : NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .decimal(let number): NSDecimalNumber(decimal: number)
        case .text(let text): self == .uri ? URL(string: text) : text
        case .bytes(let bytes): bytes
        case .timestamp(let date): date
        case .uuid(let uuid): uuid
        case .null, .keys, .list: nil
        }
    }
}
