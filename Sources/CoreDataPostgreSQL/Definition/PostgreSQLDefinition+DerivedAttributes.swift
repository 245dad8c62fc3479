// SPDX-License-Identifier: Apache-2.0

/// Triggers that maintain attributes derived over relationships.
///
/// Each trigger runs once for a statement, whatever the number of rows, and computes the values of all owners that the
/// statement has affected. It tells the connection the rows whose values have changed by a message
/// (``PostgreSQLDerivedRows``). The versions of the rows stay the same: they count the saves of the objects.
///
/// A trigger first locks the rows that it writes and the rows whose values it reads. Then another statement computes
/// the values. Each statement of a function takes a new snapshot, so the computing statement sees all changes that the
/// former holders of the locks have committed. A single statement that waits for a row would read the other rows as
/// they were when the statement began.
extension PostgreSQLDefinition {
    /// The functions of all derived attributes.
    var triggerFunctions: [PostgreSQLTriggerFunction] { schema.entities.flatMap(triggerFunctions) }

    private func triggerFunctions(of entity: SQLEntity) -> [PostgreSQLTriggerFunction] {
        entity.declaredAttributes.flatMap { attribute -> [PostgreSQLTriggerFunction] in
            guard let derivation = attribute.derivation, derivation.isMaintainedByTriggers else { return [] }
            return DerivedTriggers(entity: entity, attribute: attribute, self).functions(derivation)
        }
    }
}

/// A function of triggers, and the triggers that call it.
struct PostgreSQLTriggerFunction: Hashable {
    /// The name as it stands in statements, with the name of the schema.
    let name: String
    /// The tables that the triggers belong to or that the function writes.
    let tables: Set<String>
    /// The statement that creates the function, or writes it again. Triggers that call it stay.
    let definition: String
    /// A trigger that calls the function.
    struct Trigger: Hashable {
        /// The name with the table, as it stands in statements.
        let place: String
        let statement: String
    }
    let triggers: [Trigger]

    /// The statements that create the function and its triggers.
    var statements: [String] { [definition] + triggers.map(\.statement) }

    /// The statements that drop the triggers and the function. Triggers of other programs that call it keep it.
    var dropStatements: [String] {
        triggers.map { "DROP TRIGGER IF EXISTS \($0.place)" } + ["DROP FUNCTION IF EXISTS \(name)()"]
    }
}

/// The triggers of one derived attribute. `s` is the table with the attribute, `r` the related one.
private struct DerivedTriggers {
    private let entity: SQLEntity
    private let name: String
    private let source: String
    private let attribute: String
    private let definition: PostgreSQLDefinition
    private var dialect: PostgreSQLDialect { definition.dialect }

    init(entity: SQLEntity, attribute: SQLAttribute, _ definition: PostgreSQLDefinition) {
        self.entity = entity
        self.definition = definition
        name = PostgreSQLName.shortened("z_da_\(entity.name)_\(attribute.description.name)")
        source = entity.tableName
        self.attribute = SQLGenerator.identifier(attribute.column.name)
    }

    /// A table whose changes affect the attribute, and the owners that its rows affect.
    private struct Observed {
        let table: String
        let columns: [String]
        var hasPrimaryKey = true
        /// The column of the rows whose values identify the owners.
        let key: String
        /// The owners that the array of these values identifies, as a condition on the row `s`.
        let owners: String
        /// Other rows whose values the owners get through new rows.
        var related: Related?
        /// Whether the table is the one with the attribute.
        var isSource = false

        var hasUpdates: Bool { !isSource || !columns.isEmpty }
    }

    /// Rows to lock, so that their values stay the same while owners get them.
    private struct Related {
        let table: String
        /// A select of their keys, which uses the array of the owners' keys.
        let keys: String
    }

    /// The names of the arrays.
    private static let keys = "affected_keys"
    private static let relatedKeys = "related_keys"
    private static let isAffected = "s.z_pk = ANY(\(keys))"

