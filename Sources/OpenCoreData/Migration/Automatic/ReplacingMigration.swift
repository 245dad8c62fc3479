// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Migrates a store with a mapping model, and replaces it by the result (``StoreReplacement``).
struct ReplacingMigration {
    let store: ClosedStore
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    let mapping: NSMappingModel
    /// Whether the program supplies the model of the store, or the mapping model. False if the mapping is inferred from
    /// the model that the store contains.
    var isExplicit = true

    /// Migrates.
    ///
    /// - Parameter progress: called with the part that is done, from 0 to 1. An error ends the migration.
    /// - Throws: the errors of ``NSMigrationManager``, with the file of the store. The store is then as before.
    func run(progress: (Float) throws -> Void = { _ in }) throws {
        let storeClass = try store.operations
        let named: AnyClass = storeClass.migrationManagerClass()
        guard let managerClass = named as? NSMigrationManager.Type else {
            programmingError(
                "\(storeClass).migrationManagerClass() returns \(named).",
                remedy: "Return NSMigrationManager or a subclass.")
        }
        var result = store
        result.options = store.options?.filter { key, _ in !MigrationOptions.keys.contains { key == AnyHashable($0) } }
        func make(at url: URL) throws {
            result.url = url
            guard let manager = MigrationClasses.manager(managerClass, from: source, to: destination) else {
                throw CoreDataErrors.error(
                    NSMigrationError, "No manager of the class \(managerClass) can be made.",
                    reason: "On this system, classes that the program names can\u{2019}t be initialized.",
                    suggestion: "Migrate the store by a manager that the program makes itself.")
            }
            try withoutActuallyEscaping(progress) { progress in
                manager.progressHandler = progress
                defer { manager.progressHandler = nil }
                try migrate(manager, to: result)
            }
            try recordVersion(in: result)
            MigrationLog.write("\(store.url.path): replacing the store")
        }
        do {
            try StoreReplacement(of: store).run(unless: isDone, making: make)
        } catch let error as NSError where error.userInfo[NSFilePathErrorKey] == nil {
            throw CoreDataErrors.adding(store.errorInfo, to: error)
        }
    }

    /// Whether another process has migrated the store.
    private func isDone() throws -> Bool {
        let metadata = try store.metadata()
        return !source.hasConfiguration(compatibleWithStoreMetadata: metadata)
            && destination.hasConfiguration(compatibleWithStoreMetadata: metadata)
    }

    /// Records the version of the store among the former versions of the new one.
    private func recordVersion(in result: ClosedStore) throws {
        let former = try store.metadata()
        var metadata = try result.metadata()
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        // The program has the mapping model, or both models.
        let versions = FormerModelVersions.value(
            migrating: former, to: hashes, of: destination,
            isExplicit: isExplicit)
        guard versions != nil || metadata[FormerModelVersions.key] != nil else { return }
        metadata[FormerModelVersions.key] = versions
        do {
            try result.setMetadata(metadata)
        } catch  where !((try? store.operations) is any ReplaceableStore.Type) {
            // A class of the program needn't be able to write the metadata of a store that isn't open.
            MigrationLog.write("\(store.url.path): its former versions can't be recorded")
        }
    }

    private func migrate(_ manager: NSMigrationManager, to result: ClosedStore) throws {
        guard store.configuration == nil else { return try manager.migrate(store, mapping, to: result) }
        // The program's subclass of the manager may override the method.
        try manager.migrateStore(
            from: store.url, sourceType: store.type, options: store.options, with: mapping,
            toDestinationURL: result.url, destinationType: result.type, destinationOptions: result.options)
    }
}
