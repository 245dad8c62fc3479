// SPDX-License-Identifier: Apache-2.0

/// The store behind the coordinator: the rows in memory answer requests, the nodes follow them.
extension NSAtomicStore: ObjectStore {
    package var hasMetadataChanges: Bool {
        !savedMetadata.withLock { NSDictionary(dictionary: $0).isEqual(to: metadata ?? [:]) }
    }

    package func didLoadMetadata() throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        if let uuid = metadata?[NSStoreUUIDKey] as? String { identifier = uuid }
        let hashes = AtomicStoreMetadata.versionHashes(of: coordinator.managedObjectModel, configurationName)
        if metadata?[NSStoreModelVersionHashesKey] != nil {
            if (options?[NSIgnorePersistentStoreVersioningOption] as? NSNumber)?.boolValue != true {
                try AtomicStoreMetadata.checkCompatibility(
                    of: metadata, with: coordinator.managedObjectModel, configurationName, path: url?.path ?? "")
            }
        }
        // The next save of the store writes what its metadata lacked.
        metadata = [
            NSStoreTypeKey: type, NSStoreUUIDKey: identifier ?? "", NSStoreModelVersionHashesKey: hashes,
            NSStoreModelVersionIdentifiersKey:
                coordinator.managedObjectModel.versionIdentifiers.compactMap { $0.base as? String }.sortedBytewise(),
        ].merging(metadata ?? [:]) { $1 }
        savedMetadata.withLock { $0 = metadata }
        database.open(identity, layouts: coordinator.layouts)
        _ = references
        try load()
        try makeRows()
    }

    package func allocateKeys(for objects: [NSManagedObject]) throws -> [Int64] {
        objects.map { object in
            references.key(of: newReferenceObject(for: object), entity: object.layout.name)
        }
    }

    package func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        try database.save(changes, beforeCommit: beforeCommit) { beforeCommit in
            // A save that only compares versions writes nothing.
            if changes.isEmpty && !self.hasMetadataChanges { return try beforeCommit() }
            let metadata = self.metadata ?? [:]
            guard let objects = changes.objects else {
                try beforeCommit()
                try self.save()
                return self.savedMetadata.withLock { $0 = metadata }
            }
            let updated = objects.updated.compactMap { self.cacheNode(for: $0.objectID) }
            let removed = Set(objects.deleted.compactMap { self.cacheNode(for: $0.objectID) })
            // A store may change other nodes, too, if it keeps both sides of a relationship itself.
            try self.nodes.change(updated + removed) {
                if !removed.isEmpty {
                    self.willRemoveCacheNodes(removed)
                    self.nodes.remove(removed)
                }
                for object in objects.inserted { self.nodes.add(self.newCacheNode(for: object)) }
                for object in objects.updated {
                    if let node = self.cacheNode(for: object.objectID) { self.updateCacheNode(node, from: object) }
                }
                try beforeCommit()
                try self.save()
            }
            self.savedMetadata.withLock { $0 = metadata }
        }
    }
}
