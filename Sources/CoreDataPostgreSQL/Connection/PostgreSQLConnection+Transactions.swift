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
        let first = ([setting].compactMap { $0 } + statements).map { "; " + $0 }.joined()
        let text = "BEGIN\(first); SELECT pg_current_xact_id()::text, (\(condition ?? "SELECT 1"))::text"
        let handle = try openHandle(text)
        log?("BEGIN", nil)
        roundTripCount += 1
        let result = try complete(PQexec(handle, text), text)
        guard result.rowCount > 0 else { return ("", 0) }
        return (result[0].text(0), Int64(result[0].text(1)) ?? 0)
    }
}
