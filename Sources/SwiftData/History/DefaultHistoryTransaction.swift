// SPDX-License-Identifier: Apache-2.0

/// One transaction in the history of a ``DefaultStore``. A save of a context makes one transaction in each store that
/// it changes.
public struct DefaultHistoryTransaction: HistoryTransaction {
    /// The identity of a transaction is its number.
    public typealias ID = Int64
    /// The number of a transaction in its store.
    public typealias TransactionIdentifier = Int64
    /// A position in the history.
    public typealias TokenType = DefaultHistoryToken

    /// The number of the transaction: later ones have greater numbers.
    public let transactionIdentifier: TransactionIdentifier
    /// The time of the save.
    public let timestamp: Date
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The author of the context that has saved.
    public let author: String?
    /// The name of the program that has saved.
    public let bundleIdentifier: String
    /// The name of the process that has saved.
    public let processIdentifier: String
    /// The position in the history after the transaction.
    public let token: TokenType
    /// The changes, in order.
    public let changes: [HistoryChange]

    /// The number of the transaction.
    public var id: Int64 { transactionIdentifier }

    /// Whether two transactions are the same one of a store.
    public static func == (lhs: DefaultHistoryTransaction, rhs: DefaultHistoryTransaction) -> Bool {
        lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.storeIdentifier == rhs.storeIdentifier
    }

    /// Hashes the number of the transaction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transactionIdentifier)
        hasher.combine(storeIdentifier)
    }
}
