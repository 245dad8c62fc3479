// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Migrates a SQLite store that was made from another model, when it is opened with
/// `NSMigratePersistentStoresAutomaticallyOption`.
package struct SQLiteStoreMigrator {
    let path: String
    /// The schema of the model with which the store is opened.
    let schema: SQLSchema
    let options: SQLiteStoreOptions
    /// The model of the store, if the caller knows it.
    var sourceModel: NSManagedObjectModel?
    /// Whether the program asks for this migration, instead of having the store migrate itself when it is opened.
    var isExplicit = false
    /// Whether pages that the migration has freed are given back to the volume. A further step would use them.
    var givesBackFreePages = true

    /// Migrates the store, whose version hashes differ from the model's.
    ///
    /// Another process that opens the store during the migration waits, and finds the migrated store.
    ///
    /// - Parameters:
    ///   - connection: a connection that can write, without an open transaction.
    ///   - progress: called with the part that is done, from 0 to 1. An error ends the migration.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130) if no model has made the store,
    ///   `NSPersistentStoreIncompatibleSchemaError` (134020) for a file without the tables of its model,
    ///   `NSMigrationMissingMappingModelError` (134140) if the options don't allow to infer the mapping,
    ///   `NSInferredMappingModelError` (134190) if the models differ too much, `NSMigrationError` (134110) and
    ///   `NSMigrationConstraintViolationError` (134111) for values that the new model doesn't allow. The store is then
    ///   as before.
    func migrate(_ connection: SQLiteConnection, progress: (Float) throws -> Void = { _ in }) throws {
        try SQLiteFunctions.install(on: connection)
        try SQLiteCollations.install(on: connection)
        let externalData = SQLiteExternalData(storePath: path)
        var unused: [String] = []
        var journal: SQLiteExternalJournal?
        try connection.withTransaction(.exclusive) {
            let metadata = try SQLiteStoreMetadata.read(on: connection)
            // Another process may have migrated the store while this one waited.
            guard NSManagedObjectModel.versionHashes(inStoreMetadata: metadata.dictionary) != schema.versionHashes
            else {
                MigrationLog.write("\(path): another process has migrated the store already")
                return
            }
            try FormerModelVersions.check(
                metadata.dictionary, hashes: schema.versionHashes, model: schema.model,
                isAllowed: isExplicit || options.migratesBack, store: path)
            let finder = SQLMigrationSource(
                path: path, metadata: metadata.dictionary, destination: schema.model, expected: schema.versionHashes)
            let source = try finder.schema(known: sourceModel, cached: { try SQLiteModelCache.read(on: connection) }) {
                try SQLSchema.ofFile(connection, madeBy: $0, versionHashes: $1)
            }
            guard options.infersMapping else { throw finder.missingMapping(from: source.model) }
            try checkTables(of: source, connection)
            do {
                // Columns that an earlier migration has left may have the names of new ones.
                if SQLiteDeferredMigration.isPending(metadata) {
                    let work = SQLiteDeferredMigration(connection: connection, schema: source)
                    try work.run(work.steps())
                }
                let files = try externalData.fileNames(on: connection, source)
                try MigrationLog.step("\(path): lightweight migration") {
                    let engine = SQLiteMigrationEngine(connection: connection, externalData: externalData)
                    let plan = try engine.plan(from: source, to: schema, isDeferred: options.defersCleanup)
                    try checkNewColumns(of: source, connection)
                    try plan.run(on: engine, progress: progress)
                    try SQLiteMirroredEntityNumbers.renumber(plan.entityNumbers, on: connection)
                }
                unused = files.subtracting(try externalData.fileNames(on: connection, schema)).sorted()
            } catch let error as NSError where error.userInfo[NSFilePathErrorKey] == nil {
                throw CoreDataErrors.adding(
                    [NSFilePathErrorKey: path, NSURLErrorKey: URL(fileURLWithPath: path)], to: error)
            }
            if !unused.isEmpty {
                journal = try SQLiteExternalJournal.make(
                    for: externalData, identifiers: [metadata.identifier])
                try journal?.record(unused)
            }
            try SQLiteHistoryTables.deleteAll(on: connection)
            var dictionary = metadata.dictionary
            dictionary.merge(SQLiteStoreMetadata.modelKeys(for: schema)) { $1 }
            dictionary[FormerModelVersions.key] = FormerModelVersions.value(
                migrating: metadata.dictionary, to: schema.versionHashes, of: schema.model,
                isExplicit: isExplicit)
            dictionary[SQLiteStoreMetadata.frameworkVersionKey] = NSNumber(value: SQLiteStoreMetadata.frameworkVersion)
            let isIncomplete =
                try options.defersCleanup
                && !SQLiteDeferredMigration(connection: connection, schema: schema).steps().isEmpty
            dictionary[NSPersistentStoreDeferredLightweightMigrationOptionKey] =
                isIncomplete ? NSNumber(value: true) : nil
            try SQLiteStoreMetadata(identifier: metadata.identifier, dictionary: dictionary).write(on: connection)
            try SQLiteModelCache.write(schema.model, on: connection)
        }
        connection.clearStatementCache()
        for name in unused { try? externalData.remove(file: name) }
        withExtendedLifetime(journal) {}
        if givesBackFreePages { connection.giveBackFreePages() }
    }

    /// Checks that the file has the tables of the source model: another program may have given it other metadata.
    private func checkTables(of source: SQLSchema, _ connection: SQLiteConnection) throws {
        guard let missing = try source.missingParts(inFile: connection.tables()).first else { return }
        throw otherTables("\(missing.finding), which the model has that its metadata name.")
    }

    /// Checks that no table has a column already that the migration makes: its values would be lost.
    private func checkNewColumns(of source: SQLSchema, _ connection: SQLiteConnection) throws {
        let present = try connection.tables()
        for table in schema.tables {
            guard let columns = present[table.name], let known = source.tables.first(where: { $0.name == table.name })
            else { continue }
            for column in table.columns where columns.contains(column.name) && known.column(named: column.name) == nil {
                throw otherTables(
                    """
                    Its table \(table.name) has a column \(column.name), which the model of its metadata \
                    doesn\u{2019}t have.
                    """)
            }
        }
    }

    private func otherTables(_ reason: String) -> NSError {
        SQLiteErrors.storeError(
            SQLiteErrors.persistentStoreIncompatibleSchema, path: path, reason: reason,
            suggestion: "Restore the file from a backup, or write the metadata of its model into it.")
    }
}

