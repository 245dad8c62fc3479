// SPDX-License-Identifier: Apache-2.0

/// Migrates a store that was made from another model, when it is opened with
/// `NSMigratePersistentStoresAutomaticallyOption`.
///
/// One process migrates for all. Other processes that open the store during the migration wait, and find the migrated
/// store. Programs that have it open go on if the migration only adds to the store (``CompatibleMigration``); otherwise
/// their next request fails with `NSPersistentStoreIncompatibleVersionHashError` (134100).
struct PostgreSQLStoreMigrator {
    let opener: PostgreSQLStoreOpener

    /// How long one attempt waits for a lock, in seconds. Programs that want to use the tables wait behind it.
    private static let lockTimeout: TimeInterval = 3
    /// How long all attempts take together, in seconds, unless `NSPersistentStoreTimeoutOption` says otherwise.
    private static let defaultTimeout: TimeInterval = 240

    private var location: PostgreSQLLocation { opener.location }
    private var dialect: PostgreSQLDialect { PostgreSQLDialect(schema: location.schema) }

    /// Migrates the store, unless another process has migrated it by the time this one has the lock.
    ///
    /// - Parameter hashes: the version hashes of the model, which the store doesn't accept yet.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130) if no model has made the store,
    ///   `NSMigrationMissingMappingModelError` (134140) if the options don't allow to infer the mapping,
    ///   `NSInferredMappingModelError` (134190) if the models differ too much, `NSMigrationError` (134110) and
    ///   `NSMigrationConstraintViolationError` (134111) for values that the new model doesn't allow,
    ///   `NSPersistentStoreTimeoutError` (134090) if other programs lock the tables. The store is then as before.
    func migrate(to hashes: [String: Data], _ connection: PostgreSQLConnection) throws {
        let end = ContinuousClock.now + .seconds(timeout)
        while true {
            do {
                return try attempt(hashes, connection)
            } catch let error as NSError
                where error.domain == NSCocoaErrorDomain && error.userInfo[NSURLErrorKey] == nil
            {
                throw CoreDataErrors.adding([NSURLErrorKey: location.publicURL], to: error)
            } catch let failure as PostgreSQLFailure
                where (failure.isLockTimeout || failure.isSerializationFailure) && ContinuousClock.now < end
            {
                MigrationLog.write("\(location.publicURL.absoluteString): other programs use the tables; trying again")
                Thread.sleep(forTimeInterval: Double.random(in: 0.05...0.25))
            }
        }
    }

    /// Whether the migration may lead to a former version of the store.
    private var migratesBack: Bool { opener.isOn(NSMigratePersistentStoresToFormerVersionOption) }

    private var timeout: TimeInterval {
        let given = (opener.options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue
        return max(0, min(given ?? Self.defaultTimeout, 1e9))
    }

    private func attempt(_ hashes: [String: Data], _ connection: PostgreSQLConnection) throws {
        let name = location.publicURL.absoluteString
        let isMigrated = try connection.transaction {
            let milliseconds = max(1, Int(min(Self.lockTimeout, timeout) * 1000))
            try connection.executeScript(
                "SET LOCAL lock_timeout = \(milliseconds); \(PostgreSQLConnection.unlimitedIdleTime)")
            try PostgreSQLStoreOpener.lock(location.schema, connection)
            // Transactions that save, and snapshots that programs keep, hold a lock of this table.
            try PostgreSQLModelLock.lock(connection, dialect)
            let catalog = try PostgreSQLCatalog(connection, dialect)
            guard catalog.model(withHashes: hashes) == nil else {
                MigrationLog.write("\(name): another process has migrated the store already")
                return false
            }
            guard let metadata = try PostgreSQLStoreMetadata(on: connection, dialect) else {
                throw PostgreSQLStoreErrors.damaged(location.publicURL, "Its table z_metadata is empty.")
            }
            try FormerModelVersions.check(
                metadata.dictionary, hashes: hashes, model: opener.model, isAllowed: migratesBack, store: name)
            let finder = SQLMigrationSource(
                path: name, metadata: metadata.dictionary, destination: opener.model, expected: hashes)
            let cached = { try PostgreSQLCatalog.newestModel(connection, dialect) }
            let source = try finder.schema(known: nil, cached: cached) { model, hashes in
                let schema = try SQLSchema(
                    postgreSQL: model,
                    configuration: StoreIncompatibility.configuration(of: model, storeHashes: hashes),
                    storedNumbers: catalog.numbers)
                return schema.versionHashes == hashes ? schema : nil
            }
            guard opener.isOn(NSInferMappingModelAutomaticallyOption) else {
                throw finder.missingMapping(from: source.model)
            }
            try lockTables(of: source, connection)
            try MigrationLog.step("\(name): lightweight migration") {
                try migrate(source, catalog, metadata, connection)
            }
            return true
        }
        guard isMigrated else { return }
        // Other processes then read the history, or find that they can't go on.
        _ = try connection.execute(
            "SELECT pg_notify($1, '0')",
            PostgreSQLParameters([.text(PostgreSQLNotifier.channel(schema: location.schema))]))
    }

    /// Migrates, in the open transaction.
    private func migrate(
        _ source: SQLSchema, _ catalog: PostgreSQLCatalog, _ metadata: PostgreSQLStoreMetadata,
        _ connection: PostgreSQLConnection
    ) throws {
        let cleanup = PostgreSQLDeferredMigration(connection: connection, dialect: dialect)
        let engine = PostgreSQLMigrationEngine(connection: connection, catalog: catalog)
        let plan = try engine.plan(
            from: source, to: opener.model, configuration: opener.configuration,
            isDeferred: opener.isOn(NSPersistentStoreDeferredLightweightMigrationOptionKey))
        MigrationLog.write(
            plan.isCompatible ? "programs with the older model can go on" : "programs with the older model can't go on")
        try cleanup.run(plan.cleanup)
        try plan.steps.run(on: engine)
        let isIncomplete = try cleanup.hasParts()
        try metadata.replacingModel(by: plan.destination, isIncomplete: isIncomplete, isExplicit: migratesBack)
            .write(on: connection, dialect)
        try PostgreSQLCatalog.addModel(
            of: plan.destination, keepsOthers: plan.isCompatible, connection, dialect)
    }

    /// All locks are taken first, and in one order, so that a migration doesn't run into a conflict halfway.
    private func lockTables(of schema: SQLSchema, _ connection: PostgreSQLConnection) throws {
        let names = (schema.tables.map(\.name) + schema.joinTables.map(\.name)).sorted()
        guard !names.isEmpty else { return }
        try connection.executeScript(
            "LOCK TABLE \(names.map(dialect.table).joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
    }
}
