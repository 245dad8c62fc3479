// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

extension SQLiteStoreMigrator {
    /// Migrates a store that is not open, in place.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - options: the options of the store that concern its file.
    ///   - source: the model of the store.
    ///   - destination: the model to migrate to.
    ///   - isLast: whether no other migration of the store follows. The last one gives free pages back.
    ///   - progress: called with the part that is done, from 0 to 1. An error ends the migration.
    /// - Throws: what `SQLiteStoreMigrator` throws. The store is then as before.
    package static func migrate(
        at path: String, options: SQLiteStoreOptions, from source: NSManagedObjectModel,
        to destination: NSManagedObjectModel, isLast: Bool, progress: (Float) throws -> Void
    ) throws {
        let path = OperatingSystem.resolvingLinks(path)
        let metadata = try SQLiteStoreFile.metadata(at: path, options: options)
        var options = options
        options.infersMapping = true
        let schema = try SQLSchema(destination, migratingFrom: source, metadata: metadata)
        if NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) == schema.versionHashes { return }
        let connection = try SQLiteConnection(
            path: path, mode: .readWrite, timeout: options.timeout, encryptionKey: options.encryptionKey)
        try SQLiteStoreMigrator(
            path: path, schema: schema, options: options, sourceModel: source, isExplicit: true,
            givesBackFreePages: isLast
        ).migrate(connection, progress: progress)
    }
}
