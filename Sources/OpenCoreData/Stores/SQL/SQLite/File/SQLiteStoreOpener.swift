import CoreDataModel
import CoreDataPredicates

/// Opens a store file that exists and checks that the model fits it.
struct SQLiteStoreOpener {
    let path: String
    /// The model's schema, before ties are settled.
    let schema: SQLSchema
    let options: SQLiteStoreOptions
    let isLogged: Bool

    func open() throws -> SQLiteStoreFile {
        let connection =
            try options.isReadOnly
            ? Self.readOnlyConnection(path: path, isLogged: isLogged, timeout: options.timeout)
            : SQLiteConnection(path: path, mode: .readWrite, timeout: options.timeout)
        // A database without tables is a store that someone is making, or was stopped while making.
        if !options.isReadOnly, try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0 {
            return try SQLiteStoreCreator(path: path, schema: schema, options: options).create()
        }
        // First read only: nothing is written to a file that turns out to be another model's.
        let (metadata, settled) = try connection.withReadTransaction {
            let metadata = try SQLiteStoreMetadata.read(on: connection)
            if !options.ignoresVersioning { try checkCompatibility(of: metadata) }
            let tables = try connection.tables()
            let settled = try schema.adopting(SQLExistingTables(columnsByTable: tables))
            try checkTables(of: settled, against: tables)
            return (metadata, settled)
        }
        try Self.configure(connection, options)
        if !options.isReadOnly {
            if options.analyzes { try connection.run("ANALYZE") }
            if options.vacuums { try connection.run("VACUUM") }
        }
        return SQLiteStoreFile(
            path: path, connection: connection, schema: settled, isReadOnly: options.isReadOnly, wasCreated: false,
            stored: metadata)
    }

    /// A connection that never changes the database.
    ///
    /// A file with a write-ahead log needs side files even for reading. Where they can't be made and no log is
    /// waiting, nobody can be writing either, and the file is read as it stands. Where they can be made but are not
    /// there, only a connection that could write takes them away again when it closes; it is kept from writing.
    static func readOnlyConnection(path: String, isLogged: Bool, timeout: Double) throws -> SQLiteConnection {
        let hasSideFiles = ["-wal", "-shm", "-journal"].contains { OperatingSystem.fileKind(at: path + $0) != .missing }
        guard isLogged, !hasSideFiles else {
            return try SQLiteConnection(path: path, mode: .readOnly, timeout: timeout)
        }
        guard OperatingSystem.isWritable(OperatingSystem.folder(of: path)) else {
            return try SQLiteConnection(path: path, mode: .immutable, timeout: timeout)
        }
        let mode: SQLiteConnection.Mode = OperatingSystem.isWritable(path) ? .readWrite : .readOnly
        let connection = try SQLiteConnection(path: path, mode: mode, timeout: timeout)
        try connection.setPragma("query_only", "1")
        return connection
    }

    /// Pragmas of every connection, then the user's.
    static func configure(_ connection: SQLiteConnection, _ options: SQLiteStoreOptions) throws {
        try restrictSchema(of: connection)
        try connection.setPragma("cell_size_check", "1")
        var pragmas = options.pragmas
        if options.isReadOnly {
            try connection.setPragma("query_only", "1")
        } else {
            try connection.setPragmas(["journal_mode": pragmas.removeValue(forKey: "journal_mode") ?? "WAL"])
        }
        try connection.setPragmas(pragmas)
        try SQLiteFunctions.install(on: connection)
        try SQLiteCollations.install(on: connection)
    }

    /// Lets a file's own schema call only functions that are declared harmless; ours and the format's are.
    ///
    /// SQLite counts the tables of range indexes as harmful, so a file that has them is trusted.
    static func restrictSchema(of connection: SQLiteConnection) throws {
        let boxes = try connection.integer(
            "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE % USING RTREE%'"
        )
        try connection.setPragma("trusted_schema", boxes == 0 ? "0" : "1")
    }

    /// All entities of the configuration must be in the file with equal hashes, and no others.
    private func checkCompatibility(of metadata: SQLiteStoreMetadata) throws {
        let stored = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata.dictionary)
        let expected = schema.versionHashes
        if stored == expected { return }
        let names = Set((stored ?? [:]).keys).union(expected.keys)
            .filter { stored?[$0] != expected[$0] }.sorted { $0.precedesBytewise($1) }
        throw SQLiteErrors.storeError(
            SQLiteErrors.persistentStoreIncompatibleVersionHash, path: path,
            reason: "The model used to open the store is incompatible with the one used to create the store",
            suggestion: "Open it with the model it was made from, or migrate it. Entities that differ: "
                + names.joined(separator: ", ") + ".",
            userInfo: ["metadata": metadata.dictionary])
    }

    /// Every table and column that the model implies must be there; anything else in the file is left alone.
    private func checkTables(of schema: SQLSchema, against tables: [String: [String]]) throws {
        // SQL doesn't tell names apart by case.
        let present = Dictionary(
            tables.map { ($0.key.uppercased(), Set($0.value.map { $0.uppercased() })) },
            uniquingKeysWith: { $0.union($1) })
        let needed =
            schema.tables.map { ($0.name, $0.columns.map(\.name)) }
            + schema.joinTables.map { ($0.name, $0.columns) }
            + [("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"])]
        for (table, columns) in needed {
            guard let existing = present[table.uppercased()] else {
                throw incompatible("It has no table \(table), which the model needs.")
            }
            for column in columns where !existing.contains(column.uppercased()) {
                throw incompatible("Its table \(table) has no column \(column), which the model needs.")
            }
        }
    }

    private func incompatible(_ reason: String) -> NSError {
        SQLiteErrors.storeError(
            SQLiteErrors.persistentStoreIncompatibleSchema, path: path, reason: reason,
            suggestion: "Open it with the model it was made from.")
    }
}
