import CoreDataPredicates

/// Copies a SQLite store with its external data to another path, where it replaces what is there.
///
/// The source may be open, and written, anywhere. The destination gets the database in one transaction of SQLite, under
/// SQLite's locks: its other users find the old store or the new one. The files of external data are copied before, and
/// those of the old store are removed afterwards. A journal names both, in case that the process ends in between.
struct SQLiteStoreCopy {
    private let source: String
    private let sourceOptions: SQLiteStoreOptions
    private let destination: String
    private let destinationOptions: SQLiteStoreOptions

    init(
        from source: URL, options sourceOptions: SQLiteStoreOptions, to destination: URL,
        options destinationOptions: SQLiteStoreOptions
    ) {
        self.source = source.path
        self.sourceOptions = sourceOptions
        self.destination = destination.path
        self.destinationOptions = destinationOptions
    }

    /// Checks that the source is a store, and that the destination names a store, an empty file or nothing.
    ///
    /// - Throws: the errors of reading metadata for the source, and those of destroying for the destination.
    func check() throws {
        guard (sourceOptions.encryptionKey == nil) == (destinationOptions.encryptionKey == nil) else {
            throw refusal(
                NSPersistentStoreOperationError,
                "Of the two stores one is encrypted: migratePersistentStore(_:to:options:type:) copies such stores.")
        }
        _ = try SQLiteStoreFile.metadata(at: source, options: sourceOptions)
        let folder = OperatingSystem.folder(of: destination)
        guard OperatingSystem.fileKind(at: folder) == .directory else {
            throw refusal(SQLiteErrors.fileNoSuchFile, "The folder \(folder) doesn\u{2019}t exist.")
        }
        try SQLiteStoreDestroyer(
            URL(fileURLWithPath: destination), options: destinationOptions, operation: "replaced"
        ).check()
    }

    /// Copies.
    ///
    /// - Throws: 134090 for a file that stays locked, and file errors. The destination is then as before.
    func run() throws {
        do {
            try SQLiteStoreFile.withReader(at: source, options: sourceOptions) { try copy(from: $0) }
        } catch is MissingExternalFile {
            // A save has removed a file since the transaction began. It can't while the source is locked.
            let connection = try SQLiteConnection(
                path: source, mode: .readWrite, timeout: sourceOptions.timeout,
                encryptionKey: sourceOptions.encryptionKey)
            try connection.withTransaction(.immediate) {
                do {
                    try copy(from: connection)
                } catch let missing as MissingExternalFile {
                    throw refusal(
                        SQLiteErrors.fileReadNoSuchFile,
                        "The source \(source) lacks the file \(missing.name) of its external data.")
                }
            }
        }
    }

    /// A file of external data that a row names isn't there.
    private struct MissingExternalFile: Error {
        let name: String
    }

    private func copy(from connection: SQLiteConnection) throws {
        let old = SQLiteExternalData(storePath: source)
        let new = SQLiteExternalData(storePath: destination)
        let names = try Self.externalFiles(of: connection, in: old)
        let replaced = OperatingSystem.names(inFolder: new.dataFolder).filter { !names.contains($0) }
        let wasMissing = OperatingSystem.fileKind(at: destination) == .missing
        let journal = names.isEmpty && replaced.isEmpty ? nil : try SQLiteExternalJournal.make(for: new)
        var copied: [String] = []
        do {
            try journal?.record(replaced + names)
            for name in names where !new.exists(file: name) {
                guard old.exists(file: name) else { throw MissingExternalFile(name: name) }
                copied.append(name)
                try new.copy(file: name, from: old)
            }
            try copyDatabase(from: connection)
        } catch {
            for name in copied { try? new.remove(file: name) }
            if wasMissing { try? Self.removeDatabase(at: destination) }
            throw error
        }
        for name in replaced { try? new.remove(file: name) }
    }

    /// The files of external data that the rows of a store name, without a model: among the values of all columns that
    /// may have such names.
    private static func externalFiles(of connection: SQLiteConnection, in folder: SQLiteExternalData) throws
        -> [String]
    {
        var existing = Set(OperatingSystem.names(inFolder: folder.dataFolder))
        var names: [String] = []
        if existing.isEmpty { return [] }
        let columns = try connection.uncachedStatement(
            """
            SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND columns.type = 'BLOB' AND tables.name LIKE 'Z%'
            """)
        while try columns.step() {
            guard let table = columns.text(at: 0), let column = columns.text(at: 1) else { continue }
            let name = Self.quoted(column)
            let values = try connection.uncachedStatement(
                "SELECT \(name) FROM \(Self.quoted(table)) WHERE LENGTH(\(name)) = ? AND SUBSTR(\(name), 1, 1) = x'02'")
            try values.bind(Int64(SQLiteExternalData.frameLength), at: 1)
            while try values.step() {
                guard let name = values.data(at: 0).flatMap(SQLiteExternalData.fileName) else { continue }
                // A file that is missing for good doesn't prevent a copy; one that a save removes now does.
                if existing.remove(name) != nil { names.append(name) }
            }
        }
        return names
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    /// Copies the database into the destination.
    private func copyDatabase(from connection: SQLiteConnection) throws {
        let target = try SQLiteConnection(
            path: destination, mode: .create, timeout: destinationOptions.timeout,
            encryptionKey: destinationOptions.encryptionKey)
        do {
            try Self.copyDatabase(from: connection, to: target, key: destinationOptions.encryptionKey)
        } catch let error as NSError where error.code == SQLiteErrors.fileReadCorrupt {
            // The destination is damaged: only an empty database can be written.
            try target.emptyDatabase()
            try target.copyDatabase(from: connection)
        }
    }

    private static func copyDatabase(
        from source: SQLiteConnection, to target: SQLiteConnection, key: SQLiteEncryptionKey?
    ) throws {
        let pageSize = try target.pragma("page_size") ?? ""
        guard try target.pragma("journal_mode") == "wal", try source.pragma("page_size") != pageSize else {
            return try target.copyDatabase(from: source)
        }
        let temporary = target.path + "." + UUID().uuidString + ".new"
        defer { try? removeDatabase(at: temporary) }
        let converted = try SQLiteConnection(path: temporary, mode: .create, encryptionKey: key)
        try converted.copyDatabase(from: source)
        // The page size changes with the next VACUUM, in other journal modes.
        try converted.setPragma("journal_mode", "DELETE")
        try converted.setPragma("page_size", pageSize)
        try converted.run("VACUUM")
        try target.copyDatabase(from: converted)
    }

    static func removeDatabase(at path: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] { try OperatingSystem.remove(path + suffix) }
    }

    private func refusal(_ code: Int, _ reason: String) -> NSError {
        SQLiteErrors.storeError(
            code, path: destination, reason: reason, suggestion: "Nothing was changed.",
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The store \u{201c}\(destination)\u{201d} couldn\u{2019}t be replaced. \(reason)"
            ])
    }
}
