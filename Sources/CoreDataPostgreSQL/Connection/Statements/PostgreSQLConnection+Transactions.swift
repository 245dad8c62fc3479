// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// The answers of the server to the beginning of a transaction.
struct PostgreSQLTransactionBeginning {
    /// The number of the transaction, by which the server can be asked whether it took place.
    let number: String
    /// The number that the condition has selected, 1 without one.
    let condition: Int64
    /// The number of an earlier transaction that its select has given; nil if it has given NULL, or there was none.
    var earlierTransaction: Int64?
    /// The result of the transaction's first statement; nil if there was none, or it wasn't executed.
    var first: Result<PostgreSQLResult, PostgreSQLFailure>?
}

/// The isolation of a transaction, which the default of the session doesn't change.
enum PostgreSQLIsolation: String {
    /// Each statement reads the state that is committed when it begins.
    case readCommitted = "READ COMMITTED"
    /// All statements read the state that was committed when the first one began. A change of a row that another
    /// transaction has changed since is a serialization failure.
    case repeatableRead = "REPEATABLE READ"
}

/// The statements with which a transaction begins.
struct PostgreSQLTransactionTexts {
    /// The statements before the select.
    let statements: [String]
    /// Selects the number of the transaction, and a condition.
    let select: String
    /// Whether a statement before the select gives the number, and the select the condition alone.
    fileprivate let hasOwnNumber: Bool
    /// Whether the statement before the select gives the number of an earlier transaction, too.
    fileprivate let hasEarlierTransaction: Bool
    /// All of them, as they are prepared.
    fileprivate let list: [PostgreSQLConnection.Statement]

    /// - Parameters:
    ///   - statements: the statements that the transaction executes before it gets its number.
    ///   - isolation: the isolation of the transaction.
    ///   - condition: a select of a number.
    init(
        executing statements: [String] = [], isolation: PostgreSQLIsolation = .readCommitted, condition: String? = nil
    ) {
        self.init(
            isolation, statements, hasOwnNumber: false, hasEarlierTransaction: false,
            select: "SELECT pg_current_xact_id()::text, (\(condition ?? "SELECT 1"))::text")
    }

    /// The statements of a transaction that locks something by calls, or of a cluster. In a cluster a select from a
    /// table would give the number of the transaction on the table's server, which the other servers don't know.
    ///
    /// - Parameters:
    ///   - statements: the statements that the transaction executes before it takes locks.
    ///   - locks: the calls that lock something before the transaction gets its number.
    ///   - isolation: the isolation of the transaction.
    ///   - earlierTransaction: a select of the number of an earlier transaction or NULL, which is executed after the
    ///     transaction has got its number.
    ///   - condition: a select of a number.
    init(
        executing statements: [String], locks: [String], isolation: PostgreSQLIsolation = .readCommitted,
        earlierTransaction: String? = nil, condition: String? = nil
    ) {
        let calls = (locks + ["pg_current_xact_id()::text"]).joined(separator: ", ")
        self.init(
            isolation, statements + ["SELECT \(calls)"] + (earlierTransaction.map { ["SELECT (\($0))::text"] } ?? []),
            hasOwnNumber: true, hasEarlierTransaction: earlierTransaction != nil,
            select: "SELECT (\(condition ?? "SELECT 1"))::text")
    }

    private init(
        _ isolation: PostgreSQLIsolation, _ statements: [String], hasOwnNumber: Bool, hasEarlierTransaction: Bool,
        select: String
    ) {
        let statements = ["BEGIN ISOLATION LEVEL \(isolation.rawValue)"] + statements
        self.statements = statements
        self.hasOwnNumber = hasOwnNumber
        self.hasEarlierTransaction = hasEarlierTransaction
        self.select = select
        // Parsing and planning them takes the server longer than executing them.
        list = (statements + [select]).map { (text: $0, parameters: PostgreSQLParameters()) }
    }

    /// The answer to the statements. The last result is the result of ``select``.
    fileprivate func beginning(_ results: some Collection<PostgreSQLResult>) -> PostgreSQLTransactionBeginning {
        let last = Array(results.suffix(1 + (hasOwnNumber ? 1 : 0) + (hasEarlierTransaction ? 1 : 0)))
        guard let numbers = last.first, let conditions = last.last, numbers.rowCount > 0, conditions.rowCount > 0
        else { return PostgreSQLTransactionBeginning(number: "", condition: 0) }
        // The number is the first column of the select that also has the condition, or the last column of the separate
        // select with the locks.
        var beginning = PostgreSQLTransactionBeginning(
            number: numbers[0].text(hasOwnNumber ? numbers.columnCount - 1 : 0),
            condition: Int64(conditions[0].text(conditions.columnCount - 1)) ?? 0)
        if hasEarlierTransaction, last[1].rowCount > 0, !last[1][0].isNull(0) {
            beginning.earlierTransaction = Int64(last[1][0].text(0))
        }
        return beginning
    }
}

extension PostgreSQLConnection {
    typealias Statement = (text: String, parameters: PostgreSQLParameters)

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
        var beginning = texts.beginning(answer.results[...index])
        if first != nil {
            beginning.first = answer.failure.map { .failure($0) } ?? answer.results.last.map { .success($0) }
        }
        return beginning
    }

    private func beginWithoutNames(
        _ texts: PostgreSQLTransactionTexts, _ first: Statement?
    ) throws -> PostgreSQLTransactionBeginning {
        var beginning = texts.beginning(try executeAll(texts))
        guard let first, beginning.condition != 0 else { return beginning }
        do {
            beginning.first = .success(try execute(first.text, first.parameters))
        } catch let failure as PostgreSQLFailure {
            beginning.first = .failure(failure)
        }
        return beginning
    }

    /// Executes the statements without names in one round trip.
    ///
    /// - Returns: the results, whose values are texts: the results of all statements, or of the last statement alone.
    private func executeAll(_ texts: PostgreSQLTransactionTexts) throws -> [PostgreSQLResult] {
        let statements = texts.statements + [texts.select]
        guard texts.hasOwnNumber else {
            let text = statements.joined(separator: "; ")
            let handle = try openHandle(text)
            roundTripCount += 1
            return [try complete(lastResult(handle, ofScript: text), text)]
        }
        // Citus passes a setting on with the whole text of its message.
        let handle = try openHandle(texts.select)
        roundTripCount += 1
        guard PQenterPipelineMode(handle) != 0 else { throw failure(nil, texts.select) }
        for text in statements where PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 0) == 0 {
            throw brokenPipeline(text)
        }
        guard PQpipelineSync(handle) != 0 else { throw brokenPipeline(texts.select) }
        var results: [PostgreSQLResult] = []
        var first: (any Error)?
        for text in statements {
            let result = nextResult(handle)
            if first != nil {
                PQclear(result)
                continue
            }
            do { results.append(try complete(result, text)) } catch { first = error }
        }
        endPipeline(handle)
        if let first { throw first }
        return results
    }
}
