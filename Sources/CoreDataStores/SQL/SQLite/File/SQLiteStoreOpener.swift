// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Opens an existing store file and checks that the model matches it.
struct SQLiteStoreOpener {
    let path: String
    /// The model's schema, before the names of join tables are read from the file.
    let schema: SQLSchema
    let options: SQLiteStoreOptions
    let isLogged: Bool
    /// Called before the store is migrated; nil for a store that finds its model itself.
    let sourceModel: SQLiteStoreFile.SourceModel?

    func open() throws -> SQLiteStoreFile {
        let connection =
            try options.isReadOnly
            ? Self.readOnlyConnection(path: path, isLogged: isLogged, options)
            : SQLiteConnection(
                path: path, mode: .readWrite, timeout: options.timeout, encryptionKey: options.encryptionKey)
        // In a database without tables another process is creating the store, or was stopped before it had.
        if !options.isReadOnly, try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0 {
            return try SQLiteStoreCreator(path: path, schema: self.schema, options: options).create()
        }
        var content = try content(of: connection)
        if content.isOfOtherModel, options.migrates, !options.isReadOnly, !options.ignoresVersioning {
            let metadata = content.metadata.dictionary
            try SQLiteStoreMigrator(
                path: path, schema: content.expected, options: options,
                sourceModel: try sourceModel?(metadata, try? SQLiteModelCache.read(on: connection))
            ).migrate(connection)
            content = try self.content(of: connection)
        }
        // Checks come before anything is written: the file may belong to another model.
        if content.isOfOtherModel, !options.ignoresVersioning { throw incompatibleVersion(content, connection) }
        let schema = try content.expected.resolved(withFile: content.tables, content.numbers)
        try checkTables(of: schema, against: content.tables)
        try Self.configure(connection, options)
        if !options.isReadOnly {
            SQLiteExternalRecovery(
                connection: connection, externalData: SQLiteExternalData(storePath: path),
                identifier: content.metadata.identifier
            ).run()
            if options.analyzes { try connection.run("ANALYZE") }
            if options.vacuums { try connection.run("VACUUM") }
            if options.tracksHistory { try SQLiteHistoryTables.complete(on: connection, schema) }
        }
        let history = try connection.withReadTransaction { try SQLiteHistoryTables(connection) }
        // A save that isn't recorded would be a gap in the history, which other programs rely on.
        let isReadOnly = options.isReadOnly || history != nil && !options.tracksHistory
        if isReadOnly && !options.isReadOnly { try connection.setPragma("query_only", "1") }
        return SQLiteStoreFile(
            path: path, connection: connection, schema: schema, isReadOnly: isReadOnly, wasCreated: false,
            stored: content.metadata, dataVersion: content.dataVersion, history: history)
    }

    /// The statements of a file about itself, as one transaction has read them.
    private struct Content {
        let metadata: SQLiteStoreMetadata
        /// The version of the file on the connection.
        let dataVersion: UInt32
        /// The columns of each table.
        let tables: [String: [String]]
        let numbers: SQLiteEntityNumbers
        /// The schema that the file should have.
        let expected: SQLSchema

        var versionHashes: [String: Data]? { NSManagedObjectModel.versionHashes(inStoreMetadata: metadata.dictionary) }

        /// Whether the file's entities or their version hashes differ from the schema's.
        var isOfOtherModel: Bool { versionHashes != expected.versionHashes }
    }

    private func content(of connection: SQLiteConnection) throws -> Content {
        try connection.withReadTransaction {
            let metadata = try SQLiteStoreMetadata.read(on: connection)
            let tables = try connection.tables()
            return Content(
                metadata: metadata, dataVersion: connection.knownDataVersion, tables: tables,
                numbers: try SQLiteEntityNumbers(of: connection, tables: tables),
                expected: try schemaOfWholeModel(metadata) ?? schema)
        }
    }

