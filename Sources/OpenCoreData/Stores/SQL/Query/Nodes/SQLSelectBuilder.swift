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
        select.joins = joins
        select.condition = .conjunction(conditions)
        return select
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
