// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

// Calls of a store of any type, with results that don't depend on the type.

/// The result of a fetch.
struct FetchedContents {
    let fetched: [SnapshotContent]
    let related: [SnapshotContent]
}

/// The result of a save.
struct SavedContents {
    let storeIdentifier: String
    let remapped: [PersistentIdentifier: PersistentIdentifier]
    let reregistered: [PersistentIdentifier: SnapshotContent]
    let historyToken: (any HistoryToken)?
}

extension DataStore {
    func contents<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws
        -> FetchedContents
    {
        let result = try fetch(DataStoreFetchRequest(descriptor, state))
        return FetchedContents(
            fetched: try result.fetchedSnapshots.map { try SnapshotContent($0) },
            related: try result.relatedSnapshots.values.map { try SnapshotContent($0) })
    }

    func count<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws -> Int {
        try fetchCount(DataStoreFetchRequest(descriptor, state))
    }

    func identifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws
        -> [PersistentIdentifier]
    { try fetchIdentifiers(DataStoreFetchRequest(descriptor, state)) }

    func cachedContents(_ identifiers: [PersistentIdentifier], _ state: EditingState) throws -> [SnapshotContent] {
        try cachedSnapshots(for: identifiers, editingState: state).values.map { try SnapshotContent($0) }
    }

    func write(inserted: [ModelObject], updated: [ModelObject], deleted: [ModelObject], _ state: EditingState) throws
        -> SavedContents
    {
        var related: [PersistentIdentifier: any BackingData] = [:]
        func snapshot(_ object: ModelObject) -> Snapshot {
            Snapshot(from: object.backingData, relatedBackingDatas: &related)
        }
        let result = try save(
            DataStoreSaveChangesRequest(
                state, inserted: inserted.map(snapshot), updated: updated.map(snapshot),
                deleted: deleted.map(snapshot)))
        return SavedContents(
            storeIdentifier: result.storeIdentifier, remapped: result.remappedIdentifiers,
            reregistered: try result.snapshotsToReregister.mapValues { try SnapshotContent($0) },
            historyToken: result.historyToken)
    }
}

extension HistoryProviding {
    /// The transactions of a descriptor; nil if the store's transactions have another type.
    func transactions<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
        guard let descriptor = descriptor as? HistoryDescriptor<HistoryType> else { return nil }
        return try fetchHistory(descriptor) as? [T]
    }

    /// Deletes the transactions of a descriptor.
    ///
    /// - Returns: false if the store's transactions have another type.
    func deleteTransactions<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
        guard let descriptor = descriptor as? HistoryDescriptor<HistoryType> else { return false }
        try deleteHistory(descriptor)
        return true
    }
}

extension DataStoreBatching {
    func deleteAll<T: PersistentModel>(
        _ type: T.Type, _ predicate: Predicate<T>?, includeSubclasses: Bool, _ state: EditingState
    ) throws { try delete(DataStoreBatchDeleteRequest(predicate, includeSubclasses: includeSubclasses, state)) }
}
