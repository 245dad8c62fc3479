// SPDX-License-Identifier: Apache-2.0

/// The change of one model in a transaction of the history.
public enum HistoryChange: Sendable {
    /// The model was inserted.
    case insert(any HistoryInsert)
    /// Properties of the model were changed.
    case update(any HistoryUpdate)
    /// The model was deleted.
    case delete(any HistoryDelete)

    /// The identifier of the model. A later transaction may have deleted the model.
    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let change): change.changedPersistentIdentifier
        case .update(let change): change.changedPersistentIdentifier
        case .delete(let change): change.changedPersistentIdentifier
        }
    }
}

/// The insertion of a model.
public protocol HistoryInsert<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The number of a change in its store.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// The number of a transaction in its store.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

    /// The number of the transaction.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The number of the change.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// The change of a model's properties.
public protocol HistoryUpdate<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The number of a change in its store.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// The number of a transaction in its store.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// A property that was changed.
    typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

    /// The number of the transaction.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The number of the change.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The properties that were changed: attributes and relationships.
    var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The number of a change in its store.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// The number of a transaction in its store.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

    /// The number of the transaction.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The number of the change.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The preserved values: the values of attributes with `.preserveValueOnDeletion`.
    var tombstone: HistoryTombstone<Model> { get }
}
