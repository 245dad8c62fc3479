/// The text of the statements that change rows.
///
/// Every value is a parameter. Parameters are numbered in the order of the text.
struct SQLWriteStatements {
    /// One assignment of an `UPDATE`.
    enum Assignment {
        case parameter(String)
        case null(String)
        /// The column's value plus one.
        case increment(String)
    }

    let dialect: any SQLDialect

    func insert(into table: String, columns: [String], rowCount: Int = 1) -> String {
        let rows = (0..<rowCount).map { "(\(parameters(columns.count, from: $0 * columns.count + 1)))" }
        return "INSERT INTO \(table)(\(columns.joined(separator: ", "))) VALUES\(rows.joined(separator: ", "))"
    }

    /// A row that the table already has is no error, and stays as it is.
    func insertIfAbsent(into table: String, columns: [String]) -> String {
        dialect.insertIfAbsent(
            into: "\(table)(\(columns.joined(separator: ", ")))", values: "VALUES(\(parameters(columns.count)))")
    }

    /// - Parameter columns: the columns whose values the `WHERE` clause compares with parameters.
    func update(_ table: String, _ assignments: [Assignment], where columns: [String]) -> String {
        let (text, count) = assigning(table, assignments)
        return "\(text) WHERE \(conditions(columns, firstParameter: count + 1))"
    }

    /// - Parameter column: the column whose value is in the list of keys that the last parameter is.
    func update(_ table: String, _ assignments: [Assignment], whereKeys column: String) -> String {
        let (text, count) = assigning(table, assignments)
        return "\(text) WHERE \(column)\(dialect.keyMembership(parameter(count + 1)))"
    }

    /// An `UPDATE` without its `WHERE` clause, and the number of its parameters.
    private func assigning(_ table: String, _ assignments: [Assignment]) -> (text: String, count: Int) {
        var count = 0
        let assigned = assignments.map { assignment in
            switch assignment {
            case .parameter(let column):
                count += 1
                return "\(column) = \(parameter(count))"
            case .null(let column): return "\(column) = NULL"
            case .increment(let column): return "\(column) = \(column) + 1"
            }
        }
        return ("UPDATE \(table) SET \(assigned.joined(separator: ", "))", count)
    }

    func delete(from table: String, where columns: [String]) -> String {
        "DELETE FROM \(table) WHERE \(conditions(columns))"
    }

    /// - Parameter column: the column whose value is in the list of keys that the parameter is.
    func delete(from table: String, whereKeys column: String) -> String {
        "DELETE FROM \(table) WHERE \(column)\(dialect.keyMembership(parameter(1)))"
    }

    /// - Parameter column: the column whose value is in the list of keys that the parameter is.
    func select(_ results: [String], from table: String, whereKeys column: String) -> String {
        """
        SELECT \(results.joined(separator: ", ")) FROM \(table) \
        WHERE \(column)\(dialect.keyMembership(parameter(1)))
        """
    }

    func select(_ results: [String], from table: String, where columns: [String]) -> String {
        "SELECT \(results.joined(separator: ", ")) FROM \(table) WHERE \(conditions(columns))"
    }

    private func conditions(_ columns: [String], firstParameter: Int = 1) -> String {
        columns.enumerated().map { "\($1) = \(parameter(firstParameter + $0))" }.joined(separator: " AND ")
    }

    private func parameters(_ count: Int, from first: Int = 1) -> String {
        (first..<first + count).map(parameter).joined(separator: ", ")
    }

    private func parameter(_ number: Int) -> String { dialect.placeholder(number) }
}
