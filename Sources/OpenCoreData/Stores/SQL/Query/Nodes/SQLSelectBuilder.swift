/// A select in the making. Key paths add tables to it as they need them, also from selects inside it.
final class SQLSelectBuilder {
    let aliases: SQLAliases
    private var source: SQLSelect.Source?
    private var joins: [SQLTableJoin] = []
    private var conditions: [SQLCondition] = []

    init(aliases: SQLAliases) {
        self.aliases = aliases
    }

    /// Adds a table whose rows must fulfil the condition.
    ///
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

    /// Adds a table of which there may be no row.
    func addOptional(_ table: String, where condition: (String) -> SQLCondition) -> String {
        let alias = aliases.next()
        joins.append(SQLTableJoin(kind: .leftOuter, table: table, alias: alias, condition: condition(alias)))
        return alias
    }

    func filter(_ condition: SQLCondition) {
        conditions.append(condition)
    }

    /// The select as it is now; ask when everything is translated.
    func select(_ columns: [SQLExpression] = []) -> SQLSelect {
        guard let source else { preconditionFailure("A select needs a table; add one before asking for it.") }
        var select = SQLSelect(source: source)
        select.columns = columns
        select.condition = .conjunction(conditions)
        select.joins = Self.tightened(joins, select.condition)
        return select
    }

    /// Joins that keep rows without an object keep none where the condition needs one of its values. Said outright, the
    /// engine may begin with that table.
    private static func tightened(_ joins: [SQLTableJoin], _ condition: SQLCondition) -> [SQLTableJoin] {
        guard joins.contains(where: { $0.kind == .leftOuter }) else { return joins }
        var needed = condition.neededAliases
        return joins.reversed().map { join in
            guard join.kind == .leftOuter, needed.contains(join.alias) else { return join }
            needed.formUnion(join.condition.neededAliases)
            return SQLTableJoin(kind: .inner, table: join.table, alias: join.alias, condition: join.condition)
        }.reversed()
    }
}

/// Gives out the aliases of one statement: t0, t1, and so on.
final class SQLAliases {
    private var count = 0

    func next() -> String {
        defer { count += 1 }
        return "t\(count)"
    }
}
