// SPDX-License-Identifier: Apache-2.0

/// The description of a request on the history: which transactions, in which order, and how many.
///
/// ```swift
/// let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
/// for transaction in try context.fetchHistory(descriptor) { … }
/// ```
///
/// With a condition `$0.token > token`, alone or in a conjunction, a store reads only the transactions after the token.
public struct HistoryDescriptor<TransactionType> where TransactionType: HistoryTransaction {
    /// The condition of the transactions; nil for all.
    public var predicate: Predicate<TransactionType>?
    /// The largest number of transactions; 0 for all.
    public var fetchLimit: UInt64 = 0
    /// The order of the transactions; if empty, the order of the saves.
    public var sortBy: [SortDescriptor<TransactionType>]

    /// Makes a descriptor.
    ///
    /// - Parameters:
    ///   - predicate: the condition of the transactions; nil for all.
    ///   - sortBy: the order of the transactions.
    public init(predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }

    /// Makes a descriptor of transactions in the order of the saves.
    ///
    /// - Parameter predicate: the condition of the transactions; nil for all.
    @_disfavoredOverload
    public init(predicate: Predicate<TransactionType>? = nil) { self.init(predicate: predicate, sortBy: []) }

    /// **Extension.** The transactions that the descriptor selects, in its order. Custom stores with a history use it.
    ///
    /// - Parameter transactions: all transactions, in the order of the saves.
    /// - Throws: the error of the predicate.
    public func selected(from transactions: [TransactionType]) throws -> [TransactionType] {
        var selected = transactions
        if let predicate { selected = try selected.filter { try predicate.evaluate($0) } }
        if !sortBy.isEmpty { selected.sort(using: sortBy) }
        return fetchLimit > 0 && fetchLimit < UInt64(selected.count)
            ? Array(selected.prefix(Int(fetchLimit))) : selected
    }
}

// Sendable: key paths of transactions capture nothing.
extension HistoryDescriptor: @unchecked Sendable {}
