internal import CLibPQ

/// What a transaction has found at its beginning.
package struct PostgreSQLTransactionBeginning {
    /// The number of the transaction, by which the server can be asked whether it took place.
    package let number: String
    /// The number that the condition has selected, 1 without one.
    package let condition: Int64
    /// What the first statement of the transaction has given; nil if there was none, or it wasn't executed.
    package var first: Result<PostgreSQLResult, PostgreSQLFailure>?
}

extension PostgreSQLConnection {
    /// Begins a transaction in one round trip. Where statements are prepared, the transaction's first statement is
    /// executed in the same one.
    ///
    /// - Parameters:
    ///   - statements: what the transaction executes before it gets its number.
    ///   - condition: a select of a number. Without prepared statements the first statement isn't executed if it is 0.
    ///   - first: the first statement of the transaction.
    /// - Throws: `PostgreSQLFailure` if the transaction can't begin.
    package func beginTransaction(
        executing statements: [String] = [], condition: String? = nil,
        then first: (text: String, parameters: PostgreSQLParameters)? = nil
    ) throws -> PostgreSQLTransactionBeginning {
        let select = "SELECT pg_current_xact_id()::text, (\(condition ?? "SELECT 1"))::text"
        log?("BEGIN", nil)
        guard location.usesNamedStatements else {
            return try beginWithoutNames(statements, select, first)
        }
        // Parsing and planning them takes the server longer than executing them.
        var list = (["BEGIN"] + statements + [select]).map { (text: $0, parameters: PostgreSQLParameters()) }
        if let first {
            log?(first.text, first.parameters.values)
            list.append(first)
        }
        let answer = try executeTogether(list)
        let index = statements.count + 1
        guard answer.results.count > index else {
            throw answer.failure ?? PostgreSQLFailure(sqlState: "08P01", message: "The server has not answered")
        }
        var beginning = Self.beginning(answer.results[index])
        if first != nil {
            beginning.first = answer.failure.map { .failure($0) } ?? answer.results.last.map { .success($0) }
        }
        return beginning
    }

    private func beginWithoutNames(
        _ statements: [String], _ select: String, _ first: (text: String, parameters: PostgreSQLParameters)?
    ) throws -> PostgreSQLTransactionBeginning {
        // Behind a pooler a setting must end with the transaction; otherwise the session has it.
        let setting = location.lockTimeoutSetting.map { "SET LOCAL \($0)" }
        let text = (["BEGIN"] + [setting].compactMap { $0 } + statements + [select]).joined(separator: "; ")
        let handle = try openHandle(text)
        roundTripCount += 1
        var beginning = Self.beginning(try complete(PQexec(handle, text), text))
        guard let first, beginning.condition != 0 else { return beginning }
        do {
            beginning.first = .success(try execute(first.text, first.parameters))
        } catch let failure as PostgreSQLFailure {
            beginning.first = .failure(failure)
        }
        return beginning
    }

    private static func beginning(_ result: PostgreSQLResult) -> PostgreSQLTransactionBeginning {
        guard result.rowCount > 0 else { return PostgreSQLTransactionBeginning(number: "", condition: 0) }
        return PostgreSQLTransactionBeginning(number: result[0].text(0), condition: Int64(result[0].text(1)) ?? 0)
    }
}
