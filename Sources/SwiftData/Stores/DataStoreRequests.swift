// SPDX-License-Identifier: Apache-2.0

/// A fetch, as a custom store gets it.
public struct DataStoreFetchRequest<T>: Sendable where T: PersistentModel {
    /// The description of the fetch.
    public let descriptor: FetchDescriptor<T>
    /// The context that fetches.
    public let editingState: EditingState

    init(_ descriptor: FetchDescriptor<T>, _ editingState: EditingState) {
        self.descriptor = descriptor
        self.editingState = editingState
    }
}

/// The result of a fetch of a custom store.
public struct DataStoreFetchResult<ModelType, SnapshotType>: Sendable
where ModelType: PersistentModel, SnapshotType: DataStoreSnapshot {
    /// The description of the fetch.
    public let descriptor: FetchDescriptor<ModelType>
    /// The snapshots of the models, in order.
    public let fetchedSnapshots: [SnapshotType]
    /// Snapshots of other models that the program is going to use, such as related models.
    public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

    /// Makes a result.
    ///
    /// - Parameters:
    ///   - descriptor: the description of the fetch.
    ///   - fetchedSnapshots: the snapshots of the models, in order.
    ///   - relatedSnapshots: snapshots of other models that the program is going to use.
    public init(
        descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
        relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
    ) {
        self.descriptor = descriptor
        self.fetchedSnapshots = fetchedSnapshots
        self.relatedSnapshots = relatedSnapshots
    }
}

/// A deletion of many models in one step.
public struct DataStoreBatchDeleteRequest<T>: Sendable where T: PersistentModel {
    /// The condition of the models; nil for all.
    public let predicate: Predicate<T>?
    /// Whether models of subclasses are deleted, too.
    public let includeSubclasses: Bool
    /// The context that deletes.
    public let editingState: EditingState

    init(_ predicate: Predicate<T>?, includeSubclasses: Bool, _ editingState: EditingState) {
        self.predicate = predicate
        self.includeSubclasses = includeSubclasses
        self.editingState = editingState
    }
}

/// The changes of a context, as a custom store gets them.
public struct DataStoreSaveChangesRequest<SnapshotType>: Sendable where SnapshotType: DataStoreSnapshot {
    /// The context that saves.
    public let editingState: EditingState
    /// The new models, in the order of their creation. Their identifiers are temporary.
    public let inserted: [SnapshotType]
    /// The changed models.
    public let updated: [SnapshotType]
    /// The deleted models, with their last values.
    public let deleted: [SnapshotType]

    init(_ editingState: EditingState, inserted: [SnapshotType], updated: [SnapshotType], deleted: [SnapshotType]) {
        self.editingState = editingState
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}

/// The result of a save into a custom store.
public final class DataStoreSaveChangesResult<T>: Sendable where T: DataStoreSnapshot {
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The permanent identifiers of the inserted models by their temporary identifiers.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// The snapshots of models whose values in the store differ from the values that the context has sent.
    public let snapshotsToReregister: [PersistentIdentifier: T]
    /// The position in the history after the save; nil for a store without a history.
    public let historyToken: (any HistoryToken)?

    /// Makes a result.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the identifier of the store.
    ///   - remappedIdentifiers: the identifiers of the inserted models by their temporary ones.
    ///   - snapshotsToReregister: the snapshots of models that have other values in the store.
    public convenience init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: T] = [:]
    ) {
        self.init(
            for: storeIdentifier, remappedIdentifiers: remappedIdentifiers,
            snapshotsToReregister: snapshotsToReregister, historyToken: nil)
    }

    /// Makes the result of a store with a history.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the identifier of the store.
    ///   - remappedIdentifiers: the identifiers of the inserted models by their temporary ones.
    ///   - snapshotsToReregister: the snapshots of models that have other values in the store.
    ///   - historyToken: the position in the history after the save.
    public init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: T] = [:], historyToken: (any HistoryToken)?
    ) {
        self.storeIdentifier = storeIdentifier
        self.remappedIdentifiers = remappedIdentifiers
        self.snapshotsToReregister = snapshotsToReregister
        self.historyToken = historyToken
    }
}
