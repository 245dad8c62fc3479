// SPDX-License-Identifier: Apache-2.0

/// Triggers that maintain relationships which the deleting program doesn't know. A program with an older model doesn't
/// know the relationships of the new model, and a program with the new model doesn't know the relationships that are
/// left for older models. The triggers remove the references to the deleted objects.
struct CompatibilityTriggers {
    private static let prefix = "z_nd_"

    private let migration: SQLLightweightMigration
    private let dialect: PostgreSQLDialect

    init(_ migration: SQLLightweightMigration, _ dialect: PostgreSQLDialect) {
        self.migration = migration
        self.dialect = dialect
    }

    /// The steps that remove the triggers of all migrations with their functions. A trigger has the name of its
    /// function. A trigger with another name that calls the function belongs to another program, and stays.
    static func removal(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws -> [SQLMigrationStep] {
        try connection.execute(
            """
            SELECT p.oid::regprocedure::text, quote_ident(t.tgname) || ' ON ' || t.tgrelid::regclass::text \
            FROM pg_proc p LEFT JOIN pg_trigger t ON t.tgfoid = p.oid AND t.tgname = p.proname AND NOT t.tgisinternal \
            AND t.tgrelid IN (SELECT c.oid FROM pg_class c WHERE c.relnamespace = p.pronamespace) \
            WHERE p.pronamespace = to_regnamespace($1) AND starts_with(p.proname, '\(prefix)') ORDER BY 1
            """, PostgreSQLParameters([.text(dialect.schemaText)])
        ).map { row in
            let function = row.text(0)
            let texts = (row.isNull(1) ? [] : ["DROP TRIGGER \(row.text(1))"]) + ["DROP FUNCTION \(function)"]
            return SQLMigrationStep(.dropTrigger(function), texts.map { SQLStatement(text: $0, bindings: []) })
        }
    }

    /// The steps that create the triggers.
    var steps: [SQLMigrationStep] {
        steps(for: migration.destination, unknownIn: migration.source)
            + steps(for: migration.source, unknownIn: migration.destination)
    }

    /// The steps for the relationships of one schema that the other schema doesn't have.
    private func steps(for schema: SQLSchema, unknownIn other: SQLSchema) -> [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        /// Adds a trigger to a table from which programs with the other model can delete rows.
        func add(_ statement: String, named name: String, at table: SQLTable) {
            guard other.tables.contains(where: { $0.name == table.name }) else { return }
            steps.append(step(statement, named: name, at: table.name))
        }
        func clear(_ columns: [SQLColumn], in table: SQLTable, at deleted: SQLTable) {
            let names = columns.map { SQLGenerator.identifier($0.name) }
            add(
                """
                UPDATE \(dialect.table(table.name)) SET \(names.map { "\($0) = NULL" }.joined(separator: ", ")) \
                WHERE \(names[0]) = ANY(deleted_keys);
                """, named: "\(table.name)_\(columns[0].name)", at: deleted)
        }
        for entity in schema.entities {
            for (name, property) in entity.properties.sortedBytewise(by: { $0.key })
            where entity.superentity?.properties[name] == nil && !isShared(name, of: entity) {
                if case .toOne(let relationship) = property {
                    let columns = [relationship.column, relationship.entityColumn, relationship.orderColumn]
                    clear(columns.compactMap { $0 }, in: entity.table, at: relationship.destination.table)
                } else if case .toMany(let relationship) = property,
                    case .foreignKey(let key) = relationship.storage, key.isWithoutInverse
                {
                    clear(key.columns, in: relationship.destination.table, at: entity.table)
                }
            }
        }
        for join in schema.joinTables where !other.joinTables.contains(where: { $0.name == join.name }) {
            for (column, table) in [
                (join.ownerColumn, join.owner.table), (join.destinationColumn, join.destination.table),
            ] {
                let rows = dialect.table(join.name)
                add(
                    "DELETE FROM \(rows) WHERE \(SQLGenerator.identifier(column)) = ANY(deleted_keys);",
                    named: "\(join.name)_\(column)", at: table)
            }
        }
        return steps
    }

    /// Whether both models have a property. A migration with which older programs go on renames nothing.
    private func isShared(_ name: String, of entity: SQLEntity) -> Bool {
        guard let new = migration.destination.entitiesByName[entity.name] else { return false }
        return migration.formerName(of: name, in: new) == name
    }

    private func step(_ statement: String, named name: String, at table: String) -> SQLMigrationStep {
        let text = PostgreSQLDialect.quoted(PostgreSQLName.shortened(Self.prefix + name))
        let function = "\(dialect.schemaText).\(text)"
        // If a later migration leaves a relationship for older programs, the migration that added it has made the
        // trigger already.
        return SQLMigrationStep(
            .createTrigger(table: table),
            [
                """
                CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql \
                SET plan_cache_mode = force_generic_plan AS $function$
                DECLARE
                    deleted_keys bigint[];
                BEGIN
                    deleted_keys := ARRAY(SELECT z_pk FROM old_rows);
                    \(statement)
                    RETURN NULL;
                END
                $function$
                """,
                """
                CREATE OR REPLACE TRIGGER \(text) AFTER DELETE ON \(dialect.table(table)) \
                REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
                """,
            ].map { SQLStatement(text: $0, bindings: []) })
    }
}
