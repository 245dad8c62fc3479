// SPDX-License-Identifier: Apache-2.0

/// Saves, which the program writes.
extension NSIncrementalStore {
    /// Compares the row versions, and calls the program, which writes the changes.
    ///
    /// The other stores of the save commit first, because the program writes and commits in one step.
    package func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        let context = changes.objects?.context
        let conflicts = try conflicts(of: changes, context)
        if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
        try beforeCommit()
        let metadata = self.metadata ?? [:]
        // Locked objects are compared by the program too.
        if !changes.isEmpty || !changes.checked.isEmpty || hasMetadataChanges {
            let objects = changes.objects
            let request = NSSaveChangesRequest(
                inserted: Set(objects?.inserted ?? []), updated: Set(objects?.updated ?? []),
                deleted: Set(objects?.deleted ?? []), locked: Set(objects?.locked ?? []))
            request.affectedStores = [self]
            do {
                _ = try execute(request, with: context ?? QueueOwnership.currentContext)
            } catch let error as NSError {
                throw try storeConflict(of: error, context) ?? error
            }
        }
        savedMetadata.withLock { $0 = metadata }
        versions.didSave(changes)
        return StoreSaveResult(keys: changes.inserted.map(\.key))
    }

    /// The objects that another context has saved, or that were read with other values, since this context read them.
    private func conflicts(of changes: StoreChanges, _ context: NSManagedObjectContext?) throws -> [StoreConflict.Row] {
        var result: [StoreConflict.Row] = []
        let source = source(for: context)
        func check(_ layout: EntityLayout, _ key: Int64, _ version: Int32) throws {
            guard versions.differs(key, from: version) else { return }
            rowCache.evict(root: layout.root, keys: [key])
            let persisted = versions.isDeleted(key) ? nil : try source.snapshot(layout: layout, key: key)
            result.append(StoreConflict.Row(layout: layout, key: key, version: version, persisted: persisted))
        }
        for row in changes.checked { try check(row.layout, row.key, row.version) }
        for row in changes.updated { try check(row.layout, row.key, row.version) }
        // A row that is deleted already is no conflict.
        for row in changes.deleted where row.version != 0 && !versions.isDeleted(row.key) {
            try check(row.layout, row.key, row.version)
        }
        return result
    }

    /// The conflicts that the program has found, with the newest values; nil for another error.
    private func storeConflict(of error: NSError, _ context: NSManagedObjectContext?) throws -> StoreConflict? {
        guard error.domain == NSCocoaErrorDomain, error.code == NSManagedObjectMergeError,
            let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict], !conflicts.isEmpty
        else { return nil }
        let source = source(for: context)
        return StoreConflict(
            rows: try conflicts.map { conflict in
                let object = conflict.sourceObject
                rowCache.evict(root: object.layout.root, keys: [object.primaryKey])
                return StoreConflict.Row(
                    layout: object.layout, key: object.primaryKey, version: object.row?.version ?? 0,
                    persisted: try source.snapshot(layout: object.layout, key: object.primaryKey))
            })
    }
}
