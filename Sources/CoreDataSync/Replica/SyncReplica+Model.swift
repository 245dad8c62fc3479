// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// A replica goes on when the app's store has another version of its model.
extension SyncReplica {
    /// Notes what programs have saved in a store that a migration is about to change. Call it before the store is
    /// loaded with a new version of the model: a migration may end the history. Without it the replica compares all
    /// objects after the migration, and each change of another replica counts as later.
    ///
    /// It does nothing if the store has none of the versions.
    ///
    /// - Parameters:
    ///   - versions: the older versions of the model, the oldest first.
    ///   - metadata: the store's metadata.
    ///   - side: a coordinator with the side store.
    ///   - settings: has the configuration of the store. A version without it has the whole store.
    ///   - open: opens the store with one of them and its configuration, with a history and without a migration.
    /// - Throws: ``SyncReplicaError``, and errors of the stores.
    package static func prepare(
        _ versions: [NSManagedObjectModel], metadata: [String: Any], side: NSPersistentStoreCoordinator,
        settings: Settings = Settings(),
        open: (NSManagedObjectModel, String?) throws -> NSPersistentStoreCoordinator
    ) throws {
        func name(_ model: NSManagedObjectModel) -> String? { model.configuration(named: settings.configurationName) }
        // A store of all entities may be opened with a configuration.
        let model = versions.last { model in
            [name(model), nil].contains { model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
        }
        guard let model else { return }
        let coordinator = try open(model, name(model))
        defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
        var settings = settings
        settings.configurationName = name(model)
        let replica = try SyncReplica(coordinator, side: side, settings: settings)
        guard try replica.takeLease() else { throw SyncReplicaError.otherProcess }
        defer { try? replica.endLease() }
        try replica.onQueue {
            // A store that never synced has nothing to note.
            guard try replica.state().isBegun else { return }
            try replica.checkStore()
            try replica.drainHistory()
            try replica.importPages()
            try replica.state().isPrepared = true
            try replica.side.save()
        }
    }

    /// Begins to work with the version of the model that the app's store has now.
    ///
    /// The replica asks for all objects again: it has left out what the former version didn't know. What the store has
    /// already is compared.
    func noteModel() throws {
        let state = try state()
        guard state.isBegun, state.model != schema.version else { return }
        do {
            if try !noteCopy(state) {
                try drainHistory()
                // An import of the former version comes to its end.
                try importPages()
            }
        } catch {
            side.rollback()
            throw error
        }
        note(schema, state)
        state.isPrepared = false
        for row in try pending(NSPredicate(format: "push == 0 AND kind == 'insert'")) {
            // A new object is sent with the properties that the migration has added.
            let names = schema.entities[row.entityName]?.properties ?? [:]
            row.bases = names.mapValues { _ in state.base }.merging(row.bases) { _, old in old }
        }
        // An answer has the values of the former version. The push is sent again, and its answer has the present ones.
        try outgoing()?.answer = nil
        if !settings.variant.contains(.keepsModel) { try beginAgain(from: state.base) }
        try side.save()
    }

    /// Notes the version by which the rows of the side store are made.
    func note(_ schema: SyncSchema, _ state: SyncReplicaState) {
        state.model = schema.version
        state.names = schema.entities.mapValues { Array($0.properties.keys) }
    }

    /// The properties that travelled by the former version of the model, by entities; nil if the version is the same.
    func formerNames() throws -> [String: [String]]? {
        let state = try state()
        return state.model == schema.version ? nil : state.names
    }
}