    func functions(_ derivation: SQLDerivation) -> [PostgreSQLTriggerFunction] {
        guard let value = derivation.value(table: dialect.table) else { return [] }
        let column = SQLGenerator.identifier
        var observed = [Observed(table: source, columns: [], key: "z_pk", owners: Self.isAffected, isSource: true)]
        switch derivation {
        case .count(let relationship): observed += observedMembers(relationship, value: nil)
        case .sum(let relationship, let summed): observed += observedMembers(relationship, value: summed)
        case .key(let relationship, let related):
            let foreignKey = column(relationship.column.name)
            let table = relationship.destination.tableName
            observed[0] = Observed(
                table: source, columns: [relationship.column.name], key: "z_pk", owners: Self.isAffected,
                related: Related(
                    table: table,
                    keys: """
                        SELECT DISTINCT s.\(foreignKey) FROM \(dialect.table(source)) s \
                        WHERE \(Self.isAffected) AND \(isOfEntity)
                        """),
                isSource: true)
            observed.append(
                Observed(
                    table: table, columns: [related.name], key: "z_pk",
                    owners: "s.\(foreignKey) = ANY(\(Self.keys))"))
        case .computedOnSave: return []
        }
        return observed.enumerated().map { index, observed in
            function(observed, value: value, suffix: "\(index)")
        }
    }

    /// Whether the row `s` has the attribute.
    private var isOfEntity: String { "s.z_ent IN (\(entity.numbers.map(String.init).joined(separator: ", ")))" }

    private func observedMembers(_ relationship: SQLToMany, value: SQLColumn?) -> [Observed] {
        let column = SQLGenerator.identifier
        switch relationship.storage {
        case .foreignKey(let key):
            return [
                Observed(
                    table: relationship.destination.tableName,
                    columns: [key.column.name] + (value.map { [$0.name] } ?? []), key: column(key.column.name),
                    owners: Self.isAffected)
            ]
        case .join(let join):
            var observed = [
                Observed(
                    table: join.table.name, columns: [join.ownerColumn], hasPrimaryKey: false,
                    key: column(join.ownerColumn), owners: Self.isAffected)
            ]
            if let value {
                let table = relationship.destination.tableName
                observed[0].related = Related(
                    table: table, keys: "SELECT DISTINCT \(column(join.contentColumn)) FROM new_rows")
                observed.append(
                    Observed(
                        table: table, columns: [value.name], key: "z_pk",
                        owners: """
                            s.z_pk IN (SELECT j.\(column(join.ownerColumn)) FROM \(dialect.table(join.table.name)) j \
                            WHERE j.\(column(join.contentColumn)) = ANY(\(Self.keys)))
                            """))
            }
            return observed
        }
    }

    /// A trigger function, and the triggers that call it.
    private func function(_ observed: Observed, value: String, suffix: String) -> PostgreSQLTriggerFunction {
        let function =
            "\(dialect.schemaText).\(PostgreSQLDialect.quoted(PostgreSQLName.shortened("\(name)_\(suffix)")))"
        // A trigger with transition tables has one event.
        var events = [("INSERT", "NEW TABLE AS new_rows")]
        if observed.hasUpdates { events.append(("UPDATE", "OLD TABLE AS old_rows NEW TABLE AS new_rows")) }
        if !observed.isSource { events.append(("DELETE", "OLD TABLE AS old_rows")) }
        let table = dialect.table(observed.table)
        let triggers = events.map { event, tables in
            let trigger = PostgreSQLDialect.quoted(PostgreSQLName.shortened("\(name)_\(suffix)_\(event)"))
            return PostgreSQLTriggerFunction.Trigger(
                place: "\(trigger) ON \(table)",
                statement: """
                    CREATE TRIGGER \(trigger) AFTER \(event) ON \(table) REFERENCING \(tables) \
                    FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
                    """)
        }
        return PostgreSQLTriggerFunction(
            name: function, tables: [observed.table, source], definition: text(of: function, observed, value: value),
            triggers: triggers)
    }

