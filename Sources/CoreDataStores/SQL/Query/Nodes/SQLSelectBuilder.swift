// SPDX-License-Identifier: Apache-2.0

/// Builds a select. Key paths add joins when they need them, also from inner selects.
final class SQLSelectBuilder {
    let aliases: SQLAliases
    private var source: SQLSelect.Source?
    private var joins: [SQLTableJoin] = []
    private var conditions: [SQLCondition] = []

    init(aliases: SQLAliases) {
        self.aliases = aliases
    }

    /// Adds a table by an inner join; the first table is the source.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - condition: the condition of the join, for the table's alias.
    /// - Returns: the table's alias.
    func add(_ table: String, where condition: (String) -> SQLCondition) -> String {
        let alias = aliases.next()
        if source == nil {
            source = .table(table, alias: alias)
            filter(condition(alias))
        } else {
            joins.append(SQLTableJoin(kind: .inner, table: table, alias: alias, condition: condition(alias)))
        }
        return alias
    }

    /// Adds a table by an outer join.
    func addOptional(_ table: String, where condition: (String) -> SQLCondition) -> String {
        let alias = aliases.next()
        joins.append(SQLTableJoin(kind: .leftOuter, table: table, alias: alias, condition: condition(alias)))
        return alias
    }

    /// Adds a condition to the WHERE clause.
    func filter(_ condition: SQLCondition) {
        conditions.append(condition)
    }

    /// The select as built so far. Later joins and conditions are not part of it.
    func select(_ columns: [SQLExpression] = []) -> SQLSelect {
        guard let source else { preconditionFailure("A select needs a table; add one first.") }
        var select = SQLSelect(source: source)
        select.columns = columns
        select.condition = .conjunction(conditions)
        select.joins = Self.withInnerJoins(joins, select.condition)
        return select
    }

    /// Turns outer joins into inner joins where the condition can't hold without a row of the joined table.
    ///
    /// The engine may then begin with that table.
    private static func withInnerJoins(_ joins: [SQLTableJoin], _ condition: SQLCondition) -> [SQLTableJoin] {
        guard joins.contains(where: { $0.kind == .leftOuter }) else { return joins }
        var required = condition.requiredAliases
        return joins.reversed().map { join in
            guard join.kind == .leftOuter, required.contains(join.alias) else { return join }
            required.formUnion(join.condition.requiredAliases)
            return SQLTableJoin(kind: .inner, table: join.table, alias: join.alias, condition: join.condition)
        }.reversed()
    }
}

/// Makes the aliases of one statement: t0, t1, and so on.
final class SQLAliases {
    private var count = 0

    func next() -> String {
        defer { count += 1 }
        return "t\(count)"
    }
}
