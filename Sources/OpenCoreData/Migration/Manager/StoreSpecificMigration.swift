import CoreDataModel

/// Migrations that a store does faster than a manager: SQLite stores with inferred mapping models, by SQL.
enum StoreSpecificMigration {
    /// Migrates a copy of a store, if it can.
    ///
    /// - Parameter destination: a new store.
    /// - Returns: false if a manager has to migrate.
    /// - Throws: what a lightweight migration throws.
    static func run(
        _ manager: NSMigrationManager, from source: MigratedStore, _ mapping: NSMappingModel,
        to destination: MigratedStore
    ) throws -> Bool {
        guard source.type == NSSQLiteStoreType, destination.type == NSSQLiteStoreType,
            source.url.path != SQLiteConnection.memoryPath, destination.url.path != SQLiteConnection.memoryPath,
            let inferred = try? NSMappingModel.inferredMappingModel(
                forSourceModel: manager.sourceModel, destinationModel: manager.destinationModel),
            inferred.isEqual(mapping)
        else { return false }
        var options = source.options ?? [:]
        options[NSReadOnlyPersistentStoreOption] = nil
        do {
            try SQLiteStore.checkReplacing(
                at: destination.url, options: destination.options, from: source.url, sourceOptions: options)
        } catch {
            throw MigrationErrors.store(NSMigrationManagerSourceStoreError, source, error)
        }
        try SQLiteStore.replace(
            at: destination.url, options: destination.options, from: source.url, sourceOptions: options)
        try SQLiteStore.migrate(
            at: destination.url, options: destination.options, from: manager.sourceModel, to: manager.destinationModel)
        return true
    }
}
