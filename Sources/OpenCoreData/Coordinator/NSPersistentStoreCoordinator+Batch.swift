// SPDX-License-Identifier: Apache-2.0

/// A batch request in one store.
struct BatchPart {
    let store: any SnapshotStore
    let database: any BatchDatabase
    let batch: StoreBatch
}

/// Batch requests, which change stores without objects.
extension NSPersistentStoreCoordinator {
    /// The store into which a batch insert inserts.
    ///
    /// - Throws: `NSPersistentStoreSaveError` (134030) if no store has the entity.
    final func storeForBatchInserting(_ layout: EntityLayout, among affected: [NSPersistentStore]?) throws
        -> any SnapshotStore
    {
        let candidates = stores(for: layout, among: affected)
        return try candidates.first { !$0.isReadOnly } ?? candidates.first ?? storeForInserting(layout, assigned: nil)
    }

    /// A batch request in a store.
    ///
    /// - Parameter batch: the request for the store.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) for a store that has no batch requests,
    ///   `NSFileWriteNoPermissionError` (513) for a store that is read-only.
    final func batchPart(
        _ store: any SnapshotStore, _ batch: (StoreIdentity) throws -> StoreBatch
    ) throws -> BatchPart {
        let name = store.url?.lastPathComponent ?? store.identifier ?? ""
        guard let database = store.database as? any BatchDatabase else {
            throw CoreDataErrors.error(
                NSPersistentStoreUnsupportedRequestTypeError, "The batch request can\u{2019}t be executed.",
                reason:
                    "The store \(name) is of the type \(store.type). Only stores in a database execute batch requests.",
                suggestion: "Change the objects in a context and save it, or name a SQLite store in affectedStores.")
        }
        guard !store.isReadOnly else {
            throw CoreDataErrors.error(
                CocoaError.fileWriteNoPermission.rawValue, "The batch request can\u{2019}t be executed.",
                reason: "The store \(name) was opened read-only.", suggestion: "Open the store for writing.",
                userInfo: store.url?.errorInfo ?? [:])
        }
        return BatchPart(store: store, database: database, batch: try batch(store.identity))
    }

    /// Executes a batch request in stores, in all of them or, before the first commit, in none.
    ///
    /// - Parameter origin: who makes the changes, for the histories of the stores.
    /// - Throws: the errors of the stores.
    final func execute(
        _ parts: [BatchPart], origin: ChangeOrigin
    ) throws -> [(store: StoreIdentity, log: BatchRowLog)] {
        guard !parts.isEmpty else { return [] }
        var results: [(StoreIdentity, BatchRowLog)] = []
        // All contexts and processes lock the stores in one order, which excludes deadlocks.
        let ordered = parts.sorted { $0.store.identity.uuid < $1.store.identity.uuid }
        func execute(_ rest: ArraySlice<BatchPart>) throws {
            guard let part = rest.first else { return }
            let log = try part.database.execute(part.batch, origin: origin) { try execute(rest.dropFirst()) }
            results.append((part.store.identity, log))
        }
        // After a commit that failed, stores that have committed before have changed too.
        defer { for part in parts { remoteChanges.check(part.store) } }
        return try activity.observe(event(parts)) {
            try access.save(isSideBySide: parts.allSatisfy(\.store.savesSideBySide)) {
                try execute(ordered[...])
                return results
            }
        } count: {
            $0.reduce(0) { $0 + $1.log.count }
        }
    }
}
