// SPDX-License-Identifier: Apache-2.0

/// The work that migrations have left for later: to remove the columns and tables that only older models use.
///
/// Programs with older models can't go on when the work begins.
struct PostgreSQLDeferredMigration {
    /// A connection with a transaction, except for ``hasParts()`` and ``finishPart(schema:modelNumber:)``.
    let connection: PostgreSQLConnection
    let dialect: PostgreSQLDialect

    /// A table, or a column of a table.
    private struct Part {
        let table: String
        let column: String?
    }

    private func parts() throws -> [Part] {
        try connection.execute(
            """
            SELECT z_table, NULLIF(z_column, '') AS z_column FROM \(dialect.table("z_unused")) \
            ORDER BY NULLIF(z_column, '') IS NULL, z_table, z_column
            """
        ).map { Part(table: $0.text(0), column: $0.isNull(1) ? nil : $0.text(1)) }
    }

    /// Whether there is work.
    func hasParts() throws -> Bool { try !parts().isEmpty }

    /// Whether a schema needs the name of a part for something new.
    func hasParts(namedAsIn schema: SQLSchema, butNotIn source: SQLSchema) throws -> Bool {
        let parts = try parts()
        if parts.isEmpty { return false }
        let joins = Dictionary(schema.joinTables.map { ($0.name, $0.columns) }, uniquingKeysWith: { first, _ in first })
        return parts.contains { part in
            let table = schema.tables.first { $0.name == part.table }
            guard let column = part.column else { return table != nil || joins[part.table] != nil }
            return table?.column(named: column) != nil || joins[part.table]?.contains(column) == true
        }
    }

    /// Does the next part of the work.
    ///
    /// - Returns: whether there is none left.
    private func runNext(newest schema: SQLSchema) throws -> Bool {
        let parts = try parts()
        // The triggers go first: no program needs them, and they name the parts.
        try run(dropTriggers())
        if let first = parts.first { try run([step(removing: first)]) }
        guard parts.count <= 1 else { return false }
        try connection.run(PostgreSQLCatalog.removeEntities(except: schema, dialect).statement(dialect))
        return true
    }

    /// Does the next part of the work, in a separate transaction: other programs wait for one part, not for the whole
    /// work.
    ///
    /// - Parameters:
    ///   - schema: the schema of the model that wants to end the work.
    ///   - modelNumber: the number of that model. Only the newest one ends the work.
    /// - Returns: whether there is none left.
    func finishPart(schema: SQLSchema, modelNumber: Int?) throws -> Bool {
        try connection.transaction {
            try PostgreSQLStoreOpener.lock(connection.location.schema, connection)
            try PostgreSQLModelLock.lock(connection, dialect)
            let models = try PostgreSQLCatalog(connection, dialect).models
            guard let newest = models.last, let metadata = try PostgreSQLStoreMetadata(on: connection, dialect) else {
                return true
            }
            // Another program has migrated the store again. The remaining work belongs to that migration.
            guard newest.number == modelNumber else { return true }
            try PostgreSQLCatalog.deleteModels(olderThan: Int64(newest.number), connection, dialect)
            guard try runNext(newest: schema) else { return false }
            try metadata.replacingModel(by: schema, isIncomplete: false, isExplicit: false)
                .write(on: connection, dialect)
            return true
        }
    }

    /// The steps of all of the work.
    func steps() throws -> [SQLMigrationStep] { try dropTriggers() + parts().map(step) }

    /// Does steps of the work.
    func run(_ steps: [SQLMigrationStep]) throws {
        for statement in steps.flatMap(\.statements) { try connection.run(statement) }
    }

    private func dropTriggers() throws -> [SQLMigrationStep] {
        try CompatibilityTriggers.removal(connection, dialect)
    }

    private func step(removing part: Part) -> SQLMigrationStep {
        let table = dialect.table(part.table)
        let forgetting: SQLFragment = """
            DELETE FROM \(dialect.table("z_unused")) WHERE z_table = \(value: .text(part.table)) \
            AND COALESCE(z_column, '') = \(value: .text(part.column ?? ""))
            """
        let removal: [SQLFragment]
        if let column = part.column {
            removal = ["ALTER TABLE IF EXISTS \(table) DROP COLUMN IF EXISTS \(SQLGenerator.identifier(column))"]
        } else {
            removal = [
                "DROP TABLE IF EXISTS \(table)",
                "DROP SEQUENCE IF EXISTS \(dialect.table(PostgreSQLDefinition.sequence(part.table)))",
            ]
        }
        return SQLMigrationStep(
            part.column.map { .dropColumn($0, table: part.table) } ?? .dropTable(part.table),
            (removal + [forgetting]).map { $0.statement(dialect) })
    }
}

extension PostgreSQLStore: DeferredMigrationStore {
    func finishDeferredMigration(tasks: Int) throws {
        let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
        guard !isReadOnly, (metadata?[key] as? NSNumber)?.boolValue == true else { return }
        let open = try database.requireOpen()
        for _ in 0..<tasks {
            let isFinished = try PostgreSQLStoreErrors.converting(open.location.publicURL, .writing) {
                try database.withSession(open) { session in
                    try MigrationLog.step("Deferred work of \(open.location.publicURL.absoluteString)") {
                        try PostgreSQLDeferredMigration(connection: session.connection, dialect: session.dialect)
                            .finishPart(schema: open.schema, modelNumber: open.modelNumber)
                    }
                }
            }
            guard isFinished else { continue }
            forgetMetadata(key)
            return
        }
    }
}
