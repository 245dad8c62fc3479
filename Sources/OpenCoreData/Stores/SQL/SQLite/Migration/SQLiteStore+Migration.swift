import CoreDataModel

extension SQLiteStore {
    /// Migrates a store that is not open, in place.
    ///
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - options: the options of the store that concern its file.
    ///   - source: the model of the store.
    ///   - destination: the model to migrate to.
    ///   - isLast: whether no other migration of the store follows. The last one gives free pages back.
    ///   - progress: called with the part that is done, from 0 to 1. An error ends the migration.
    /// - Throws: what `SQLiteStoreMigrator` throws. The store is then as before.
    static func migrate(
        at url: URL, options: [AnyHashable: Any]?, from source: NSManagedObjectModel,
        to destination: NSManagedObjectModel, isLast: Bool, progress: (Float) throws -> Void
    ) throws {
        let metadata = try metadata(at: url, options: options)
        var fileOptions = fileOptions(options)
        fileOptions.infersMapping = true
        let schema = try SQLSchema(destination, migratingFrom: source, metadata: metadata)
        if NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) == schema.versionHashes { return }
        let connection = try SQLiteConnection(
            path: url.path, mode: .readWrite, timeout: fileOptions.timeout, encryptionKey: fileOptions.encryptionKey)
        try SQLiteStoreMigrator(
            path: url.path, schema: schema, options: fileOptions, sourceModel: source, givesBackFreePages: isLast
        ).migrate(connection, progress: progress)
    }
}
