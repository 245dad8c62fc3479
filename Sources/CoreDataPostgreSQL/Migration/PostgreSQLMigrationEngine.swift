// SPDX-License-Identifier: Apache-2.0

/// Executes lightweight migrations of PostgreSQL stores, and reads the data for their plans.
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
        var numbers = StoredEntityNumbers(byName: [:], highest: catalog.numbers.highest)
        for (name, entity) in mapping.entities {
            numbers.byName[name] = entity.source.flatMap(source.entity(for:))?.number
        }
        return try SQLSchema(postgreSQL: model, configuration: configuration, storedNumbers: numbers)
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

    func counts(_ statement: SQLStatement) throws -> [(number: Int?, count: Int64)] {
        try connection.execute(statement.text, PostgreSQLParameters(statement.bindings)).map { row in
            (row.isNull(0) ? nil : Int(row.int64(0)), row.int64(1))
        }
    }

    func readExternalData(of column: SQLColumn, in table: SQLTable) throws {
        // All values are in the rows, so no value is the name of a file.
        throw SQLUnavailable(part: "external data")
    }

    func rows(_ plan: RowPlan, _ select: SQLStatement) throws -> RowList {
        let result = try connection.execute(select.text, PostgreSQLParameters(select.bindings))
        let reader = SQLRowReader(plan: plan, source: PostgreSQLRowSource(url: connection.location.publicURL))
        var list = plan.makeList(expected: result.rowCount)
        for row in result { try reader.append(row, to: &list) }
        return list
    }

    func write(_ values: [(key: Int64, value: SQLValue)], to column: SQLColumn, of table: SQLTable) throws {
        let type = PostgreSQLType(column.kind)
        var keys = PostgreSQLArray(type: .int8, capacity: values.count)
        var cells = PostgreSQLArray(type: type, capacity: values.count)
        for (key, value) in values {
            keys.append(int64: key)
            if case .null = value { cells.appendNull() } else { cells.append(value) }
        }
        var parameters = PostgreSQLParameters()
        parameters.append(array: keys)
        parameters.append(array: cells)
        try connection.execute(
            """
            UPDATE \(dialect.table(table.name)) AS t SET \(SQLGenerator.identifier(column.name)) = v.c2 \
            FROM unnest($1::bigint[], $2::\(type.name)[]) AS v(c1, c2) WHERE t.Z_PK = v.c1
            """, parameters)
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
