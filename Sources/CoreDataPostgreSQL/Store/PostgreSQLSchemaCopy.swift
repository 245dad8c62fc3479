// SPDX-License-Identifier: Apache-2.0

/// Replaces a store by a copy of another one, in one transaction of the destination.
///
/// New tables are made from the model in the source, and get the source's rows in binary form. The source is read in
/// one transaction, so that the copy contains a save completely or not at all.
struct PostgreSQLSchemaCopy {
    private let source: PostgreSQLClosedStore.Access
    private let target: PostgreSQLClosedStore.Access
    private let replaces: Bool

    /// - Parameter replaces: whether the destination had a store before. Otherwise a store there belongs to another
    ///   process, and stays.
    init(from source: PostgreSQLClosedStore.Access, to target: PostgreSQLClosedStore.Access, replaces: Bool) {
        self.source = source
        self.target = target
        self.replaces = replaces
    }

    func run() throws {
        try source.connection.executeScript(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(PostgreSQLConnection.unlimitedIdleTime)")
        let metadata = try source.completeMetadata()
        let model = try source.cachedModel()
        model.freeze()
        let schema = try source.schema(model)
        let hasHistory = try !columns(of: source)["z_history", default: []].isEmpty
        try converting(target) {
            try target.connection.begin()
            try PostgreSQLStoreOpener.lock(target.location.schema, target.connection)
            if try target.contents() == .store {
                guard replaces else { throw appeared }
                // The rights to the schema, and its owner, stay.
                try target.removeStore(keepsSchema: true)
            }
            try target.connection.createSchema()
        }
        let statements = try PostgreSQLDefinition(
            schema, name: target.location.schema, cluster: target.connection.cluster
        ).statements()
        // Rows are copied before indexes and triggers exist: derived values are copied too.
        let first = ["CREATE TABLE", "CREATE SEQUENCE", "CREATE FUNCTION"]
        let isFirst = { (statement: String) in first.contains { statement.hasPrefix($0) } }
        try execute(statements.filter(isFirst))
        if hasHistory {
            try converting(target) {
                try PostgreSQLHistoryTables.create(target.connection, target.dialect)
                try target.connection.executeScript("DELETE FROM \(target.dialect.table("z_history"))")
            }
        }
        try copyTables()
        try forgetOlderModels(metadata)
        try execute(statements.filter { !isFirst($0) })
        try copySequences(schema, hasHistory: hasHistory)
        try converting(target) { try target.connection.commit() }
    }

    /// The error of a store that wasn't there before.
    private var appeared: NSError {
        let url = target.location.publicURL
        return CoreDataErrors.error(
            NSPersistentStoreOperationError,
            "The store \u{201c}\(url.absoluteString)\u{201d} can\u{2019}t be replaced.",
            reason: "Another process has made it since the copy began.",
            suggestion: "Use that store, or replace it once more.", userInfo: [NSURLErrorKey: url])
    }

    /// Runs a block whose failures come from one of the stores.
    private func converting<Result>(_ access: PostgreSQLClosedStore.Access, _ body: () throws -> Result) throws
        -> Result
    {
        try PostgreSQLStoreErrors.converting(access.location.publicURL, .writing, body)
    }

    private func execute(_ statements: [String]) throws {
        try converting(target) { for statement in statements { try target.connection.executeScript(statement) } }
    }

    /// The copy has the tables of the newest model only, without tables and columns that are left of older models.
    private func forgetOlderModels(_ metadata: PostgreSQLStoreMetadata) throws {
        try converting(target) {
            let (connection, dialect) = (target.connection, target.dialect)
            if let newest = try PostgreSQLCatalog(connection, dialect).models.last {
                try PostgreSQLCatalog.deleteModels(olderThan: Int64(newest.number), connection, dialect)
            }
            var dictionary = metadata.dictionary
            guard dictionary.removeValue(forKey: NSPersistentStoreDeferredLightweightMigrationOptionKey) != nil else {
                return
            }
            try PostgreSQLStoreMetadata(identifier: metadata.identifier, replacedBy: dictionary).write(
                on: connection, dialect)
        }
    }

    // MARK: Rows

    private func columns(of access: PostgreSQLClosedStore.Access) throws -> [String: [String]] {
        try PostgreSQLStoredTables(access.connection, access.dialect).columns
    }

    private func copyTables() throws {
        let present = try columns(of: source)
        for (table, columns) in try converting(target, { try self.columns(of: target) }).sorted(by: { $0.key < $1.key })
        {
            // The source may have columns that the model doesn't know, but not fewer.
            guard table != "z_unused", let existing = present[table] else { continue }
            let shared = columns.filter(existing.contains).map(PostgreSQLDialect.quoted).joined(separator: ", ")
            guard !shared.isEmpty else { continue }
            func name(_ access: PostgreSQLClosedStore.Access) -> String {
                access.dialect.schemaText + "." + PostgreSQLDialect.quoted(table)
            }
            try source.connection.copyOut(
                "COPY \(name(source)) (\(shared)) TO STDOUT (FORMAT binary)",
                into: target.connection, "COPY \(name(target)) (\(shared)) FROM STDIN (FORMAT binary)"
            ) { failure in failure.storeError(url: target.location.publicURL, operation: .writing) }
        }
    }

    // MARK: Keys

    /// New keys are greater than the keys of the source. A sequence isn't part of a transaction: its value is at least
    /// the greatest key among the rows that were read.
    private func copySequences(_ schema: SQLSchema, hasHistory: Bool) throws {
        for table in schema.tables {
            let sequence = PostgreSQLDefinition.sequence(table.name)
            let state = try source.connection.execute(
                "SELECT last_value, is_called FROM \(source.dialect.table(sequence))")
            guard state.rowCount > 0 else { continue }
            try converting(target) {
                _ = try target.connection.execute(
                    "SELECT setval($1::text::regclass, $2, \(state[0].bool(1)))",
                    PostgreSQLParameters([.text(target.dialect.table(sequence)), .integer(state[0].int64(0))]))
            }
        }
        guard hasHistory else { return }
        try converting(target) {
            let highest = try target.connection.execute(
                "SELECT COALESCE(MAX(z_number), 0) FROM \(target.dialect.table("z_change"))")
            let sequence = PostgreSQLHistoryTables.numberSequence
            let name =
                target.connection.cluster.isCluster
                ? "$1::text::regclass" : "pg_get_serial_sequence($1, 'z_number')::regclass"
            let table = target.connection.cluster.isCluster ? sequence : "z_change"
            _ = try target.connection.execute(
                "SELECT setval(\(name), $2, false)",
                PostgreSQLParameters([.text(target.dialect.table(table)), .integer(highest[0].int64(0) + 1)]))
        }
    }
}
