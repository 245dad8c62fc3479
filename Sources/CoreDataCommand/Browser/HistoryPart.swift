// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The transactions of one page of the history, with their changes unless these are too many.
struct HistoryPart {
    /// A transaction, its changes, and their number; nil if they are not read.
    typealias Entry = (transaction: NSPersistentHistoryTransaction, changes: [NSPersistentHistoryChange]?, count: Int)

    let entries: [Entry]
    let hasOlder: Bool
    /// Whether changes were left out.
    var isIncomplete: Bool { entries.contains { $0.changes == nil } }

    /// How many changes are read for one page.
    static let readLimit = 20_000

    /// - Parameters:
    ///   - start: where the history begins for the page.
    ///   - number: the number of the transaction that follows the page; nil for the newest ones.
    ///   - limit: how many transactions the page has.
    ///   - readLimit: how many changes are read at most: those of the newest transactions.
    init(
        after start: Date, before number: Int64?, limit: Int, readLimit: Int = readLimit,
        in context: NSManagedObjectContext
    ) throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: start)
        request.resultType = .transactionsOnly
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let all = (result?.result as? [NSPersistentHistoryTransaction] ?? [])
            .filter { $0.transactionNumber < number ?? .max }
            .sorted { $0.transactionNumber > $1.transactionNumber }
        let shown = all.prefix(limit)
        hasOlder = all.count > shown.count
        guard let coordinator = context.persistentStoreCoordinator, let store = coordinator.persistentStores.first
        else {
            entries = []
            return
        }

        let counts = try shown.map {
            try coordinator.historyChangeCount(ofTransaction: $0.transactionNumber, of: store)
        }
        var sum = 0
        let read = shown.prefix(
            counts.prefix { count in
                sum += count
                return sum <= readLimit
            }.count)
        let complete = try coordinator.historyTransactions(numbers: read.map(\.transactionNumber), of: store)
        let changes = Dictionary(complete.map { ($0.transactionNumber, $0.changes ?? []) }) { one, _ in one }
        entries = zip(shown, counts).enumerated().map { index, entry in
            (entry.0, index < read.count ? changes[entry.0.transactionNumber] ?? [] : nil, entry.1)
        }
    }
}
