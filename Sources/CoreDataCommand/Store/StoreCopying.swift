// SPDX-License-Identifier: Apache-2.0

import CoreDataPostgreSQL
import OpenCoreData

/// Copies a store to another place, with another type if wanted. The former contents of that
/// place are replaced when the copy is complete.
struct StoreCopying {
    let source: StoreLocation
    let destination: StoreLocation
    /// The type of the copy.
    let type: NSPersistentStore.StoreType
    /// The model of the source; nil for the model in its file.
    let modelPath: String?

    /// Copies.
    ///
    /// - Parameter progress: gets the fraction of the work that is done.
    func run(_ progress: (Double) -> Void) throws {
        // A store is copied as a whole by a coordinator without a model.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        let sourceType = try StoreFile.type(of: source.url)
        if sourceType == type {
            return try coordinator.replacePersistentStore(
                at: destination.url, withPersistentStoreFrom: source.url, type: type)
        }
        if destination.isOnServer {
            let name = "copy_" + UUID().uuidString.prefix(8).lowercased()
            let url = PostgreSQLLocation.url(destination.url, options: [NSPostgreSQLSchemaOption: name])
            // The new store is complete before it replaces the old files.
            defer { try? coordinator.destroyPersistentStore(at: url, type: type) }
            try copyObjects(from: sourceType, to: url, progress)
            return try coordinator.replacePersistentStore(
                at: destination.url, withPersistentStoreFrom: url, type: type)
        }
        try MigrationLock.withLock(at: destination.url, timeout: MigrationLock.defaultTimeout) {
            try StoreReplacement(at: destination.url, type: type).runAnew {
                try copyObjects(from: sourceType, to: $0, progress)
            }
        }
    }

    private func copyObjects(
        from sourceType: NSPersistentStore.StoreType, to url: URL, _ progress: (Double) -> Void
    ) throws {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: sourceType, at: source.url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        if modelPath == nil, sourceType == .xml || sourceType == .binary {
            throw CommandError("The store \(source.text) doesn't contain its model. Add its model with --model.")
        }
        guard
            let model = try ReadOnlyStore.model(for: source, modelPath: modelPath).copy() as? NSManagedObjectModel
        else { throw CommandError("The model of the store \(source.text) can't be copied.") }
        // This process doesn't have the classes of the model. Values are copied as they are stored.
        model.ignoresClassNames = true
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            type: sourceType, configuration: StoreIncompatibility.configuration(of: model, storeHashes: hashes),
            at: source.url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let copy = try coordinator.migrateStore(
            store, to: url, options: nil, ofType: type.rawValue, progress: progress)
        try coordinator.remove(copy)
        // IDs of objects in the store stay valid.
        guard let identifier = metadata[NSStoreUUIDKey] as? String else { return }
        var copied = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        copied[NSStoreUUIDKey] = identifier
        try NSPersistentStoreCoordinator.setMetadata(copied, type: type, at: url)
    }
}
