// SPDX-License-Identifier: Apache-2.0

extension SQLiteDatabase {

    package var hasHistory: Bool { (try? withOpen { $0.file.history?.isReadable == true }) ?? false }

    package func newestTransaction() throws -> Int64 {
        try withOpen { open in
            try open.connection.withReadTransaction {
                try SQLiteHistoryTables.highestNumber(.transaction, on: open.connection)
            }
        }
    }

    package func history(_ range: HistoryRange, content: HistoryContent) throws -> [HistoryTransactionRecord] {
        try withHistoryReader(range) { reader in
            let transactions = try reader.transactions(range)
            if content == .transactionsAndChanges { try reader.addChanges(range, to: transactions) }
            return transactions
        }
    }

    package func transactions(_ range: HistoryRange, limit: Int?) throws -> [HistoryTransactionRecord] {
        try withHistoryReader(range) { try $0.transactions(range, limit: limit) }
    }

    private func withHistoryReader<Result>(
        _ range: HistoryRange, _ body: (SQLiteHistoryReader) throws -> Result
    ) throws -> Result {
        try withOpen { open in
            try open.connection.withReadTransaction {
                try open.checkTransactions(range)
                return try body(SQLiteHistoryReader(open, identity: identity))
            }
        }
    }

    package func changeCount(_ range: HistoryRange) throws -> Int {
        try withOpen { open in
            try open.connection.withReadTransaction {
                try open.checkTransactions(range)
                let condition = SQLiteHistoryCondition(range)
                return Int(
                    try open.connection.integer(
                        "SELECT COUNT(*) FROM ACHANGE\(condition.ofChanges)", condition.values) ?? 0)
            }
        }
    }

    package func deleteHistory(_ range: HistoryRange) throws -> (transactions: Int, changes: Int) {
        try withOpen { open in
            guard !open.file.isReadOnly else {
                throw HistoryErrors.readOnly(open.file.path, userInfo: [NSFilePathErrorKey: open.file.path])
            }
            let condition = SQLiteHistoryCondition(range)
            let connection = open.connection
            let deleted = try open.withWriteTransaction { () -> (Int, Int) in
                // The numbers of deleted rows are not given again: tokens rely on them.
                for entity in [SQLiteHistoryTables.Entity.change, .transaction] {
                    let highest = try SQLiteHistoryTables.highestNumber(entity, on: connection)
                    if highest > 0 { try SQLiteHistoryTables.record(highest: highest, entity, on: connection) }
                }
                try connection.run("DELETE FROM ACHANGE\(condition.ofChanges)", condition.values)
                let changes = connection.changedRowCount
                try connection.run("DELETE FROM ATRANSACTION\(condition.ofTransactions)", condition.values)
                return (connection.changedRowCount, changes)
            }
            open.generations.didCommit(removing: [])
            return deleted
        }
    }

    package func commitState() throws -> StoreCommitState { try withOpen { try $0.commitState() } }
}

extension SQLiteSession {
    /// Checks that no transaction was deleted after the transaction that a program has seen.
    fileprivate func checkTransactions(_ range: HistoryRange) throws {
        guard case .afterTransaction(let number) = range else { return }
        let newest = try SQLiteHistoryTables.highestNumber(.transaction, on: connection)
        let first = try connection.integer("SELECT MIN(Z_PK) FROM ATRANSACTION") ?? newest &+ 1
        guard number < Int64.max, first > number + 1 || number > newest else { return }
        throw HistoryErrors.expired(
            number, newest: newest, of: file.path, userInfo: [NSFilePathErrorKey: file.path])
    }
}

/// The `WHERE` clause of a part of the history.
struct SQLiteHistoryCondition {
    private let condition: String?
    let values: [SQLValue]

    init(_ range: HistoryRange) {
        (condition, values) =
            switch range {
            case .all: (nil, [])
            case .nothing: ("0", [])
            case .afterTransaction(let number): ("Z_PK > ?", [.integer(number)])
            case .beforeTransaction(let number): ("Z_PK < ?", [.integer(number)])
            case .afterDate(let date): ("ZTIMESTAMP > ?", [.timestamp(date)])
            case .beforeDate(let date): ("ZTIMESTAMP < ?", [.timestamp(date)])
            case .transactions(let numbers):
                ("Z_PK\(SQLiteListEncoding.membership("?"))", [SQLiteListEncoding.encode(keys: numbers)])
            }
    }

    /// For `ATRANSACTION`.
    var ofTransactions: String { condition.map { " WHERE \($0)" } ?? "" }

    /// For `ACHANGE`.
    var ofChanges: String {
        condition.map { " WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \($0))" } ?? ""
    }
}
