// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Lightweight migrations in place, which a store does faster than a manager.
enum StoreSpecificMigration {
    /// Migrates a copy of a store, if it can.
    ///
    /// - Parameter destination: a new store.
    /// - Returns: false if a manager has to migrate.
    /// - Throws: the errors of a lightweight migration.
    static func run(
        _ manager: NSMigrationManager, from source: ClosedStore, _ mapping: NSMappingModel,
        to destination: ClosedStore
    ) throws -> Bool {
        guard source.type == destination.type, !source.isInMemory, !destination.isInMemory,
            let stores = try source.operations as? any InPlaceMigratingStore.Type,
            let inferred = try? NSMappingModel.inferredMappingModel(
                forSourceModel: manager.sourceModel, destinationModel: manager.destinationModel),
            inferred.isEqual(mapping)
        else { return false }
        var options = source.options ?? [:]
        options[NSReadOnlyPersistentStoreOption] = nil
        do {
            try stores.checkReplacing(
                at: destination.url, options: destination.options, from: source.url, sourceOptions: options)
        } catch {
            throw MigrationErrors.store(NSMigrationManagerSourceStoreError, source, error)
        }
        try stores.replace(
            at: destination.url, options: destination.options, from: source.url, sourceOptions: options)
        try destination.migrateByInference(from: manager.sourceModel, to: manager.destinationModel, isLast: true)
        return true
    }
}
