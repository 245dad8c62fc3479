// SPDX-License-Identifier: Apache-2.0

/// A store with a history.
public protocol HistoryProviding {
    /// The type of the store's transactions.
    associatedtype HistoryType: HistoryTransaction

    /// The type of the store's transactions.
    static var historyType: HistoryType.Type { get }

    /// Fetches transactions.
    ///
    /// - Parameter descriptor: which transactions, in which order.
    /// - Returns: the transactions.
    /// - Throws: the error of the store.
    func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]

    /// Deletes transactions.
    ///
    /// - Parameter descriptor: which transactions.
    /// - Throws: the error of the store.
    func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
    /// The type of the store's transactions.
    public static var historyType: HistoryType.Type { HistoryType.self }
}
