// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// The steps of the lightweight migration of a SQLite file that is not open.
package enum SQLiteMigrationSteps {
    /// Plans a migration. The file is only read.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - source: the model of the store.
    ///   - destination: the model to migrate to.
    /// - Returns: the steps. The cleanup that an earlier migration has deferred comes first.
    /// - Throws: the errors of reading the file, `NSMigrationMissingSourceModelError` (134130) for a file of another
    ///   model than `source`, `NSInferredMappingModelError` (134190).
    package static func steps(
        at path: String, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) throws -> [SQLMigrationStep] {
        try SQLiteStoreFile.withReader(at: path) { connection in
            let metadata = try SQLiteStoreMetadata.read(on: connection)
            let new = try SQLSchema(destination, migratingFrom: source, metadata: metadata.dictionary)
            let old = try SQLMigrationSource(
                path: path, metadata: metadata.dictionary, destination: new.model, expected: new.versionHashes
            ).schema(known: source, cached: { nil }) {
                try SQLSchema.ofFile(connection, madeBy: $0, versionHashes: $1)
            }
            let isPending = SQLiteDeferredMigration.isPending(metadata)
            let leftover = isPending ? try SQLiteDeferredMigration(connection: connection, schema: old).steps() : []
            let engine = SQLiteMigrationEngine(
                connection: connection, externalData: SQLiteExternalData(storePath: path))
            return leftover + (try engine.plan(from: old, to: new, isDeferred: false).steps)
        }
    }
}

extension SQLSchema {
    /// The schema that a store gets by a migration: it keeps the configuration that it was made with.
    convenience init(
        _ destination: NSManagedObjectModel, migratingFrom source: NSManagedObjectModel, metadata: [String: Any]
    ) throws {
        let model = destination.copy() as? NSManagedObjectModel ?? destination
        model.freeze()
        try self.init(
            model: model,
            configuration: source.configuration(compatibleWithStoreMetadata: metadata)
                .flatMap { model.configurations.contains($0) ? $0 : nil })
    }
}
