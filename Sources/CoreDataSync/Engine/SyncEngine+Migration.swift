// SPDX-License-Identifier: Apache-2.0

import CoreData

extension SyncEngine {
    /// Notes what programs have saved in a store, before a migration ends the history of the store. Call it when the
    /// app starts, before the store is loaded with a new version of its model:
    ///
    ///     try SyncEngine.prepareForMigration(of: description, from: [version1, version2])
    ///     container.loadPersistentStores { … }
    ///
    /// Without the call no change is lost either: the engine compares all objects after the migration. But it doesn't
    /// know then when the changes were made, and each change of another device wins.
    ///
    /// It does nothing for a store that isn't there, that never synced, or that has none of the versions. It opens the
    /// store and its side store, and closes both. It doesn't need the server. It blocks until it is done: call it on
    /// any thread that may wait, before an engine of the store is made.
    ///
    /// - Parameters:
    ///   - description: the store, with the configuration and the options with which it is loaded.
    ///   - versions: the older versions of the model, the oldest first. The present one may be among them.
    ///   - configuration: the configuration of the store's engine, for the URL of its side store.
    /// - Throws: ``SyncEngineError/otherProcess`` while another process syncs the store: end that one first;
    ///   ``SyncEngineError/storesDiffer``, which ``start()`` throws, too, after the migration; an error for a mistake
    ///   in the user info of the model, and errors of the stores. Nothing is noted then, and the store is as before.
    public static func prepareForMigration(
        of description: NSPersistentStoreDescription, from versions: [NSManagedObjectModel],
        configuration: Configuration = Configuration()
    ) throws {
        guard let url = description.url, url.path != "/dev/null" else { return }
        let sideURL = configuration.sideStoreURL ?? SyncSideStore.url(of: url)
        guard !url.isFileURL || FileManager.default.fileExists(atPath: url.path),
            FileManager.default.fileExists(atPath: sideURL.path)
        else { return }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: description.type, at: url, options: description.options)
        let side = try SyncSideStore.open(at: sideURL)
        defer { for store in side.persistentStores { try? side.remove(store) } }
        var settings = SyncReplica.Settings()
        settings.configurationName = description.configuration
        do {
            try SyncReplica.prepare(versions, metadata: metadata, side: side, settings: settings) { model, name in
                try open(description, url, model, name)
            }
        } catch let error as SyncReplicaError {
            throw error.engineError
        }
    }

    /// Opens a store with an older version of its model, without the classes of the app, and without a migration.
    private static func open(
        _ description: NSPersistentStoreDescription, _ url: URL, _ model: NSManagedObjectModel, _ name: String?
    ) throws -> NSPersistentStoreCoordinator {
        let model = model.copy() as? NSManagedObjectModel ?? model
        for entity in model.entities { entity.managedObjectClassName = NSStringFromClass(NSManagedObject.self) }
        var options = description.options
        for key in [
            NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
            NSPersistentStoreStagedMigrationManagerOptionKey,
        ] { options[key] = nil }
        options[NSPersistentHistoryTrackingKey] = true as NSNumber
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: description.type, configurationName: name, at: url, options: options)
        return coordinator
    }
}
