// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Copies a SQLite store with its external data to another path, where it replaces what is there.
///
/// The source may be open, and written, anywhere. The copy has the rows of one read transaction. The destination gets
/// them in one transaction of SQLite, under SQLite's locks: its other users find the old store or the new one. The
/// files of external data are copied before, and those of the old store are removed afterwards. A journal names both,
/// in case that the process ends in between.
package struct SQLiteStoreCopy {
    private let source: String
    private let sourceOptions: SQLiteStoreOptions
    private let destination: String
    private let destinationOptions: SQLiteStoreOptions
    private let attemptsWithoutLock: Int

    /// - Parameter attemptsWithoutLock: after so many read transactions, in each of which a save has removed files of
    ///   external data, saves have to wait for the copy.
    package init(
        from source: URL, options sourceOptions: SQLiteStoreOptions, to destination: URL,
        options destinationOptions: SQLiteStoreOptions, attemptsWithoutLock: Int = 5
    ) {
        self.attemptsWithoutLock = attemptsWithoutLock
        self.source = source.path
        self.sourceOptions = sourceOptions
        self.destination = destination.path
        self.destinationOptions = destinationOptions
    }

    /// Checks that the source is a store, and that the destination names a store, an empty file or nothing.
    ///
    /// - Throws: the errors of reading metadata for the source, and those of destroying for the destination.
    package func check() throws {
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
    /// - Throws: 134090 for a file that stays locked, 134070 for a source that was destroyed or replaced meanwhile, and
    ///   file errors. The destination is then as before.
    package func run() throws {
        let wasMissing = OperatingSystem.fileKind(at: destination) == .missing
        let files = SQLiteExternalDataCopy(
            from: SQLiteExternalData(storePath: source), to: SQLiteExternalData(storePath: destination))
        do {
            for _ in 0..<attemptsWithoutLock {
                if try attempt(files, isLocked: false) { return }
            }
            if OperatingSystem.fileKind(at: source) == .missing { throw changed("deleted") }
            // A connection that writes can't be the source of a copy, so another one has the lock.
            let lock = try SQLiteConnection(
                path: source, mode: .readWrite, timeout: sourceOptions.timeout,
                encryptionKey: sourceOptions.encryptionKey)
            try lock.begin(.immediate)
            defer { try? lock.rollback() }
            if try !attempt(files, isLocked: true) { throw changed("replaced") }
        } catch {
            files.revert()
            if wasMissing { try? Self.removeDatabase(at: destination) }
            throw error
        }
    }

    /// Copies the store as a new read transaction finds it.
    ///
    /// - Returns: false if a newer transaction is needed: nothing has changed at the destination then but files that
    ///   it doesn't name.
    private func attempt(_ files: SQLiteExternalDataCopy, isLocked: Bool) throws -> Bool {
        try SQLiteStoreFile.withReader(at: source, options: sourceOptions) { connection in
            guard try connection.hasTable("Z_METADATA") else { throw changed("destroyed") }
            let names = try Self.externalFiles(of: connection)
            try checkFolder(files, names)
            guard try files.copy(names, isLocked: isLocked) else { return false }
            // A file that has taken the place of the source has files of its own.
            if connection.hasMoved { return false }
            try files.prepare(naming: names)
            try copyDatabase(from: connection)
            files.finish()
            return true
        }
    }

    /// Checks that the copy has a folder for its files of its own: each store removes the files that it doesn't name.
    private func checkFolder(_ files: SQLiteExternalDataCopy, _ names: Set<String>) throws {
        guard files.sharesFolder else { return }
        let folder = SQLiteExternalData(storePath: source)
        guard !names.isEmpty || !OperatingSystem.names(inFolder: folder.dataFolder).isEmpty else { return }
        let name = URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent
        throw refusal(
            NSPersistentStoreOperationError,
            """
            Both stores would have their external data in the folder \(folder.supportFolder): without their \
            extensions their names are equal.
            """, suggestion: "Give the copy another name than \(name), or another folder. Nothing was changed.")
    }

    private func changed(_ participle: String) -> NSError {
        refusal(
            NSPersistentStoreOperationError, "The source \(source) was \(participle) while it was copied.",
            suggestion: "Nothing was changed: copy again.")
    }

    /// The files of external data that the rows of a store name, without a model: among the values of all columns that
    /// may have such names.
    static func externalFiles(of connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
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
                if let name = values.data(at: 0).flatMap(SQLiteExternalData.fileName) { names.insert(name) }
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

    /// The paths of a database, of its logs and of the memory that its connections share.
    package static func files(of path: String) -> [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }

    static func removeDatabase(at path: String) throws { try files(of: path).forEach(OperatingSystem.remove) }

    private func refusal(_ code: Int, _ reason: String, suggestion: String = "Nothing was changed.") -> NSError {
        SQLiteErrors.storeError(
            code, path: destination, reason: reason, suggestion: suggestion,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The store \u{201c}\(destination)\u{201d} couldn\u{2019}t be replaced. \(reason)"
            ])
    }
}
