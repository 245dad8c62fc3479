// SPDX-License-Identifier: Apache-2.0

extension SQLiteDatabase {
    /// Runs a body and collects the statements that the database's own connection executes for it.
    ///
    /// - Returns: the statements with their query plans.
    package func collectingStatements(_ body: () throws -> Void) throws -> [(sql: String, plan: [String])] {
        let statements = Locked<[String]>([])
        try withOpen { $0.connection.statementObserver = { sql in statements.withLock { $0.append(sql) } } }
        defer { try? withOpen { $0.connection.statementObserver = nil } }
        try body()
        return try withOpen { open in
            open.connection.statementObserver = nil
            return try statements.withLock { $0 }.filter { $0.hasPrefix("SELECT") }.map { sql in
                let statement = try open.connection.statement("EXPLAIN QUERY PLAN " + sql)
                defer { statement.reset() }
                var plan: [String] = []
                while try statement.step() { if let text = statement.text(at: 3) { plan.append(text) } }
                return (sql, plan)
            }
        }
    }
}
