// SPDX-License-Identifier: Apache-2.0

/// Triggers that keep the relationships of a new model whole while programs with an older one delete objects: those
/// don't know the relationships, so the references to what they delete are removed here.
struct CompatibilityTriggers {
    private static let prefix = "z_nd_"

    private let migration: SQLLightweightMigration
    private let dialect: PostgreSQLDialect

    init(_ migration: SQLLightweightMigration, _ dialect: PostgreSQLDialect) {
        self.migration = migration
        self.dialect = dialect
    }

    /// The trigger functions of all migrations, as they stand in statements.
    static func functions(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws -> [String] {
        try connection.execute(
            """
            SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = to_regnamespace($1) \
            AND starts_with(p.proname, '\(prefix)')
            """, PostgreSQLParameters([.text(dialect.schemaText)])
        ).map { $0.text(0) }
    }

    /// Removes a trigger function with its trigger.
    static func drop(_ function: String) -> SQLMigrationStep {
        SQLMigrationStep(.dropTrigger(function), "DROP FUNCTION \(function) CASCADE")
    }

    /// The steps that create the triggers for the relationships that are new.
    var steps: [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for entity in migration.destination.entities {
            for (name, property) in entity.properties.sortedBytewise(by: { $0.key }) {
                guard case .toOne(let relationship) = property, entity.superentity?.toOne(name) == nil,
                    isNew(name, of: entity)
                else { continue }
                let columns = [relationship.column, relationship.entityColumn, relationship.orderColumn]
                steps += clear(columns.compactMap { $0 }, in: entity.table, at: relationship.destination.table)
            }
        }
        for (key, relationship, source) in migration.columns.keysWithoutInverse where source == nil {
            guard let owner = migration.destination.entity(for: relationship.description.entity) else { continue }
            steps += clear(key.columns, in: relationship.destination.table, at: owner.table)
        }
        for join in migration.destination.joinTables where !migration.isKept(join) {
            for (column, table) in [
                (join.ownerColumn, join.owner.table), (join.destinationColumn, join.destination.table),
            ] {
                let rows = dialect.table(join.name)
                steps += add(
                    "DELETE FROM \(rows) WHERE \(SQLGenerator.identifier(column)) = ANY(deleted_keys);",
                    named: "\(join.name)_\(column)", at: table)
            }
        }
        return steps
    }

    private func isNew(_ name: String, of entity: SQLEntity) -> Bool {
        migration.columns.mapping.entities[entity.name]?.relationships[name] == nil
    }

    private func clear(_ columns: [SQLColumn], in table: SQLTable, at deleted: SQLTable) -> [SQLMigrationStep] {
        let names = columns.map { SQLGenerator.identifier($0.name) }
        return add(
            """
            UPDATE \(dialect.table(table.name)) SET \(names.map { "\($0) = NULL" }.joined(separator: ", ")) \
            WHERE \(names[0]) = ANY(deleted_keys);
            """, named: "\(table.name)_\(columns[0].name)", at: deleted)
    }

    /// Adds a trigger to a table whose rows older programs can delete.
    private func add(_ statement: String, named name: String, at table: SQLTable) -> [SQLMigrationStep] {
        guard migration.source.tables.contains(where: { $0.name == table.name }) else { return [] }
        let text = PostgreSQLDialect.quoted(PostgreSQLName.shortened(Self.prefix + name))
        let function = "\(dialect.schemaText).\(text)"
        return [
            SQLMigrationStep(
                .createTrigger(table: table.name),
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
                    CREATE TRIGGER \(text) AFTER DELETE ON \(dialect.table(table.name)) \
                    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
                    """,
                ].map { SQLStatement(text: $0, bindings: []) })
        ]
    }
}
