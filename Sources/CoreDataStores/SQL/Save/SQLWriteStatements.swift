// SPDX-License-Identifier: Apache-2.0

/// The text of the statements that change rows.
///
/// Every value is a parameter. Parameters are numbered in the order of the text.
package struct SQLWriteStatements {
    /// One assignment of an `UPDATE`.
    enum Assignment {
        case parameter(String)
        case null(String)
        /// The column's value plus one.
        case increment(String)
    }

    let dialect: any SQLDialect

    func insert(into table: String, columns: [String]) -> String {
        "INSERT INTO \(target(table, columns)) VALUES(\(parameters(columns.count)))"
    }

    /// A row that the table already has is no error, and stays as it is.
    func insertIfAbsent(into table: String, columns: [String]) -> String {
        dialect.insertIfAbsent(into: target(table, columns), values: "VALUES(\(parameters(columns.count)))")
    }

    /// - Parameter columns: the columns whose values the `WHERE` clause compares with parameters.
    func update(_ table: String, _ assignments: [Assignment], where columns: [String]) -> String {
        let (text, count) = assigning(table, assignments)
        return "\(text) WHERE \(conditions(columns, firstParameter: count + 1))"
    }

    /// - Parameter column: the column whose value is in the list of keys that the last parameter is.
    func update(_ table: String, _ assignments: [Assignment], whereKeys column: String) -> String {
        let (text, count) = assigning(table, assignments)
        return "\(text) WHERE \(name(column))\(dialect.keyMembership(parameter(count + 1)))"
    }

    /// An `UPDATE` without its `WHERE` clause, and the number of its parameters.
    ///
    /// - Parameter value: the text of a parameter by its number; nil for the dialect's text.
    private func assigning(_ table: String, _ assignments: [Assignment], _ value: ((Int) -> String)? = nil)
        -> (text: String, count: Int)
    {
        var count = 0
        let assigned = assignments.map { assignment in
            switch assignment {
            case .parameter(let column):
                count += 1
                return "\(name(column)) = \(value?(count) ?? parameter(count))"
            case .null(let column): return "\(name(column)) = NULL"
            case .increment(let column): return "\(name(column)) = \(name(column)) + 1"
            }
        }
        return ("UPDATE \(dialect.table(table)) SET \(assigned.joined(separator: ", "))", count)
    }

    func delete(from table: String, where columns: [String]) -> String {
        "DELETE FROM \(dialect.table(table)) WHERE \(conditions(columns))"
    }

    /// - Parameter column: the column whose value is in the list of keys that the parameter is.
    func delete(from table: String, whereKeys column: String) -> String {
        "DELETE FROM \(dialect.table(table)) WHERE \(name(column))\(dialect.keyMembership(parameter(1)))"
    }

    /// - Parameter column: the column whose value is in the list of keys that the parameter is.
    func select(_ results: [String], from table: String, whereKeys column: String) -> String {
        """
        SELECT \(results.map(name).joined(separator: ", ")) FROM \(dialect.table(table)) \
        WHERE \(name(column))\(dialect.keyMembership(parameter(1)))
        """
    }

    /// Selects rows by a key and another key. In the statement of an engine that binds lists, the second parameter is a
    /// list of keys.
    func select(_ results: [String], from table: String, where column: String, keys: String) -> String {
        let condition = dialect.bindsKeyLists ? dialect.keyMembership(parameter(2)) : " = \(parameter(2))"
        return "\(select(results, from: table, where: [column])) AND \(name(keys))\(condition)"
    }

    func select(_ results: [String], from table: String, where columns: [String]) -> String {
        "SELECT \(results.map(name).joined(separator: ", ")) FROM \(dialect.table(table)) WHERE \(conditions(columns))"
    }

    // MARK: Lists of keys

    // Parameters that are keys, entity numbers or positions. In the statement of an engine that binds lists, each
    // parameter is the list of the values of all rows.

    func insertKeysIfAbsent(into table: String, columns: [String]) -> String {
        guard dialect.bindsKeyLists else { return insertIfAbsent(into: table, columns: columns) }
        let rows = dialect.keyLists(count: columns.count) + dialect.sourceSuffix(insertingInto: table)
        return dialect.insertIfAbsent(into: target(table, columns), values: "SELECT * FROM \(rows)")
    }

    func updateKeys(_ table: String, _ assignments: [Assignment], where columns: [String]) -> String {
        guard dialect.bindsKeyLists else { return update(table, assignments, where: columns) }
        let (text, count) = assigning(table, assignments) { "v.c\($0)" }
        let names = (1...count + columns.count).map { "c\($0)" }.joined(separator: ", ")
        let conditions = columns.enumerated().map {
            "\(dialect.table(table)).\(name($1)) = v.c\(count + 1 + $0)"
        }.joined(separator: " AND ")
        return "\(text) FROM \(dialect.keyLists(count: count + columns.count)) AS v(\(names)) WHERE \(conditions)"
    }

    func deleteKeys(from table: String, where columns: [String]) -> String {
        guard dialect.bindsKeyLists else { return delete(from: table, where: columns) }
        if columns.count == 1 { return delete(from: table, whereKeys: columns[0]) }
        return """
            DELETE FROM \(dialect.table(table)) WHERE (\(columns.map(name).joined(separator: ", "))) \
            IN (SELECT * FROM \(dialect.keyLists(count: columns.count)))
            """
    }

    // MARK: Parts

    private func name(_ column: String) -> String { SQLGenerator.identifier(column) }

    private func target(_ table: String, _ columns: [String]) -> String {
        "\(dialect.table(table))(\(columns.map(name).joined(separator: ", ")))"
    }

    private func conditions(_ columns: [String], firstParameter: Int = 1) -> String {
        columns.enumerated().map { "\(name($1)) = \(parameter(firstParameter + $0))" }.joined(separator: " AND ")
    }

    private func parameters(_ count: Int) -> String { (1...count).map(parameter).joined(separator: ", ") }

    private func parameter(_ number: Int) -> String { dialect.placeholder(number) }
}
