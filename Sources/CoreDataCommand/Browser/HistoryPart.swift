// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The transactions of one page of the history, with their changes unless these are too many.
///
/// A history request reads from a transaction to the end of the history only. So one request reads the changes of a
/// transaction and of all newer transactions. They are left out if there are very many.
struct HistoryPart {
    /// A transaction, its changes, and their number; nil if they are not read, or not even counted.
    typealias Entry = (
        transaction: NSPersistentHistoryTransaction, changes: [NSPersistentHistoryChange]?, count: Int?
    )

    let entries: [Entry]
    let hasOlder: Bool
    /// Whether changes were left out.
    var isIncomplete: Bool { entries.contains { $0.changes == nil } }

    /// How many changes are read, and counted, for one page.
    static let readLimit = 20_000
    private static let countLimit = 1_000_000

    /// - Parameters:
    ///   - start: where the history begins for the page.
    ///   - number: the number of the transaction that follows the page; nil for the newest ones.
    ///   - limit: how many transactions the page has.
    ///   - readLimit: how many changes are read at most.
    init(
        after start: Date, before number: Int64?, limit: Int, readLimit: Int = readLimit,
        in context: NSManagedObjectContext
    ) throws {
        let scope = Scope(start: start, context: context)
        let all = try scope.transactions()
        let shown = all.indices.filter { number == nil || all[$0].transactionNumber < number ?? 0 }.prefix(limit)
        hasOlder = (shown.last ?? all.count) + 1 < all.count && !shown.isEmpty
        /// The number of the changes of a transaction and of all newer ones.
        func sum(_ index: Int) throws -> Int { index < 0 ? 0 : try scope.count(after: index + 1, of: all) }

        // The last transaction that may be read, by halving.
        var (low, high) = (0, shown.count)
        while low < high {
            let middle = (low + high) / 2
            let isReadable = try sum(shown[shown.startIndex + middle]) <= readLimit
            if isReadable { low = middle + 1 } else { high = middle }
        }
        let read =
            low == 0 ? [:] : try scope.changes(after: shown[shown.startIndex + low - 1] + 1, of: all)
        var isCounted = true
        entries = try shown.enumerated().map { position, index in
            let transaction = all[index]
            if position < low {
                let changes = read[transaction.transactionNumber] ?? []
                return (transaction, changes, changes.count)
            }
            guard isCounted else { return (transaction, nil, nil) }
            let total = try sum(index)
            isCounted = total <= Self.countLimit
            return (transaction, nil, try total - sum(index - 1))
        }
    }

    /// The requests of one page.
    private struct Scope {
        let start: Date
        let context: NSManagedObjectContext

        private func result(
            _ request: NSPersistentHistoryChangeRequest, _ type: NSPersistentHistoryResultType
        ) throws -> Any? {
            request.resultType = type
            return (try context.execute(request) as? NSPersistentHistoryResult)?.result
        }

        /// Requests the transactions that follow the one at an index; behind the last index, all from the start.
        private func request(
            after index: Int, of all: [NSPersistentHistoryTransaction]
        ) -> NSPersistentHistoryChangeRequest {
            index < all.count ? .fetchHistory(after: all[index]) : .fetchHistory(after: start)
        }

        /// The newest first.
        func transactions() throws -> [NSPersistentHistoryTransaction] {
            let all = try result(.fetchHistory(after: start), .transactionsOnly) as? [NSPersistentHistoryTransaction]
            return (all ?? []).sorted { $0.transactionNumber > $1.transactionNumber }
        }

        func count(after index: Int, of all: [NSPersistentHistoryTransaction]) throws -> Int {
            (try result(request(after: index, of: all), .count) as? NSNumber)?.intValue ?? 0
        }

        /// The changes by the numbers of their transactions.
        func changes(
            after index: Int, of all: [NSPersistentHistoryTransaction]
        ) throws -> [Int64: [NSPersistentHistoryChange]] {
            let found = try result(request(after: index, of: all), .transactionsAndChanges)
            return (found as? [NSPersistentHistoryTransaction] ?? []).reduce(into: [:]) {
                $0[$1.transactionNumber] = $1.changes ?? []
            }
        }
    }
}