    private func text(of function: String, _ observed: Observed, value: String) -> String {
        // The server keeps the plans that it makes for the first rows, which may be few. Without an index it would then
        // compare each row of a table with each key.
        """
        CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql \
        SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $function$
        DECLARE
            \(Self.keys) bigint[];
            \(observed.related == nil ? "" : "\(Self.relatedKeys) bigint[];")
            changed_rows text;
        BEGIN
            \(collecting(observed))
            END IF;
            -- A statement that changes no row runs its triggers too: they end here, also when they call themselves.
            IF cardinality(\(Self.keys)) > 0 THEN
                \(locks(observed))
                WITH changed AS (
                    UPDATE \(dialect.table(source)) s SET \(attribute) = \(value)
                    WHERE \(observed.owners) AND \(isOfEntity)
                    AND s.\(attribute) IS DISTINCT FROM \(value)
                    RETURNING s.z_ent AS entity, s.z_pk AS key)
                SELECT string_agg(entity || ':' || key, ',') INTO changed_rows FROM changed;
                IF changed_rows IS NOT NULL THEN
                    RAISE INFO USING MESSAGE = '\(PostgreSQLDerivedRows.prefix)' || changed_rows;
                END IF;
            END IF;
            RETURN NULL;
        END
        $function$
        """
    }

    /// The branches for the events, which collect the keys of the affected owners.
    private func collecting(_ observed: Observed) -> String {
        // A separate statement reads the keys: a cluster can't join a table with the transition tables of a trigger.
        func assign(_ name: String, _ rows: String) -> String { "\(name) := array_remove(ARRAY(\(rows)), NULL);" }
        func collectNew(_ rows: String) -> String {
            assign(Self.keys, rows) + (observed.related.map { "\n" + assign(Self.relatedKeys, $0.keys) } ?? "")
        }
        func keys(_ rows: String) -> String {
            "SELECT \(observed.key == "z_pk" ? "" : "DISTINCT ")\(observed.key) FROM \(rows)"
        }
        var branches = """
            IF TG_OP = 'INSERT' THEN
                \(collectNew(keys("new_rows")))
            """
        if !observed.isSource {
            branches += """

                ELSIF TG_OP = 'DELETE' THEN
                    \(assign(Self.keys, keys("old_rows")))
                """
        }
        if observed.hasUpdates { branches += "\nELSE\n" + collectNew(changedKeys(observed)) }
        return branches
    }

    /// The statements that lock rows before the values are computed. The order of the keys keeps two of them from
    /// waiting for each other. Rows of the statement itself are locked already.
    ///
    /// Related rows have the lock of writers, since a transaction often writes them next: two that had locked them for
    /// readers would then wait for each other.
    private func locks(_ observed: Observed) -> String {
        func lock(_ table: String, _ alias: String, _ condition: String) -> String {
            """
            PERFORM 1 FROM \(dialect.table(table)) \(alias) WHERE \(condition) \
            ORDER BY \(alias).z_pk FOR NO KEY UPDATE;
            """
        }
        var locks = observed.related.map { [lock($0.table, "r", "r.z_pk = ANY(\(Self.relatedKeys))")] } ?? []
        if !observed.isSource { locks.append(lock(source, "s", "\(observed.owners) AND \(isOfEntity)")) }
        return locks.joined(separator: "\n")
    }

    /// Selects the keys of an update: the rows whose observed columns have changed affect their former and their new
    /// owners.
    private func changedKeys(_ observed: Observed) -> String {
        // A row of a join table has no key: all its updates count.
        guard observed.hasPrimaryKey, !observed.columns.isEmpty else {
            return "SELECT \(observed.key) FROM old_rows UNION SELECT \(observed.key) FROM new_rows"
        }
        let columns = (["z_pk"] + observed.columns.map(SQLGenerator.identifier)).joined(separator: ", ")
        // Not a join: the server keeps the plan that it makes for the first rows, which may be few.
        func changed(_ rows: String, from other: String) -> String {
            "SELECT \(observed.key) FROM (SELECT \(columns) FROM \(rows) EXCEPT SELECT \(columns) FROM \(other)) x"
        }
        let new = changed("new_rows", from: "old_rows")
        return observed.key == "z_pk" ? new : "\(changed("old_rows", from: "new_rows")) UNION \(new)"
    }
}

/// The message by which triggers report the rows with changed derived values.
enum PostgreSQLDerivedRows {
    static let prefix = "z_derived "

    /// The entity numbers and keys in a message; nil for another message.
    static func rows(in message: String) -> [(entity: Int64, key: Int64)]? {
        guard message.hasPrefix(prefix) else { return nil }
        return message.dropFirst(prefix.count).split(separator: ",").compactMap { pair in
            let parts = pair.split(separator: ":")
            guard parts.count == 2, let entity = Int64(parts[0]), let key = Int64(parts[1]) else { return nil }
            return (entity, key)
        }
    }
}
