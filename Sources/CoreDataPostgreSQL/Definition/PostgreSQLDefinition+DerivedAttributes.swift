/// Triggers that maintain attributes derived over relationships.
///
/// Each trigger runs once for a statement, whatever the number of rows, and computes the values of all owners that the
/// statement has affected. It tells the connection the rows whose values have changed by a message
/// (``PostgreSQLDerivedRows``). The versions of the rows stay the same: they count the saves of the objects.
extension PostgreSQLDefinition {
    /// The functions of all derived attributes.
    var triggerFunctions: [PostgreSQLTriggerFunction] { schema.entities.flatMap(triggerFunctions) }

    private func triggerFunctions(of entity: SQLEntity) -> [PostgreSQLTriggerFunction] {
        entity.declaredAttributes.flatMap { attribute -> [PostgreSQLTriggerFunction] in
            guard let derivation = attribute.derivation, derivation.isMaintainedByTriggers else { return [] }
            return DerivedTriggers(entity: entity, attribute: attribute, self).functions(derivation)
        }
    }

    /// The value of a derived attribute that triggers maintain, for the row `s`; nil for other attributes.
    func derivedValue(_ derivation: SQLDerivation) -> String? {
        let column = SQLGenerator.identifier
        switch derivation {
        case .count(let relationship):
            return "(SELECT COUNT(*) FROM \(members(of: relationship, owner: "s.z_pk")))"
        case .sum(let relationship, let summed):
            let members = members(of: relationship, owner: "s.z_pk")
            return "(SELECT COALESCE(SUM(r.\(column(summed.name))), 0) FROM \(members))"
        case .key(let relationship, let related):
            let table = dialect.table(relationship.destination.tableName)
            let key = column(relationship.column.name)
            return "(SELECT r.\(column(related.name)) FROM \(table) r WHERE r.z_pk = s.\(key))"
        case .computedOnSave:
            return nil
        }
    }

    /// The source of a select of the members of an owner, with the alias `r`.
    private func members(of relationship: SQLToMany, owner: String) -> String {
        let table = dialect.table(relationship.destination.tableName)
        let column = SQLGenerator.identifier
        switch relationship.storage {
        case .foreignKey(let key):
            return "\(table) r WHERE r.\(column(key.column.name)) = \(owner)"
        case .join(let join):
            return """
                \(table) r JOIN \(dialect.table(join.table.name)) j ON j.\(column(join.contentColumn)) = r.z_pk \
                WHERE j.\(column(join.ownerColumn)) = \(owner)
                """
        }
    }
}

/// A function of triggers, and the triggers that call it.
struct PostgreSQLTriggerFunction: Hashable {
    /// The name as it stands in statements, with that of the schema.
    let name: String
    /// The tables that the triggers belong to or that the function writes.
    let tables: Set<String>
    /// The statements that create the function and its triggers.
    let statements: [String]
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

    /// A table whose changes affect the attribute, and the select of the owners that rows of a transition table affect.
    private struct Observed {
        let table: String
        let columns: [String]
        var hasPrimaryKey = true
        /// - Parameter rows: the name of the transition table.
        let owners: (_ rows: String) -> String
    }

    func functions(_ derivation: SQLDerivation) -> [PostgreSQLTriggerFunction] {
        guard let value = definition.derivedValue(derivation) else { return [] }
        let column = SQLGenerator.identifier
        var observed = [Observed(table: source, columns: []) { "SELECT z_pk AS k FROM \($0)" }]
        switch derivation {
        case .count(let relationship): observed += observedMembers(relationship, value: nil)
        case .sum(let relationship, let summed): observed += observedMembers(relationship, value: summed)
        case .key(let relationship, let related):
            let foreignKey = column(relationship.column.name)
            observed[0] = Observed(table: source, columns: [relationship.column.name]) { "SELECT z_pk AS k FROM \($0)" }
            observed.append(
                Observed(table: relationship.destination.tableName, columns: [related.name]) { rows in
                    """
                    SELECT s.z_pk AS k FROM \(dialect.table(source)) s \
                    WHERE s.\(foreignKey) IN (SELECT z_pk FROM \(rows))
                    """
                })
        case .computedOnSave: return []
        }
        return observed.enumerated().map { index, observed in
            function(observed, value: value, suffix: "\(index)", isSource: index == 0)
        }
    }

