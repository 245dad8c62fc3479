// SPDX-License-Identifier: Apache-2.0

/// The texts and steps of lightweight migrations in PostgreSQL.
///
/// Tables stay where they can: the server adds, renames and removes columns without writing rows again. A migration
/// with which older programs can go on keeps the tables and columns that they use.
struct PostgreSQLMigrationDialect: SQLMigrationDialect {
    /// The name of the store's schema.
    let schemaName: String
    let catalog: PostgreSQLCatalog
    /// A value as the text of a constant. Definitions have no parameters.
    let constant: (SQLValue) throws -> String
    /// Whether programs with the model of the source can go on.
    var isCompatible = false

    var dialect: any SQLDialect { postgreSQL }
    private var postgreSQL: PostgreSQLDialect { PostgreSQLDialect(schema: schemaName) }
    var keepsTablesWithUnusedColumns: Bool { true }
    var keepsTablesOfSubentities: Bool { true }

    private func definition(_ schema: SQLSchema) -> PostgreSQLDefinition {
        PostgreSQLDefinition(schema, name: schemaName)
    }

    // MARK: Texts of statements

    func identifier(_ name: String) -> String { SQLGenerator.identifier(name) }
    func table(_ name: String) -> String { postgreSQL.table(name) }
    func declaration(of kind: SQLStorageKind) -> String { kind.postgreSQLDeclaration }

    func converted(_ source: SQLColumn, to destination: SQLColumn) -> MigratedColumn {
        let column = identifier(source.name)
        guard source.kind != destination.kind, source.kind.isNumber, destination.kind.isNumber else {
            return .column(source.name)
        }
        let isReal = source.kind == .double || source.kind == .float
        switch destination.kind {
        case .boolean: return .expression("CAST(\(column) <> 0 AS integer)")
        case .integer16, .integer32, .integer64:
            // The server would round.
            let whole = isReal || source.kind == .decimal ? "TRUNC(\(column))" : column
            return .expression("CAST(\(whole) AS \(declaration(of: destination.kind)))")
        case .decimal where isReal:
            // By the shortest text that denotes the number: a direct conversion has only 15 digits.
            return .expression("CAST(CAST(\(column) AS text) AS numeric)")
        case .float where isReal || source.kind == .decimal:
            // The server refuses numbers that are too small for the type, while other engines convert them to zero.
            let value = "CASE WHEN ABS(\(column)) <= \(Self.zeroOfFloat) THEN 0 ELSE \(column) END"
            return .expression("CAST(\(value) AS real)")
        default: return .expression("CAST(\(column) AS \(declaration(of: destination.kind)))")
        }
    }

    /// The largest number that becomes zero in single precision: half of the smallest one.
    private static let zeroOfFloat = "7.006492321624085e-46"

    func value(_ value: Any, of kind: SQLStorageKind) -> SQLValue? { kind.migratedValue(value) }

    func createTable(_ table: SQLTable, of schema: SQLSchema) -> String { definition(schema).createTable(table) }

    func createJoinTable(_ table: SQLJoinTable, of schema: SQLSchema) -> String {
        definition(schema).createJoinTable(table)
    }

    // MARK: Tables

    func addColumn(_ column: SQLColumn, to table: SQLTable, values: [MigratedColumn.EntityValue]) throws
        -> [SQLStatement]
    {
        let (rows, name) = (self.table(table.name), identifier(column.name))
        let addition: SQLFragment = "ALTER TABLE \(rows) ADD COLUMN \(name) \(declaration(of: column.kind))"
        let first = values.first?.value
        let isCommon = values.count == table.entities.count && values.allSatisfy { $0.value == first }
        let constant: String? =
            if case .constant(let value)? = first {
                try self.constant(value) + "::" + PostgreSQLType(column.kind).name
            } else { nil }
        var statements: [SQLFragment]
        if isCommon, let constant {
            // The server keeps the value for the rows that are there, without writing them.
            statements = ["\(addition) DEFAULT \(constant)"]
            if !isCompatible { statements.append("ALTER TABLE \(rows) ALTER COLUMN \(name) DROP DEFAULT") }
        } else {
            statements = [addition]
            statements += values.map { entity in
                "UPDATE \(rows) SET \(name) = \(entity.value.sql(self)) WHERE Z_ENT = \(number: entity.number)"
            }
            // Programs with the older model insert rows without the column.
            if isCompatible, let constant {
                statements.append("ALTER TABLE \(rows) ALTER COLUMN \(name) SET DEFAULT \(constant)")
            }
        }
        return statements.map { $0.statement(postgreSQL) }
    }

