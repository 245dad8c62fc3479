// SPDX-License-Identifier: Apache-2.0

/// The parts of a store that its opening has found or made.
struct OpenedPostgreSQLStore: @unchecked Sendable {
    // Unchecked: the dictionary of the metadata has values of property lists, which nothing changes.
    let schema: SQLSchema
    let metadata: PostgreSQLStoreMetadata
    /// Nil if the store has no history.
    let history: PostgreSQLHistoryTables?
    let catalog: PostgreSQLCatalog
    /// The number of the model among the models that the store accepts; nil if its version hashes were ignored.
    let modelNumber: Int?
    /// See ``PostgreSQLSession/modelTableOID(_:_:)``.
    let modelTableOID: Int64?
    /// The position of the server's log; nil if it isn't needed.
    let position: Int64?
    let cluster: PostgreSQLCluster
}

/// Opens the store in a schema: creates it if the schema has none, migrates it if the options say so, and checks that
/// the model matches it.
struct PostgreSQLStoreOpener {
    let location: PostgreSQLLocation
    let model: NSManagedObjectModel
    /// Nil for all entities.
    let configuration: String?
    let options: [AnyHashable: Any]?
    /// Whether a store that the opener creates is marked as an incomplete copy of another one.
    var isCopy = false
    /// The UUID of the store that the opener creates. It shows whether this opener has created the store: the answer to
    /// a COMMIT may get lost, and another process may create the store first.
    let newIdentifier = UUID().uuidString

    /// The oldest version of the server that has all features which the store uses.
    private static let minimumServerVersion = 140_000
    /// The first half of the key of the lock under which a store is created.
    private static let creationLock = 1_668_246_893

    private var dialect: PostgreSQLDialect { PostgreSQLDialect(schema: location.schema) }

    /// The dialect in which tables are created.
    private func tableDialect(_ connection: PostgreSQLConnection) -> PostgreSQLDialect {
        PostgreSQLDialect(schema: location.schema, cluster: connection.cluster)
    }

    /// Whether saves are recorded in the history.
    var tracksHistory: Bool { isOn(NSPersistentHistoryTrackingKey) }

    func isOn(_ option: String) -> Bool { (options?[option] as? NSNumber)?.boolValue ?? false }

    func open() throws -> OpenedPostgreSQLStore {
        let connection = try PostgreSQLConnection(location)
        defer { connection.close() }
        guard connection.serverVersion >= Self.minimumServerVersion else {
            throw PostgreSQLError.opening(
                location.publicURL, reason: "The server has the version \(connection.serverVersion / 10_000).",
                suggestion: "Use PostgreSQL 14 or newer.")
        }
        try connection.findCluster()
        let presence = try presence(connection)
        // The identifier is read before all else: if another store takes the place of this one during the opening,
        // saves are refused.
        var modelTableOID = presence.modelTableOID
        if !presence.hasStore {
            guard !location.isReadOnly else {
                throw PostgreSQLError.opening(
                    location.publicURL,
                    reason: "The schema \(location.schema) has no store, and the store is read-only.",
                    suggestion: "Create the store first, or correct the item schema of the URL.")
            }
            try create(connection)
            modelTableOID = try PostgreSQLSession.modelTableOID(connection, dialect)
        } else if !location.isReadOnly, !connection.cluster.isCluster {
            // A user without the right to change the schema goes on without the tables and functions that an older
            // version of this library hasn't made.
            if !presence.hasServerRun { try? connection.executeScript(PostgreSQLServerRun.definition(dialect)) }
            if !presence.hasReservation {
                try? connection.executeScript(PostgreSQLDefinition.replacedReservation(dialect))
            }
        }
        var (catalog, schema) = try content(connection)
        var metadata = try self.metadata(connection)
        guard !metadata.isIncompleteCopy || metadata.identifier == newIdentifier else {
            throw PostgreSQLStoreErrors.incompleteCopy(location.publicURL)
        }
        if migratesAutomatically, catalog.model(withHashes: schema.versionHashes) == nil {
            try PostgreSQLStoreMigrator(opener: self).migrate(to: schema.versionHashes, connection)
            (catalog, schema) = try content(connection)
            metadata = try self.metadata(connection)
        }
        let number = catalog.model(withHashes: schema.versionHashes)
        if number == nil { try checkCompatibility(metadata, schema, connection) }
        try checkTables(of: schema, connection)
        return OpenedPostgreSQLStore(
            schema: schema, metadata: metadata, history: try history(connection), catalog: catalog, modelNumber: number,
            modelTableOID: modelTableOID, position: location.replicas.isEmpty ? nil : try connection.logPosition(),
            cluster: connection.cluster)
    }

    private func metadata(_ connection: PostgreSQLConnection) throws -> PostgreSQLStoreMetadata {
        if let metadata = try PostgreSQLStoreMetadata(on: connection, dialect) { return metadata }
        throw PostgreSQLStoreErrors.damaged(location.publicURL, "Its table z_metadata is empty.")
    }

    private var migratesAutomatically: Bool {
        isOn(NSMigratePersistentStoresAutomaticallyOption) && !location.isReadOnly
            && !isOn(NSIgnorePersistentStoreVersioningOption)
    }

