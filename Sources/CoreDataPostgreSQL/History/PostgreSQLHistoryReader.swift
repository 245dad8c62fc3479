// SPDX-License-Identifier: Apache-2.0

/// Reads the history tables of a store.
struct PostgreSQLHistoryReader {
    private let session: PostgreSQLSession
    private let identity: StoreIdentity
    private let tables: PostgreSQLHistoryTables
    /// Transactions with this number or a greater one may not all have ended.
    private let bound: Int64

    private var transactionTable: String { session.dialect.table("z_transaction") }
    private var changeTable: String { session.dialect.table("z_change") }

    init(
        _ session: PostgreSQLSession, _ tables: PostgreSQLHistoryTables, schema: String, identity: StoreIdentity
    ) throws {
        self.session = session
        self.tables = tables
        self.identity = identity
        // The smallest number of the store's running transactions, which hold the lock; otherwise the next number.
        // Transactions with smaller numbers have ended before the statements that follow. A standby doesn't know the
        // locks of the server that it follows: there it is the smallest number of all running transactions.
        let running = try session.integer(
            """
            WITH s AS (SELECT pg_current_snapshot() AS snapshot), \
            held AS (\(PostgreSQLHistoryTables.runningTransactions(schema: schema))) \
            SELECT CASE WHEN pg_is_in_recovery() THEN MIN(pg_snapshot_xmin(s.snapshot)::text::bigint) \
            ELSE COALESCE(MIN(x::text::bigint), MAX(pg_snapshot_xmax(s.snapshot)::text::bigint)) END \
            FROM s LEFT JOIN LATERAL pg_snapshot_xip(s.snapshot) x \
            ON (x::text::bigint & 4294967295) IN (SELECT xid FROM held)
            """)
        bound = (running ?? 0) + tables.offset
    }

    // MARK: Conditions

    private func condition(_ range: HistoryRange) -> (text: String, values: [SQLValue]) {
        let (text, values): (String, [SQLValue]) =
            switch range {
            case .all: ("TRUE", [])
            case .nothing: ("FALSE", [])
            case .afterTransaction(let number): ("z_number > $2", [.integer(number)])
            case .beforeTransaction(let number): ("z_number < $2", [.integer(number)])
            case .afterDate(let date): ("z_time > $2", [.timestamp(date)])
            case .beforeDate(let date): ("z_time < $2", [.timestamp(date)])
            case .transactions(let numbers): ("z_number = ANY($2::bigint[])", [.keys(numbers)])
            }
        return ("z_number < $1 AND \(text)", [.integer(bound)] + values)
    }

    private func conditionOfChanges(_ range: HistoryRange) -> (text: String, values: [SQLValue]) {
        let (text, values) = condition(range)
        return ("z_transaction IN (SELECT z_number FROM \(transactionTable) WHERE \(text))", values)
    }

    // MARK: Reading

    /// The number of the newest transaction ever recorded that a reader may see, 0 if there was none.
    func newestTransaction() throws -> Int64 {
        try session.integer(
            """
            SELECT GREATEST((SELECT z_deleted FROM \(session.dialect.table("z_history"))), \
            COALESCE((SELECT MAX(z_number) FROM \(transactionTable) WHERE z_number < $1), 0))
            """, [.integer(bound)]) ?? 0
    }

    /// Checks that no transaction was deleted after the transaction that a program has seen.
    ///
    /// - Returns: the number of the newest deleted transaction.
    /// - Throws: `NSPersistentHistoryTokenExpiredError` (134301).
    private func check(_ range: HistoryRange) throws -> Int64 {
        // The token of a save may name the newest transaction while a transaction with a smaller number still runs.
        let result = try session.execute(
            """
            SELECT z_deleted, GREATEST(z_deleted, COALESCE((SELECT MAX(z_number) FROM \(transactionTable)), 0)) \
            FROM \(session.dialect.table("z_history"))
            """)
        let (deleted, newest) = result.rowCount > 0 ? (result[0].int64(0), result[0].int64(1)) : (0, 0)
        if case .afterTransaction(let number) = range, number < deleted || number > newest {
            throw HistoryErrors.expired(
                number, newest: newest, of: session.url.absoluteString, userInfo: [NSURLErrorKey: session.url])
        }
        return deleted
    }

