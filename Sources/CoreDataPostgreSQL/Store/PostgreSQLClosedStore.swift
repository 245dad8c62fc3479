// SPDX-License-Identifier: Apache-2.0

/// A store that isn't open: the place that a URL names.
struct PostgreSQLClosedStore {
    let location: PostgreSQLLocation

    private static let fileReadNoSuchFile = 260
    private static let fileWriteNoPermission = 513
    /// The SQLSTATE of a database that doesn't exist.
    private static let invalidCatalogName = "3D000"

    init(_ url: URL, _ options: [AnyHashable: Any]?) throws {
        location = try PostgreSQLLocation(url: url, options: options)
    }

    /// Runs a block with a new connection.
    func withAccess<Result>(_ body: (Access) throws -> Result) throws -> Result {
        let connection = try PostgreSQLConnection(location)
        defer { connection.close() }
        try connection.findCluster()
        return try body(Access(connection: connection))
    }

    func read<Result>(_ body: (Access) throws -> Result) throws -> Result {
        try PostgreSQLStoreErrors.converting(location.publicURL, .openingForReading) { try withAccess(body) }
    }

    func write<Result>(_ body: (Access) throws -> Result) throws -> Result {
        try PostgreSQLStoreErrors.converting(location.publicURL, .writing) { try withAccess(body) }
    }

    /// Changes the store in one transaction. The change is repeated if the transaction is in conflict with another one,
    /// or loses its connection: a repetition finds the work of earlier attempts.
    func change(_ body: (Access) throws -> Void) throws {
        try PostgreSQLStoreErrors.converting(location.publicURL, .writing) {
            try PostgreSQLRepetition.run {
                try withAccess { access in try access.connection.transaction { try body(access) } }
            }
        }
    }

    /// The contents of the schema that the URL names: nothing in a database that doesn't exist.
    func contents() throws -> StoreLocationContents {
        try PostgreSQLStoreErrors.converting(location.publicURL, .openingForReading) {
            do {
                return try withAccess { try $0.contents() }
            } catch let failure as PostgreSQLFailure where failure.sqlState == Self.invalidCatalogName {
                return .missing
            }
        }
    }

    /// - Throws: 513 for options that say that the store is read-only.
    func checkWritable() throws {
        guard location.isReadOnly else { return }
        throw CoreDataErrors.error(
            Self.fileWriteNoPermission,
            "The store \u{201c}\(location.publicURL.absoluteString)\u{201d} can\u{2019}t be changed.",
            reason: "The options say that the store is read-only.",
            suggestion: "Leave out NSReadOnlyPersistentStoreOption.", userInfo: [NSURLErrorKey: location.publicURL])
    }

    static func missing(_ url: URL) -> NSError {
        CoreDataErrors.error(
            fileReadNoSuchFile, "The store \u{201c}\(url.absoluteString)\u{201d} couldn\u{2019}t be read.",
            reason: "The schema has no store.", suggestion: "Check the URL and its item schema.",
            userInfo: [NSURLErrorKey: url])
    }
}

extension PostgreSQLClosedStore {
    /// A connection to the database of a store.
    struct Access {
        let connection: PostgreSQLConnection

        var location: PostgreSQLLocation { connection.location }
        var dialect: PostgreSQLDialect { PostgreSQLDialect(schema: location.schema, cluster: connection.cluster) }
    }
}

extension PostgreSQLClosedStore.Access {
    func contents() throws -> StoreLocationContents {
        let result = try connection.execute(
            "SELECT to_regnamespace($1) IS NOT NULL, to_regclass($2) IS NOT NULL",
            PostgreSQLParameters([.text(dialect.schemaText), .text(dialect.table("z_metadata"))]))
        if result[0].bool(1) { return .store }
        return result[0].bool(0) ? .empty : .missing
    }

    /// Whether both connections lead to one database. URLs don't tell: a server has several names and addresses. A lock
    /// of a random key does, since only sessions of one database meet at it.
    func hasDatabase(of other: Self) throws -> Bool {
        let key = PostgreSQLParameters([.integer(Int64.random(in: .min ... .max))])
        let text = "SELECT pg_try_advisory_xact_lock($1::bigint)"
        return try other.connection.transaction {
            try other.connection.execute(text, key)
            return try !connection.execute(text, key)[0].bool(0)
        }
    }

