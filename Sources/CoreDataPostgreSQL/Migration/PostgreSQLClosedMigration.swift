// SPDX-License-Identifier: Apache-2.0

/// Lightweight migrations of a store that no coordinator has open.
///
/// The given model itself is used, since the store keeps it: the next migration compares it with its model.
package struct PostgreSQLClosedMigration {
    private let store: PostgreSQLClosedStore

    package init(at url: URL) throws { store = try PostgreSQLClosedStore(url, nil) }

    /// Migrates the store, unless it accepts the model.
    ///
    /// - Parameters:
    ///   - model: the model to migrate to. The store keeps the configuration of its present model.
    ///   - isDeferred: whether parts that only older programs use may stay.
    /// - Returns: whether something of older versions is left.
    /// - Throws: 260 for a schema without a store, and the errors of ``PostgreSQLStoreMigrator``.
    package func migrate(to model: NSManagedObjectModel, isDeferred: Bool) throws -> Bool {
        try open(
            model,
            [
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
                NSMigratePersistentStoresToFormerVersionOption: NSNumber(value: true),
                NSPersistentStoreDeferredLightweightMigrationOptionKey: NSNumber(value: isDeferred),
            ]
        ).metadata.isIncomplete
    }

    /// The steps of a migration. The store is only read.
    ///
    /// - Parameters:
    ///   - source: the model of the store.
    ///   - model: the model to migrate to. The store keeps the configuration of its present model.
    /// - Returns: the steps. The cleanup that an earlier migration has deferred comes first.
    /// - Throws: 260 for a schema without a store, `NSInferredMappingModelError` (134190).
    package func steps(from source: NSManagedObjectModel, to model: NSManagedObjectModel) throws -> [SQLMigrationStep] {
        let model = model.copy() as? NSManagedObjectModel ?? model
        source.freeze()
        model.freeze()
        return try store.read { access in
            try access.connection.transaction {
                let hashes =
                    NSManagedObjectModel.versionHashes(inStoreMetadata: try access.metadata().dictionary) ?? [:]
                let plan = try PostgreSQLMigrationEngine(
                    connection: access.connection, catalog: PostgreSQLCatalog(access.connection, access.dialect)
                ).plan(
                    from: access.schema(source), to: model,
                    configuration: StoreIncompatibility.configuration(of: model, source: source, storeHashes: hashes),
                    isDeferred: false)
                return plan.cleanup + plan.steps.steps
            }
        }
    }

    /// Removes what migrations have left for older programs.
    ///
    /// - Parameter model: the model of the store.
    /// - Returns: whether there was something.
    /// - Throws: 260 for a schema without a store, `NSPersistentStoreIncompatibleVersionHashError` (134100) for another
    ///   model.
    package func finish(_ model: NSManagedObjectModel) throws -> Bool {
        let opened = try open(model, [:])
        guard opened.metadata.isIncomplete else { return false }
        try store.write { access in
            let work = PostgreSQLDeferredMigration(connection: access.connection, dialect: access.dialect)
            while try !work.finishPart(schema: opened.schema, modelNumber: opened.modelNumber) {}
        }
        return true
    }

    private func open(_ model: NSManagedObjectModel, _ options: [AnyHashable: Any]) throws -> OpenedPostgreSQLStore {
        let configuration = try store.read { access in
            let metadata = try access.metadata()
            return StoreIncompatibility.configuration(
                of: model, source: try PostgreSQLCatalog.newestModel(access.connection, access.dialect),
                storeHashes: NSManagedObjectModel.versionHashes(inStoreMetadata: metadata.dictionary) ?? [:])
        }
        model.freeze()
        let opener = PostgreSQLStoreOpener(
            location: store.location, model: model, configuration: configuration, options: options)
        return try PostgreSQLStoreErrors.converting(store.location.publicURL, .opening) { try opener.open() }
    }
}
