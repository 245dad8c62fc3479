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
