// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension ModelContext {
    /// Deletes models in stores that do that themselves, at once.
    ///
    /// - Returns: false if models must be fetched and deleted one by one: the context has changes, or a store of the
    ///   models deletes no batches.
    func deleteInStores<T: PersistentModel>(
        _ model: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool
    ) throws -> Bool {
        guard !core.ownStores.isEmpty, !managed.hasChanges, let entity = core.schema.entity(for: T.self) else {
            return false
        }
        let stores = core.coordinator.persistentStores.filter { store in
            let entities = core.model.entities(forConfigurationName: store.configurationName)
            return entities?.contains { $0.name == entity.name } ?? true
        }
        let batching = stores.compactMap { store -> (DataStoreBridge, any DataStoreBatching)? in
            guard let bridge = store as? DataStoreBridge else { return nil }
            return (bridge.dataStore as? any DataStoreBatching).map { (bridge, $0) }
        }
        guard !batching.isEmpty, batching.count == stores.count else { return false }
        let request = try ModelFetch(FetchDescriptor(predicate: predicate), in: self).request()
        request.includesSubentities = includeSubclasses
        let deleted = try objects(for: request).map(\.objectID)
        for (bridge, store) in batching {
            do {
                try bridge.calling {
                    try store.deleteAll(model, predicate, includeSubclasses: includeSubclasses, editingState)
                }
            } catch DataStoreError.unsupportedFeature where batching.count == 1 {
                return false
            }
            bridge.snapshots.forget(deleted.map(\.key))
        }
        managed.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSaveObjectIDs, object: nil,
                userInfo: [NSDeletedObjectIDsKey: Set(deleted)]))
        return true
    }

    /// The positions behind the last save, by the identifiers of stores.
    var savedHistoryTokens: [String: any HistoryToken] {
        var tokens = managed.savedHistoryTokens
        for (store, number) in ContainerHistory.newestToken(of: core.coordinator)?.tokenValue ?? [:] {
            tokens[store] = DefaultHistoryToken([store: number])
        }
        return tokens
    }
}