    private func observedMembers(_ relationship: SQLToMany, value: SQLColumn?) -> [Observed] {
        let column = SQLGenerator.identifier
        switch relationship.storage {
        case .foreignKey(let key):
            return [
                Observed(
                    table: relationship.destination.tableName,
                    columns: [key.column.name] + (value.map { [$0.name] } ?? [])
                ) { "SELECT \(column(key.column.name)) AS k FROM \($0)" }
            ]
        case .join(let join):
            var observed = [
                Observed(table: join.table.name, columns: [join.ownerColumn], hasPrimaryKey: false) {
                    "SELECT \(column(join.ownerColumn)) AS k FROM \($0)"
                }
            ]
            if let value {
                observed.append(
                    Observed(table: relationship.destination.tableName, columns: [value.name]) { rows in
                        """
                        SELECT j.\(column(join.ownerColumn)) AS k FROM \(dialect.table(join.table.name)) j \
                        WHERE j.\(column(join.contentColumn)) IN (SELECT z_pk FROM \(rows))
                        """
                    })
            }
            return observed
        }
    }

    /// A trigger function, and the triggers that call it. A trigger with transition tables has one event.
    private func function(
        _ observed: Observed, value: String, suffix: String, isSource: Bool
    ) -> PostgreSQLTriggerFunction {
        let hasUpdates = !isSource || !observed.columns.isEmpty
        let function =
            "\(dialect.schemaText).\(PostgreSQLDialect.quoted(PostgreSQLName.shortened("\(name)_\(suffix)")))"
        let numbers = entity.numbers.map(String.init).joined(separator: ", ")
        // A statement that changes no row runs its triggers too: they end here, also when they call themselves.
        func update(_ affected: String, if rows: String) -> String {
            """
            IF EXISTS (SELECT FROM \(rows)) THEN
                WITH affected AS (\(affected)), changed AS (
                    UPDATE \(dialect.table(source)) s SET \(attribute) = \(value)
                    WHERE s.z_pk IN (SELECT k FROM affected) AND s.z_ent IN (\(numbers))
                    AND s.\(attribute) IS DISTINCT FROM \(value)
                    RETURNING s.z_ent AS entity, s.z_pk AS key)
                SELECT string_agg(entity || ':' || key, ',') INTO changed_rows FROM changed;
            END IF;
            """
        }
        var branches = """
            IF TG_OP = 'INSERT' THEN
                \(update(observed.owners("new_rows"), if: "new_rows"))
            """
        if !isSource {
            branches += """

                ELSIF TG_OP = 'DELETE' THEN
                    \(update(observed.owners("old_rows"), if: "old_rows"))
                """
        }
        if hasUpdates { branches += "\nELSE\n" + updateBranch(observed, update) }
        var statements = [
            """
            CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $function$
            DECLARE
                changed_rows text;
            BEGIN
                \(branches)
                END IF;
                IF changed_rows IS NOT NULL THEN
                    RAISE INFO USING MESSAGE = '\(PostgreSQLDerivedRows.prefix)' || changed_rows;
                END IF;
                RETURN NULL;
            END
            $function$
            """
        ]
        func addTrigger(_ event: String, _ tables: String) {
            let trigger = PostgreSQLDialect.quoted(PostgreSQLName.shortened("\(name)_\(suffix)_\(event)"))
            statements.append(
                """
                CREATE TRIGGER \(trigger) AFTER \(event) ON \(dialect.table(observed.table)) REFERENCING \(tables) \
                FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
                """)
        }
        addTrigger("INSERT", "NEW TABLE AS new_rows")
        if hasUpdates { addTrigger("UPDATE", "OLD TABLE AS old_rows NEW TABLE AS new_rows") }
        if !isSource { addTrigger("DELETE", "OLD TABLE AS old_rows") }
        return PostgreSQLTriggerFunction(name: function, tables: [observed.table, source], statements: statements)
    }

    /// The rows of an update whose observed columns have changed affect their former and their new owners.
    private func updateBranch(_ observed: Observed, _ update: (String, String) -> String) -> String {
        // A row of a join table has no key: all its updates count.
        guard observed.hasPrimaryKey, !observed.columns.isEmpty else {
            return update("\(observed.owners("old_rows")) UNION \(observed.owners("new_rows"))", "new_rows")
        }
        let differs = observed.columns.map(SQLGenerator.identifier).map { "o.\($0) IS DISTINCT FROM n.\($0)" }
            .joined(separator: " OR ")
        func changed(_ row: String) -> String {
            "(SELECT \(row).* FROM old_rows o JOIN new_rows n ON o.z_pk = n.z_pk WHERE \(differs)) x"
        }
        let owners = "\(observed.owners(changed("o"))) UNION \(observed.owners(changed("n")))"
        return update(owners, "old_rows o JOIN new_rows n ON o.z_pk = n.z_pk WHERE \(differs)")
    }
}

/// The message by which triggers tell which rows have got other derived values.
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
