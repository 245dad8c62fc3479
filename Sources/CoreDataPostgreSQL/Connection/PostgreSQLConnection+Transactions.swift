internal import CLibPQ

extension PostgreSQLConnection {
    /// Begins a transaction in one round trip.
    ///
    /// - Parameters:
    ///   - statements: what the transaction executes before it gets its number.
    ///   - condition: a select of a number.
    /// - Returns: the number of the transaction, by which the server can be asked whether it took place, and that of
    ///   the condition, 1 without one.
    package func beginTransaction(
        executing statements: [String] = [], condition: String? = nil
    ) throws -> (number: String, condition: Int64) {
        // Behind a pooler a setting must end with the transaction; otherwise the session has it.
        let setting = location.usesNamedStatements ? nil : location.lockTimeoutSetting.map { "SET LOCAL \($0)" }
        let first = ["BEGIN"] + [setting].compactMap { $0 } + statements
        let select = "SELECT pg_current_xact_id()::text, (\(condition ?? "SELECT 1"))::text"
        log?("BEGIN", nil)
        let result = try begin(first, select)
        guard result.rowCount > 0 else { return ("", 0) }
        return (result[0].text(0), Int64(result[0].text(1)) ?? 0)
    }

    /// Executes the first statements of a transaction and a select. Where statements are prepared, the select is too:
    /// planning it takes the server longer than all that these statements do.
    private func begin(_ first: [String], _ select: String) throws -> PostgreSQLResult {
        guard location.usesNamedStatements else {
            let text = (first + [select]).joined(separator: "; ")
            let handle = try openHandle(text)
            roundTripCount += 1
            return try complete(PQexec(handle, text), text)
        }
        return try withStatement(select, PostgreSQLParameters()) { name in
            try execute(first, thenSelect: select, named: name)
        } unprepared: { key in
            try prepareAndExecute(key, after: first)
        }
    }
}