    func keepsName(ofUnusedTable name: String, _ migration: SQLLightweightMigration) -> Bool {
        migration.isDeferred && unusedTables(migration).contains(name)
    }

    func removesRenamedTables(_ migration: SQLLightweightMigration) -> Bool { true }

    /// The tables of the source that the destination doesn't have.
    private func unusedTables(_ migration: SQLLightweightMigration) -> [String] {
        let used = Set(migration.tables.compactMap { $0.source?.name } + migration.destination.tables.map(\.name))
        let joins = Set(migration.destination.joinTables.map(\.name))
        return migration.source.tables.map(\.name).filter { !used.contains($0) }
            + migration.source.joinTables.map(\.name).filter { !joins.contains($0) }
    }

    // MARK: What is left over

    func removeUnused(_ migration: SQLLightweightMigration) throws -> [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for part in migration.tables {
            guard let source = part.source, let kept = part.keptColumns else { continue }
            var unused = Set(source.columns.map(\.name))
            for case .existing(let name, _) in kept { unused.remove(name) }
            let table = part.destination.name
            for name in unused.sorted() {
                guard migration.isDeferred else {
                    steps.append(
                        SQLMigrationStep(
                            .dropColumn(name, table: table),
                            "ALTER TABLE \(self.table(table)) DROP COLUMN \(identifier(name))"))
                    continue
                }
                var step = recordUnused(column: name, table: table)
                // Older programs read the rows that programs with the new model insert without the column.
                if isCompatible, let constant = try defaultConstant(of: name, in: source, migration) {
                    let change = "ALTER TABLE \(self.table(table)) ALTER COLUMN \(identifier(name))"
                    let statement = SQLStatement(text: "\(change) SET DEFAULT \(constant)", bindings: [])
                    step = SQLMigrationStep(step.action, step.statements + [statement])
                }
                steps.append(step)
            }
        }
        guard migration.isDeferred else { return steps }
        return steps + unusedTables(migration).map { recordUnused(column: nil, table: $0) }
    }

    /// The default value of the attribute of a column, as the text of a constant; nil if there is none.
    private func defaultConstant(of column: String, in table: SQLTable, _ migration: SQLLightweightMigration) throws
        -> String?
    {
        for entity in table.entities {
            for property in entity.properties.values {
                let attributes: [SQLAttribute] =
                    switch property {
                    case .attribute(let attribute): [attribute]
                    case .composite(let composite): composite.attributes
                    case .toOne, .toMany: []
                    }
                guard let attribute = attributes.first(where: { $0.column.name == column }) else { continue }
                // Objects can't be saved with a value that no column can have.
                guard let value = try? migration.columns.defaultValue(of: attribute, entity) else { return nil }
                return try constant(value) + "::" + PostgreSQLType(attribute.column.kind).name
            }
        }
        return nil
    }

    /// Records that a column, or a table if it is nil, stays only for programs with the older model.
    private func recordUnused(column: String?, table: String) -> SQLMigrationStep {
        let insertion: SQLFragment = """
            INSERT INTO \(self.table("z_unused")) (z_table, z_column) VALUES \
            (\(value: .text(table)), \(value: .text(column ?? ""))) ON CONFLICT DO NOTHING
            """
        return SQLMigrationStep(.leave(column: column, table: table), [insertion.statement(postgreSQL)])
    }

    // MARK: Indexes and triggers

