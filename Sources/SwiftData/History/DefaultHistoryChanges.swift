// SPDX-License-Identifier: Apache-2.0

/// The insertion of a model, in the history of a ``DefaultStore``.
public struct DefaultHistoryInsert<Model>: HistoryInsert, Hashable where Model: PersistentModel {
    /// The number of a change in its store.
    public typealias ChangeIdentifier = Int64
    /// The number of a transaction in its store.
    public typealias TransactionIdentifier = Int64

    /// The number of the transaction.
    public let transactionIdentifier: TransactionIdentifier
    /// The number of the change.
    public let changeIdentifier: ChangeIdentifier
    /// The identifier of the model.
    public let changedPersistentIdentifier: PersistentIdentifier
}

/// The change of a model's properties, in the history of a ``DefaultStore``.
public struct DefaultHistoryUpdate<Model>: HistoryUpdate, Hashable where Model: PersistentModel {
    /// The number of a change in its store.
    public typealias ChangeIdentifier = Int64
    /// The number of a transaction in its store.
    public typealias TransactionIdentifier = Int64
    /// A property that was changed.
    public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

    /// The number of the transaction.
    public let transactionIdentifier: TransactionIdentifier
    /// The number of the change.
    public let changeIdentifier: ChangeIdentifier
    /// The identifier of the model.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The properties that were changed: attributes and relationships.
    public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
    /// **Extension.** The names of the properties that were changed.
    public let updatedPropertyNames: [String]

    /// Whether two changes are the same one.
    public static func == (lhs: DefaultHistoryUpdate<Model>, rhs: DefaultHistoryUpdate<Model>) -> Bool {
        lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.changeIdentifier == rhs.changeIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    /// Hashes the number of the change.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}

/// The deletion of a model, in the history of a ``DefaultStore``.
public struct DefaultHistoryDelete<Model>: HistoryDelete, Hashable where Model: PersistentModel {
    /// The number of a change in its store.
    public typealias ChangeIdentifier = Int64
    /// The number of a transaction in its store.
    public typealias TransactionIdentifier = Int64

    /// The number of the transaction.
    public let transactionIdentifier: TransactionIdentifier
    /// The number of the change.
    public let changeIdentifier: ChangeIdentifier
    /// The identifier of the model.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The preserved values: the values of attributes with `.preserveValueOnDeletion`.
    public let tombstone: HistoryTombstone<Model>

    /// Whether two changes are the same one.
    public static func == (lhs: DefaultHistoryDelete<Model>, rhs: DefaultHistoryDelete<Model>) -> Bool {
        lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.changeIdentifier == rhs.changeIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    /// Hashes the number of the change.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}
