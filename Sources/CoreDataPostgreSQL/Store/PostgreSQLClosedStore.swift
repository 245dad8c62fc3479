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

    /// Runs a block with a connection of its own.
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

    /// Changes the store in one transaction. The change is repeated if the transaction meets another one, or loses its
    /// connection: a repetition finds what an attempt before has done.
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

    /// Removes the store, in the open transaction. Nothing happens if there is none.
    ///
    /// - Parameters:
    ///   - identifier: the UUID of the only store that is removed; nil for any store.
    ///   - keepsSchema: whether the schema stays though nothing is left in it. `public` always does.
    func removeStore(_ identifier: String? = nil, keepsSchema: Bool) throws {
        try PostgreSQLStoreOpener.lock(location.schema, connection)
        // Another process may have removed or replaced the store before this one got the lock.
        guard try contents() == .store else { return }
        if let identifier, try metadata().identifier != identifier { return }
        try waitForSaves()
        for statement in try dropStatements() { try connection.executeScript(statement) }
        guard !keepsSchema, location.schema != PostgreSQLLocation.defaultSchema, try isDroppable() else { return }
        try connection.executeScript("DROP SCHEMA IF EXISTS \(dialect.schemaText)")
    }

    /// Waits for the running saves, and has further ones wait. Saves lock a table of the store first, so that none is
    /// met that has locked a part of the tables.
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

    private static let systemTables = PostgreSQLCatalog.tableNames + ["z_transaction", "z_change", "z_history"]

    /// The statements that drop the tables, sequences and functions of the store. Indexes and triggers go with their
    /// tables.
    private func dropStatements() throws -> [String] {
        func names(_ text: String) throws -> [String] {
            let result = try connection.execute(text, PostgreSQLParameters([.text(dialect.schemaText)]))
            return result.map { $0.text(0) }
        }
        // Tables of entities have the three columns of Core Data; join tables have two keys, and names with a number.
        // A name with other letters than those of ASCII is in quotes, and so in upper case.
        let tables = try names(
            """
            SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r' \
            AND (c.relname IN (\(Self.systemTables.map { "'\($0)'" }.joined(separator: ", "))) \
            OR 3 = (SELECT COUNT(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped \
            AND a.attname IN ('z_pk', 'z_ent', 'z_opt')) \
            OR c.relname ~* '^z_[0-9]' AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid \
            AND a.attnum > 0 AND NOT a.attisdropped \
            AND (a.atttypid <> 'bigint'::regtype OR a.attname !~* '^(z_|reflexive$)'))) \
            ORDER BY 1
            """)
        let sequences = try names(
            """
            SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'S' \
            ORDER BY 1
            """
        ).filter { sequence in
            tables.contains { PostgreSQLStoreOpener.stored(PostgreSQLDefinition.sequence($0)) == sequence }
        }
        let functions = try names(
            """
            SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = to_regnamespace($1) \
            AND (p.proname LIKE 'z\\_da\\_%' OR p.proname LIKE 'z\\_nd\\_%' OR p.proname LIKE 'z\\_maybe\\_%' \
            OR p.proname IN ('z_utf16_length', 'z_text_equal', 'z_text_begins', \
            'z_text_ends', 'z_text_contains', 'z_reserve_keys')) ORDER BY 1
            """)
        func quoted(_ name: String) -> String { dialect.schemaText + "." + PostgreSQLDialect.quoted(name) }
        return tables.map { "DROP TABLE \(quoted($0)) CASCADE" } + sequences.map { "DROP SEQUENCE \(quoted($0))" }
            // The name has its schema if that isn't searched.
            + functions.map { "DROP FUNCTION \($0) CASCADE" }
    }
}
