internal import CLibPQ

extension PostgreSQLConnection {
    /// Begins a transaction in one round trip.
    ///
    /// - Parameter statement: what the transaction executes before it gets its number.
    /// - Returns: the number of the transaction, by which the server can be asked whether it took place.
    package func beginTransaction(executing statement: String? = nil) throws -> String {
        // Behind a pooler a setting must end with the transaction; otherwise the session has it.
        let setting = location.usesNamedStatements ? nil : location.lockTimeoutSetting.map { "SET LOCAL \($0)" }
        let first = [setting, statement].compactMap { $0 }.map { "; " + $0 }.joined()
        let text = "BEGIN\(first); SELECT pg_current_xact_id()::text"
        let handle = try openHandle(text)
        log?("BEGIN", nil)
        roundTripCount += 1
        let result = try complete(PQexec(handle, text), text)
        return result.rowCount > 0 ? result[0].text(0) : ""
    }
}
