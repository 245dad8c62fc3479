internal import CLibPQ

/// The answers of the server to the beginning of a transaction.
struct PostgreSQLTransactionBeginning {
    /// The number of the transaction, by which the server can be asked whether it took place.
    let number: String
    /// The number that the condition has selected, 1 without one.
    let condition: Int64
    /// The result of the transaction's first statement; nil if there was none, or it wasn't executed.
    var first: Result<PostgreSQLResult, PostgreSQLFailure>?
}

/// The statements with which a transaction begins.
struct PostgreSQLTransactionTexts {
    /// The statements before the select.
    let statements: [String]
    /// Selects the number of the transaction, and a condition.
    let select: String
    /// All of them, as they are prepared.
    fileprivate let list: [PostgreSQLConnection.Statement]

    /// - Parameters:
    ///   - statements: what the transaction executes before it gets its number.
    ///   - condition: a select of a number.
    init(executing statements: [String] = [], condition: String? = nil) {
        self.statements = ["BEGIN"] + statements
        select = "SELECT pg_current_xact_id()::text, (\(condition ?? "SELECT 1"))::text"
        // Parsing and planning them takes the server longer than executing them.
        list = (self.statements + [select]).map { (text: $0, parameters: PostgreSQLParameters()) }
    }
}

extension PostgreSQLConnection {
    package typealias Statement = (text: String, parameters: PostgreSQLParameters)

    /// Begins a transaction in one round trip. Where statements are prepared, the transaction's first statement is
    /// executed in the same one.
    ///
    /// - Parameters:
    ///   - texts: the statements. Without prepared statements the first statement isn't executed if their condition
    ///     is 0.
    ///   - first: the first statement of the transaction.
    /// - Throws: `PostgreSQLFailure` if the transaction can't begin.
    func beginTransaction(
        _ texts: PostgreSQLTransactionTexts, then first: Statement? = nil
    ) throws -> PostgreSQLTransactionBeginning {
        log?("BEGIN", nil)
        guard location.usesNamedStatements else { return try beginWithoutNames(texts, first) }
        if let first { log?(first.text, first.parameters.values) }
        let answer = try executeTogether(first.map { texts.list + [$0] } ?? texts.list)
        let index = texts.list.count - 1
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
        _ texts: PostgreSQLTransactionTexts, _ first: Statement?
    ) throws -> PostgreSQLTransactionBeginning {
        // Behind a pooler a setting must end with the transaction; otherwise the session has it.
        let setting = location.lockTimeoutSetting.map { "SET LOCAL \($0)" }
        var statements = texts.statements + [texts.select]
        if let setting { statements.insert(setting, at: 1) }
        let text = statements.joined(separator: "; ")
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