    /// Runs a block that reads a part of the history. If transactions were deleted while the block ran, it may have
    /// found only some of their rows, and runs again.
    ///
    /// - Throws: `NSPersistentHistoryTokenExpiredError` (134301), and the errors of the block.
    func checked<Result>(_ range: HistoryRange, _ body: () throws -> Result) throws -> Result {
        var deleted = try check(range)
        while true {
            let result = try body()
            let present = try check(range)
            if present == deleted { return result }
            deleted = present
        }
    }

    /// The transactions of a part of the history, in order.
    ///
    /// - Parameter limit: how many of the first ones are read; nil for all.
    func transactions(_ range: HistoryRange, limit: Int? = nil) throws -> [HistoryTransactionRecord] {
        var (clause, values) = condition(range)
        clause += " ORDER BY z_number"
        if let limit {
            values.append(.integer(Int64(limit)))
            clause += " LIMIT $\(values.count)"
        }
        let result = try session.execute(
            """
            SELECT z_number, z_time, z_author, z_context, z_bundle, z_process FROM \(transactionTable) \
            WHERE \(clause)
            """, values)
        return result.map { row in
            func text(_ column: Int) -> String? { row.isNull(column) ? nil : row.text(column) }
            return HistoryTransactionRecord(
                number: row.int64(0), store: identity, timestamp: row.date(1), author: text(2), contextName: text(3),
                bundleID: text(4) ?? "", processID: text(5) ?? "")
        }
    }

    /// Reads the changes of transactions. `range` is the range with which the transactions were read.
    func addChanges(_ range: HistoryRange, to transactions: [HistoryTransactionRecord]) throws {
        let (condition, values) = conditionOfChanges(range)
        var changes = HistoryChanges(of: transactions, plans: session.plans, store: identity)
        let rows = try session.connection.rows(
            ofSelect: """
                SELECT z_number, z_transaction, z_type, z_entity, z_key, z_columns, z_tombstone FROM \(changeTable) \
                WHERE \(condition) ORDER BY z_transaction, z_number
                """, PostgreSQLParameters(values))
        while let row = try rows.next() {
            try changes.append(row) {
                $0.properties(row.bytes(5))
            } tombstone: {
                row.isNull(6) ? [:] : PostgreSQLTombstone.values(row.jsonb(6), $0)
            }
        }
    }

    func changeCount(_ range: HistoryRange) throws -> Int {
        let (condition, values) = conditionOfChanges(range)
        return Int(try session.integer("SELECT COUNT(*) FROM \(changeTable) WHERE \(condition)", values) ?? 0)
    }

    /// Runs a block in a transaction.
    func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try session.connection.transaction(body)
    }

    /// Deletes transactions with their changes, in the open transaction.
    func delete(_ range: HistoryRange) throws -> (transactions: Int, changes: Int) {
        let (condition, values) = conditionOfChanges(range)
        let changes = try session.execute("DELETE FROM \(changeTable) WHERE \(condition)", values).affectedRows
        let (own, ownValues) = self.condition(range)
        let result = try session.execute(
            """
            WITH gone AS (DELETE FROM \(transactionTable) WHERE \(own) RETURNING z_number), \
            noted AS (UPDATE \(session.dialect.table("z_history")) \
            SET z_deleted = GREATEST(z_deleted, COALESCE((SELECT MAX(z_number) FROM gone), 0))) \
            SELECT COUNT(*) FROM gone
            """, ownValues)
        return (result.rowCount > 0 ? Int(result[0].int64(0)) : 0, changes)
    }
}