    /// - Throws: 260 for a schema without a store, 259 for damaged metadata.
    func metadata() throws -> PostgreSQLStoreMetadata {
        guard try contents() == .store else { throw PostgreSQLClosedStore.missing(location.publicURL) }
        if let metadata = try PostgreSQLStoreMetadata(on: connection, dialect) { return metadata }
        throw PostgreSQLStoreErrors.damaged(location.publicURL, "Its table z_metadata is empty.")
    }

    /// - Throws: `NSPersistentStoreOpenError` (134080) for an incomplete copy, and the errors of ``metadata()``.
    func completeMetadata() throws -> PostgreSQLStoreMetadata {
        let metadata = try metadata()
        guard !metadata.isIncompleteCopy else { throw PostgreSQLStoreErrors.incompleteCopy(location.publicURL) }
        return metadata
    }

    /// The model that the store was made from.
    func cachedModel() throws -> NSManagedObjectModel {
        _ = try metadata()
        let found: NSManagedObjectModel?
        do {
            found = try PostgreSQLCatalog.newestModel(connection, dialect)
        } catch let error as PostgreSQLFailure {
            throw error
        } catch {
            throw PostgreSQLStoreErrors.damaged(location.publicURL, "Its model cache is damaged: \(error)")
        }
        guard let found else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError,
                "The model of the store \(location.publicURL.absoluteString) can\u{2019}t be read.",
                reason: "The store contains no model (its table z_modelcache is empty).",
                suggestion: "Load its model from a file.", userInfo: [NSURLErrorKey: location.publicURL])
        }
        return found
    }

    /// The schema of the store as a model has made it.
    func schema(_ model: NSManagedObjectModel) throws -> SQLSchema {
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: try metadata().dictionary) ?? [:]
        return try SQLSchema(
            postgreSQL: model, configuration: StoreIncompatibility.configuration(of: model, storeHashes: hashes),
            storedNumbers: try PostgreSQLCatalog(connection, dialect).numbers)
    }

    // MARK: Removing

    /// Checks that nothing of other programs depends on the objects of the store.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) with the names of what does.
    func checkRemovable() throws { try PostgreSQLStoreParts(connection, dialect).checkRemovable() }

    /// Removes the store, in the open transaction. Nothing happens if there is none.
    ///
    /// - Parameters:
    ///   - identifier: the UUID of the only store that is removed; nil for any store.
    ///   - keepsSchema: whether the schema stays though nothing is left in it. `public` always does.
    /// - Throws: `NSPersistentStoreOperationError` (134070) if objects of other programs depend on the store's.
    func removeStore(_ identifier: String? = nil, keepsSchema: Bool) throws {
        try PostgreSQLStoreOpener.lock(location.schema, connection)
        // Another process may have removed or replaced the store before this one got the lock.
        guard try contents() == .store else { return }
        if let identifier, try metadata().identifier != identifier { return }
        try waitForSaves()
        let parts = try PostgreSQLStoreParts(connection, dialect)
        try parts.checkRemovable()
        for statement in parts.dropStatements { try connection.executeScript(statement) }
        guard !keepsSchema, location.schema != PostgreSQLLocation.defaultSchema, try isDroppable() else { return }
        try connection.executeScript("DROP SCHEMA IF EXISTS \(dialect.schemaText)")
    }

    /// Waits for the running saves, and makes further saves wait. Each save first locks a table of the store, so that
    /// no waiting save has locked a part of the tables.
    private func waitForSaves() throws {
        let result = try connection.execute(
            "SELECT to_regclass($1) IS NOT NULL", PostgreSQLParameters([.text(dialect.table("z_modelcache"))]))
        if result[0].bool(0) { try PostgreSQLModelLock.lock(connection, dialect) }
    }

    /// Whether the schema has no objects, of other programs neither, and the user owns it and could make it again. A
    /// schema that an administrator has prepared for the user stays.
    private func isDroppable() throws -> Bool {
        let result = try connection.execute(
            """
            SELECT pg_has_role(n.nspowner, 'USAGE') AND has_database_privilege(current_database(), 'CREATE') \
            AND NOT EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_namespace'::regclass AND refobjid = n.oid) \
            FROM pg_namespace n WHERE n.oid = to_regnamespace($1)
            """, PostgreSQLParameters([.text(dialect.schemaText)]))
        return result.rowCount > 0 && result[0].bool(0)
    }
}
