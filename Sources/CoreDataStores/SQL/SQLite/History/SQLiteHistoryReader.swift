// SPDX-License-Identifier: Apache-2.0

/// Reads the history tables of an open SQLite file.
struct SQLiteHistoryReader {
    private let open: SQLiteSession
    private let identity: StoreIdentity

    init(_ open: SQLiteSession, identity: StoreIdentity) {
        self.open = open
        self.identity = identity
    }

    /// The transactions of a part of the history, in order.
    ///
    /// - Parameter limit: how many of the first ones are read; nil for all.
    func transactions(_ range: HistoryRange, limit: Int? = nil) throws -> [HistoryTransactionRecord] {
        let condition = SQLiteHistoryCondition(range)
        let strings = try strings()
        let statement = try open.connection.statement(
            """
            SELECT Z_PK, ZTIMESTAMP, ZAUTHORTS, ZAUTHOR, ZCONTEXTNAMETS, ZCONTEXTNAME, ZBUNDLEIDTS, ZBUNDLEID, \
            ZPROCESSIDTS, ZPROCESSID FROM ATRANSACTION\(condition.ofTransactions) ORDER BY Z_PK LIMIT ?
            """)
        // A negative limit is none.
        let greatestCount = limit.map { Int64($0) } ?? -1
        try statement.bind(condition.values + [.integer(greatestCount)])
        defer { statement.reset() }
        // The column for references to texts, or in files of older frameworks the one for texts.
        func text(_ column: Int32) -> String? {
            statement.isNull(at: column) ? statement.text(at: column + 1) : strings[statement.int64(at: column)]
        }
        var transactions: [HistoryTransactionRecord] = []
        while try statement.step() {
            transactions.append(
                HistoryTransactionRecord(
                    number: statement.int64(at: 0), store: identity,
                    timestamp: Date(timeIntervalSinceReferenceDate: statement.double(at: 1)), author: text(2),
                    contextName: text(4), bundleID: text(6) ?? "", processID: text(8) ?? ""))
        }
        return transactions
    }

    /// The texts of `ATRANSACTIONSTRING`, of which a file has few.
    private func strings() throws -> [Int64: String] {
        var strings: [Int64: String] = [:]
        let statement = try open.connection.statement("SELECT Z_PK, ZNAME FROM ATRANSACTIONSTRING")
        defer { statement.reset() }
        while try statement.step() { strings[statement.int64(at: 0)] = statement.text(at: 1) }
        return strings
    }

    /// Reads the changes of transactions. `range` is the range with which the transactions were read.
    func addChanges(_ range: HistoryRange, to transactions: [HistoryTransactionRecord]) throws {
        let condition = SQLiteHistoryCondition(range)
        let tombstones = open.file.history?.tombstoneColumns ?? []
        let statement = try open.connection.statement(
            """
            SELECT Z_PK, ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\
            \(tombstones.map { ", " + $0 }.joined()) \
            FROM ACHANGE\(condition.ofChanges) ORDER BY ZTRANSACTIONID, Z_PK
            """)
        try statement.bind(condition.values)
        defer { statement.reset() }
        var changes = HistoryChanges(of: transactions, plans: open.plans, store: identity)
        let row = SQLiteSteppedRow(statement)
        while try statement.step() {
            try changes.append(row) { plan in
                statement.withBytes(at: 5) { plan.properties($0) }
            } tombstone: { plan in
                var values: [AnyHashable: Any] = [:]
                for (index, column) in plan.preservedColumns.prefix(tombstones.count).enumerated() {
                    values[column.key] = Self.value(row.value(Int32(6 + index)), column)
                }
                return values
            }
        }
    }

    /// A preserved value as objects have it, nil for NULL.
    private static func value(_ value: OpaquePointer?, _ column: HistoryPlan.PreservedColumn) -> Any? {
        guard column.kind == .transformable else { return SQLiteColumnValue.value(value, column.kind) }
        return SQLiteColumnValue.value(value, .binary).flatMap { data in
            (data as? Data).flatMap { TransformableCoding.decode(StoredTransformable($0), slot: column.slot) }
        }
    }
}