extension SQLiteHistoryTables {
    /// Deletes the whole history: its changes name entities and columns by the numbers of the old model. Tokens expire.
    static func deleteAll(on connection: SQLiteConnection) throws {
        guard try SQLiteHistoryTables(connection) != nil else { return }
        for entity in [Entity.change, .transaction] {
            let highest = try highestNumber(entity, on: connection)
            if highest > 0 { try record(highest: highest, entity, on: connection) }
            try connection.uncachedStatement("DELETE FROM \(entity.table)").run()
        }
    }
}

extension SQLSchema {
    /// The schema of a file that a model has made with one of its configurations; nil if another model made it.
    ///
    /// - Throws: 259 for a file whose numbers of entities contradict each other.
    static func ofFile(
        _ connection: SQLiteConnection, madeBy model: NSManagedObjectModel, versionHashes: [String: Data]
    ) throws -> SQLSchema? {
        model.freeze()
        for configuration in [nil] + model.configurations.map(Optional.some) {
            let schema = try SQLSchema(model: model, configuration: configuration)
            guard schema.versionHashes == versionHashes else { continue }
            let tables = try connection.tables()
            return try schema.resolved(
                withFile: tables, SQLiteEntityNumbers(of: connection, tables: tables))
        }
        return nil
    }
}