    func dropIndexesAndTriggers(_ migration: SQLLightweightMigration) throws -> [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        let kept = Set(keptFunctions(migration).map(\.name))
        for function in definition(migration.source).triggerFunctions where !kept.contains(function.name) {
            steps.append(
                SQLMigrationStep(
                    .dropTrigger(function.name),
                    function.dropStatements.map { SQLStatement(text: $0, bindings: []) }))
        }
        let wanted = try indexes(migration.destination)
        for index in try indexes(migration.source).subtracting(wanted).sorted(by: { $0.name < $1.name }) {
            steps.append(
                SQLMigrationStep(
                    .dropIndex(index.name), "DROP INDEX IF EXISTS \(postgreSQL.schemaText).\(index.name)"))
        }
        return steps
    }

    private func indexes(_ schema: SQLSchema) throws -> Set<PostgreSQLIndex> {
        let definition = definition(schema)
        return Set(try schema.tables.flatMap { try definition.indexes(of: $0) })
    }

    /// The functions of both schemas whose tables stay.
    private func keptFunctions(_ migration: SQLLightweightMigration) -> Set<PostgreSQLTriggerFunction> {
        let kept = migration.keptNames
        return Set(definition(migration.source).triggerFunctions)
            .intersection(definition(migration.destination).triggerFunctions)
            .filter { $0.tables.isSubset(of: kept) }
    }

    func createIndexesAndTriggers(_ migration: SQLLightweightMigration) throws -> [SQLMigrationStep] {
        let definition = definition(migration.destination)
        let keptNames = migration.keptNames
        let present = try indexes(migration.source)
        var steps: [SQLMigrationStep] = []
        for table in migration.destination.tables {
            for index in try definition.indexes(of: table)
            where !(keptNames.contains(index.table) && present.contains(index)) {
                steps.append(SQLMigrationStep(.createIndex(table: table), index.statement))
            }
        }
        let kept = keptFunctions(migration)
        for function in definition.triggerFunctions {
            // An earlier version of this module may have written the text of a function that stays.
            let statements = kept.contains(function) ? [function.definition] : function.statements
            steps += statements.map { SQLMigrationStep(.createTrigger(table: nil), $0) }
        }
        return isCompatible ? steps + CompatibilityTriggers(migration, postgreSQL).steps : steps
    }

    // MARK: Keys

    func recordEntities(_ migration: SQLLightweightMigration, highestKeys: [Int: Int64]) -> [SQLMigrationStep] {
        let names = Set(migration.destination.tables.map(\.name))
        let unused = migration.isDeferred ? Set(unusedTables(migration)) : []
        var statements: [SQLFragment] = []
        for table in migration.source.tables where !names.contains(table.name) && !unused.contains(table.name) {
            statements.append("DROP SEQUENCE \(sequence(table.name))")
        }
        for part in migration.tables {
            let name = sequence(part.destination.name)
            if migration.source.tables.contains(where: { $0.name == part.destination.name }) {
                if part.source?.name == part.destination.name { continue }
            } else {
                statements.append("CREATE SEQUENCE \(name) AS bigint")
            }
            // A sequence must not give the keys of the renamed table, or of the table's other entities, again.
            let highest = part.source.flatMap { highestKeys[$0.root.number] } ?? 0
            statements.append(
                """
                SELECT setval(\(value: .text(name))::text::regclass, \(value: .integer(max(highest, 1))), \
                \(number: highest > 0 ? 1 : 0)::integer = 1)
                """)
        }
        let destination = migration.destination
        if !isCompatible { statements.append(PostgreSQLCatalog.removeEntities(except: destination, postgreSQL)) }
        statements += catalog.statements(for: destination, postgreSQL) { migration.formerName(of: $1, in: $0) }
        return [SQLMigrationStep(.recordEntities, statements.map { $0.statement(postgreSQL) })]
    }

    private func sequence(_ table: String) -> String { self.table(PostgreSQLDefinition.sequence(table)) }
}