    /// The catalog of the store, and the schema of the model with its numbers.
    private func content(_ connection: PostgreSQLConnection) throws -> (PostgreSQLCatalog, SQLSchema) {
        let catalog = try PostgreSQLCatalog(connection, dialect)
        let schema = try SQLSchema(postgreSQL: model, configuration: configuration, storedNumbers: catalog.numbers)
        return (catalog, schema)
    }

    /// The tables of the history, which are created if the store is to record it.
    private func history(_ connection: PostgreSQLConnection) throws -> PostgreSQLHistoryTables? {
        if let tables = try PostgreSQLHistoryTables(connection, dialect) { return tables }
        guard tracksHistory, !location.isReadOnly else { return nil }
        return try connection.transaction {
            try lock(connection)
            if let tables = try PostgreSQLHistoryTables(connection, dialect) { return tables }
            try PostgreSQLHistoryTables.create(connection, tableDialect(connection))
            return try PostgreSQLHistoryTables(connection, dialect)
        }
    }

    /// Locks the store for a change of its tables, until the transaction ends.
    private func lock(_ connection: PostgreSQLConnection) throws {
        try Self.lock(location.schema, connection)
    }

    static func lock(_ schema: String, _ connection: PostgreSQLConnection) throws {
        _ = try connection.execute(
            "SELECT pg_advisory_xact_lock($1::integer, hashtext($2))",
            PostgreSQLParameters([.integer(Int64(Self.creationLock)), .text(schema)]))
        // A session learns which tables other sessions have created or dropped when it locks a table.
        try connection.executeScript("SELECT FROM pg_class LIMIT 0")
    }

    /// The parts of a store that the schema has.
    private struct Presence {
        var hasStore = false
        /// Whether the store has the table of the server's run.
        var hasServerRun = false
        /// Whether the store has the reservation of keys as it is now.
        var hasReservation = false
        /// See ``PostgreSQLSession/modelTableOID(_:_:)``.
        var modelTableOID: Int64?
    }

    private func presence(_ connection: PostgreSQLConnection) throws -> Presence {
        let result = try connection.execute(
            """
            SELECT to_regclass($1) IS NOT NULL, to_regclass($2) IS NOT NULL, \
            \(PostgreSQLDefinition.hasReservation(dialect)), to_regclass($3)::oid::bigint
            """,
            PostgreSQLParameters([
                .text(dialect.table("z_metadata")), .text(dialect.table(PostgreSQLServerRun.tableName)),
                .text(dialect.table("z_modelcache")),
            ]))
        guard result.rowCount > 0 else { return Presence() }
        let hasOID = !connection.cluster.isCluster && !result[0].isNull(3)
        return Presence(
            hasStore: result[0].bool(0), hasServerRun: result[0].bool(1), hasReservation: result[0].bool(2),
            modelTableOID: hasOID ? result[0].int64(3) : nil)
    }

    /// Creates the tables in one transaction, unless another process has created the store by then.
    private func create(_ connection: PostgreSQLConnection) throws {
        let schema = try SQLSchema(postgreSQL: model, configuration: configuration)
        let metadata = try PostgreSQLStoreMetadata(newStoreFor: schema, identifier: newIdentifier, isCopy: isCopy)
        let statements = try PostgreSQLDefinition(schema, name: location.schema, cluster: connection.cluster)
            .statements()
        try connection.transaction {
            try lock(connection)
            if try presence(connection).hasStore { return }
            try connection.createSchema()
            for statement in statements { try connection.executeScript(statement) }
            if tracksHistory { try PostgreSQLHistoryTables.create(connection, tableDialect(connection)) }
            for statement in PostgreSQLCatalog().statements(for: schema, dialect) {
                try connection.run(statement.statement(dialect))
            }
            try PostgreSQLCatalog.addModel(of: schema, keepsOthers: false, connection, dialect)
            try metadata.write(on: connection, dialect)
        }
    }

    // MARK: Checks

    private func checkCompatibility(
        _ metadata: PostgreSQLStoreMetadata, _ schema: SQLSchema, _ connection: PostgreSQLConnection
    ) throws {
        if isOn(NSIgnorePersistentStoreVersioningOption) { return }
        let dictionary = metadata.dictionary
        throw StoreIncompatibility(
            storeHashes: NSManagedObjectModel.versionHashes(inStoreMetadata: dictionary) ?? [:],
            expected: schema.versionHashes, model: model,
            cachedModel: try? PostgreSQLCatalog.newestModel(connection, dialect)
        ).incompatibleVersionError(
            path: location.publicURL.absoluteString, metadata: dictionary, isReadOnly: location.isReadOnly)
    }

    /// Checks that the schema has every table and column of the model. It may have more.
    private func checkTables(of schema: SQLSchema, _ connection: PostgreSQLConnection) throws {
        guard let missing = try PostgreSQLStoredTables(connection, dialect).missing(of: schema).first else { return }
        throw incompatible("\(missing.finding), which the model requires.")
    }

    /// A name as the server has it: one without quotes is in lower case.
    static func stored(_ name: String) -> String {
        SQLGenerator.identifier(name) == name ? name.lowercased() : name
    }

    private func incompatible(_ reason: String) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreIncompatibleSchemaError,
            "The store \u{201c}\(location.publicURL.absoluteString)\u{201d} couldn\u{2019}t be opened.", reason: reason,
            suggestion: "Open it with the model it was made from.",
            userInfo: [NSURLErrorKey: location.publicURL])
    }
}
