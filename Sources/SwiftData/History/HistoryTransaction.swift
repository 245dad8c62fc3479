// SPDX-License-Identifier: Apache-2.0

/// One transaction of a store's history: the changes of one save.
///
/// A custom store with a history declares its transaction type. All other stores use ``DefaultHistoryTransaction``.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
    /// The number of a transaction in its store.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// A position in the history.
    associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable

    /// The number of the transaction: later ones have greater numbers.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The time of the save.
    var timestamp: Date { get }
    /// The identifier of the store.
    var storeIdentifier: String { get }
    /// The author of the context that has saved.
    var author: String? { get }
    /// The position in the history after the transaction.
    var token: TokenType { get }
    /// The changes, in order.
    var changes: [HistoryChange] { get }
}

/// A position in the history of stores. Programs save the token of the last transaction that they have seen.
public protocol HistoryToken: Comparable, Decodable, Encodable, Hashable, Identifiable, Sendable {
    /// The content of the token.
    associatedtype TokenType: Decodable, Encodable, Hashable, Sendable

    /// The content of the token; nil for none.
    var tokenValue: TokenType? { get }
}

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