    /// The schema of all entities, if the file has all of them although it is opened with a configuration: it was made,
    /// or migrated, without one. The numbers of its entities follow from this schema.
    private func schemaOfWholeModel(_ metadata: SQLiteStoreMetadata) throws -> SQLSchema? {
        guard schema.configuration != nil, !options.ignoresVersioning else { return nil }
        let stored = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata.dictionary)
        if stored == schema.versionHashes { return nil }
        let whole = try SQLSchema(model: schema.model)
        return stored == whole.versionHashes ? whole : nil
    }

    /// A connection that doesn't change the database.
    ///
    /// SQLite needs side files to read a file with a write-ahead log. If they don't exist and the folder can't be
    /// written, no process can be writing, and the connection reads the file as immutable. If they don't exist and the
    /// folder can be written, SQLite removes them at the end only for a connection that may write: such a connection is
    /// opened, and `query_only` prevents writing. If a rollback journal is left of a process that was stopped, SQLite
    /// has to roll its transaction back before anybody can read; only a connection that may write can.
    static func readOnlyConnection(path: String, isLogged: Bool, _ options: SQLiteStoreOptions) throws
        -> SQLiteConnection
    {
        func connection(_ mode: SQLiteConnection.Mode) throws -> SQLiteConnection {
            try SQLiteConnection(
                path: path, mode: mode, timeout: options.timeout, encryptionKey: options.encryptionKey)
        }
        func exists(_ suffix: String) -> Bool { OperatingSystem.fileKind(at: path + suffix) != .missing }
        let mayWriteFolder = OperatingSystem.isWritable(OperatingSystem.folder(of: path))
        let mayWriteFile = OperatingSystem.isWritable(path)
        if exists("-journal") {
            guard mayWriteFolder, mayWriteFile else { return try connection(.readOnly) }
        } else {
            // An interrupted connection has left an index without a log: SQLite replaces it.
            guard isLogged, !exists("-wal") else { return try connection(.readOnly) }
            guard mayWriteFolder else { return try connection(.immutable) }
        }
        let reader = try connection(mayWriteFile ? .readWrite : .readOnly)
        try reader.setPragma("query_only", "1")
        return reader
    }

    /// Sets the pragmas of every connection and then the pragmas of the store's options, and installs functions and
    /// collations.
    static func configure(_ connection: SQLiteConnection, _ options: SQLiteStoreOptions) throws {
        try restrictSchema(of: connection)
        var pragmas = options.pragmas
        if options.isReadOnly {
            // A file from elsewhere may be damaged or hostile. SQLite then checks each page that it reads. A store that
            // the program writes does without this check: a wrong page is an error all the same, perhaps a later one.
            try connection.setPragma("cell_size_check", "1")
            try connection.setPragma("query_only", "1")
        } else {
            try connection.setPragmas(["journal_mode": pragmas.removeValue(forKey: "journal_mode") ?? "WAL"])
        }
        try connection.setPragmas(pragmas)
        try SQLiteFunctions.install(on: connection)
        try SQLiteCollations.install(on: connection)
    }

    /// Allows the triggers and views of a file to call only functions that are declared harmless.
    ///
    /// SQLite considers R-tree tables harmful, so a file that contains them is trusted.
    static func restrictSchema(of connection: SQLiteConnection) throws {
        let rTreeCount = try connection.integer(
            "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE % USING RTREE%'"
        )
        try connection.setPragma("trusted_schema", rTreeCount == 0 ? "0" : "1")
    }

    private func incompatibleVersion(_ content: Content, _ connection: SQLiteConnection) -> NSError {
        StoreIncompatibility(
            storeHashes: content.versionHashes ?? [:], expected: content.expected.versionHashes,
            model: content.expected.model,
            // A damaged cache is no reason to report another error.
            cachedModel: try? SQLiteModelCache.read(on: connection)
        ).incompatibleVersionError(
            path: path, metadata: content.metadata.dictionary, isReadOnly: options.isReadOnly)
    }

    /// Checks that the file contains every table and column of the schema. It may contain more.
    private func checkTables(of schema: SQLSchema, against tables: [String: [String]]) throws {
        guard let missing = schema.missingParts(inFile: tables).first else { return }
        throw incompatible(
            "\(missing.finding), which the model requires\(owner(of: missing.table, missing.column, schema)).")
    }

    /// The entity or property of a table or a column, for messages: " for Car.maker".
    private func owner(of name: String, _ column: String?, _ schema: SQLSchema) -> String {
        if let join = schema.joinTables.first(where: { $0.name == name }) {
            return " for \(join.owner.name).\(join.relationship.name)"
        }
        guard let table = schema.tables.first(where: { $0.name == name }) else { return "" }
        guard let column else { return " for \(table.entities.map(\.name).joined(separator: ", "))" }
        for entity in table.entities {
            if let property = entity.properties.first(where: { $1.columnNames.contains(column) }) {
                return " for \(entity.name).\(property.key)"
            }
        }
        return ""
    }

    private func incompatible(_ reason: String) -> NSError {
        SQLiteErrors.storeError(
            SQLiteErrors.persistentStoreIncompatibleSchema, path: path, reason: reason,
            suggestion: "Open it with the model it was made from.")
    }
}
