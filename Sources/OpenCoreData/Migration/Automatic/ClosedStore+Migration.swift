// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

extension ClosedStore {
    /// Migrates the store by the mapping that is inferred between two models.
    ///
    /// - Parameters:
    ///   - source: the model of the store.
    ///   - destination: the model to migrate to.
    ///   - isLast: whether no other migration of the store follows.
    ///   - progress: called with the part that is done, from 0 to 1. An error ends the migration.
    /// - Throws: the errors of a lightweight migration and of ``NSMigrationManager``. The store is then as before.
    func migrateByInference(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, isLast: Bool,
        progress: (Float) throws -> Void = { _ in }
    ) throws {
        if let stores = try operations as? any InPlaceMigratingStore.Type {
            return try stores.migrate(
                at: url, options: options, from: source, to: destination, isLast: isLast, progress: progress)
        }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        try ReplacingMigration(store: self, source: source, destination: destination, mapping: mapping)
            .run(progress: progress)
    }
}

extension MigrationLock {
    /// Runs a block while no other process migrates a store; see ``withLock(at:timeout:waiting:_:)``.
    static func withLock<Result>(of store: ClosedStore, _ body: () throws -> Result) throws -> Result {
        try withLock(at: store.url, timeout: store.timeout ?? defaultTimeout, body)
    }
}
