// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// Empties the database of a store: the file remains, without tables.
///
/// SQLite does the work under its own locks, so connections of other processes see an empty database, never a missing
/// file. The log and its index stay as empty files, as Apple's do: programs delete all three.
package struct SQLiteStoreDestroyer {
    private let path: String
    private let options: SQLiteStoreOptions
    /// The operation on the store, for errors: a participle.
    private let operation: String

    package init(_ url: URL, options: SQLiteStoreOptions, operation: String = "destroyed") {
        path = OperatingSystem.resolvingLinks(url.path)
        var options = options
        // A destroyer that overrides locks doesn't wait for them.
        if options.forcesDestroying { options.timeout = 0 }
        self.options = options
        self.operation = operation
    }

    /// Checks that the path names a store, or a damaged database.
    ///
    /// - Returns: whether there is anything to empty: false for a path that names nothing.
    /// - Throws: 256 for a folder or a device, 257 for a file that can't be read, 259 for a file that is no store,
    ///   513 for a store that the options call read-only.
    @discardableResult
    package func check() throws -> Bool {
        // A process that was stopped while it made the file has left a transaction, which SQLite rolls back now.
        if OperatingSystem.fileKind(at: path + "-journal") != .missing,
            case .file(let size) = OperatingSystem.fileKind(at: path), size > 0, !options.isReadOnly
        {
            let connection = try? SQLiteStoreOpener.readOnlyConnection(path: path, isLogged: true, options)
            _ = try? connection?.integer("SELECT COUNT(*) FROM sqlite_master")
        }
        switch OperatingSystem.fileKind(at: path) {
        case .missing: return false
        case .directory: throw refusal(SQLiteErrors.fileReadUnknown, "It is a folder.")
        case .other: throw refusal(SQLiteErrors.fileReadUnknown, "It is not a file.")
        case .file(0): break
        case .file: try checkContents()
        }
        if options.isReadOnly {
            throw refusal(SQLiteErrors.fileWriteNoPermission, "The options say that the store is read-only.")
        }
        return true
    }

    private func checkContents() throws {
        let head: [UInt8]
        do {
            head = try SQLiteFileCheck.firstBytes(of: path, count: 16)
        } catch {
            throw refusal(SQLiteErrors.fileReadNoPermission, "It can\u{2019}t be read.", error as NSError)
        }
        guard options.encryptionKey != nil || head == Array("SQLite format 3\0".utf8) else {
            throw refusal(SQLiteErrors.fileReadCorrupt, "It is no SQLite database, or an encrypted one.")
        }
        do {
            let connection = try SQLiteStoreOpener.readOnlyConnection(path: path, isLogged: true, options)
            let isStore = try connection.withReadTransaction {
                try connection.hasTable("Z_METADATA")
                    || connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0
            }
            if !isStore {
                throw refusal(SQLiteErrors.fileReadCorrupt, "It is a SQLite database that Core Data has not made.")
            }
        } catch let error as NSError where error.code == SQLiteErrors.fileReadCorrupt && isReported(error) {
            // A damaged database may be a store, and destroying it makes room for a new one.
            return
        } catch let error as NSError where error.code == SQLiteErrors.persistentStoreTimeout && options.forcesDestroying
        {
            return
        }
    }

    private func isReported(_ error: NSError) -> Bool { error.userInfo[SQLiteErrors.sqliteDomain] != nil }

    /// Empties the database, and removes the files of external data that its rows have named. The folder may contain
    /// the files of another store.
    ///
    /// - Throws: 134090 for a file that stays locked, 513 for a file that can\u{2019}t be written.
    package func destroy() throws {
        let files = (try? externalFiles()) ?? ExternalFiles()
        do {
            let connection = try connection()
            try connection.emptyDatabase()
            connection.keepLogFiles()
            remove(files, connection)
        } catch let error as NSError where error.code == SQLiteErrors.persistentStoreTimeout && options.forcesDestroying
        {
            try SQLiteStoreCopy.removeDatabase(at: path)
            remove(files, nil)
        }
    }

    private func connection() throws -> SQLiteConnection {
        try SQLiteConnection(
            path: path, mode: .readWrite, timeout: options.timeout, encryptionKey: options.encryptionKey)
    }

    /// The files of external data of a store.
    private struct ExternalFiles {
        var names: Set<String> = []
        /// The UUID of the store; nil if it isn't known.
        var identifier: String?
    }

    /// The files that the rows name. The files of a damaged store aren't known, and stay.
    private func externalFiles() throws -> ExternalFiles {
        let externalData = SQLiteExternalData(storePath: path)
        guard OperatingSystem.fileKind(at: externalData.supportFolder) == .directory else { return ExternalFiles() }
        let connection = try SQLiteStoreOpener.readOnlyConnection(path: path, isLogged: true, options)
        return try connection.withReadTransaction {
            guard try connection.hasTable("Z_METADATA") else { return ExternalFiles() }
            return ExternalFiles(
                names: try SQLiteExternalData.fileNames(on: connection),
                identifier: try SQLiteStoreMetadata.identifier(on: connection))
        }
    }

    /// Removes the files of the store, and the files that its transactions in ended processes have left.
    ///
    /// - Parameter connection: a connection to the emptied database, which may be another store by now; nil without
    ///   one.
    private func remove(_ files: ExternalFiles, _ connection: SQLiteConnection?) {
        let externalData = SQLiteExternalData(storePath: path)
        removeFiles(files, of: externalData, connection)
        // The journals are gone now.
        externalData.removeEmptyFolders()
    }

    private func removeFiles(
        _ files: ExternalFiles, of externalData: SQLiteExternalData, _ connection: SQLiteConnection?
    ) {
        let remainders =
            files.identifier.map { SQLiteExternalJournal.remainders(of: externalData, identifier: $0) } ?? []
        let names = files.names.union(remainders.flatMap(\.names))
        if let connection {
            // A failure costs only space.
            try? connection.withTransaction {
                try externalData.remove(names, unlessNamedOn: connection, own: remainders.map(\.journal))
            }
        } else {
            for name in names { try? externalData.remove(file: name) }
        }
    }

    /// Creates an empty file where nothing is, as Apple's Core Data does: programs delete the file of a store that
    /// they have destroyed, whether it existed or not. Does nothing for a read-only store, and without a folder.
    package func createEmptyFile() throws {
        guard !options.isReadOnly, OperatingSystem.fileKind(at: OperatingSystem.folder(of: path)) == .directory else {
            return
        }
        do {
            try OperatingSystem.createFile(path, contents: Data())
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            return
        } catch {
            throw refusal(SQLiteErrors.fileWriteNoPermission, "The file can\u{2019}t be created.", error as NSError)
        }
    }

    private func refusal(_ code: Int, _ reason: String, _ cause: NSError? = nil) -> NSError {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "The store \u{201c}\(path)\u{201d} couldn\u{2019}t be \(operation). \(reason)"
        ]
        if let cause { info[NSUnderlyingErrorKey] = cause }
        return SQLiteErrors.storeError(
            code, path: path, reason: reason, suggestion: "Give the URL of a store; nothing was changed.",
            userInfo: info)
    }
}

extension SQLiteConnection {
    /// Has SQLite leave the files of the log when the last connection is closed.
    fileprivate func keepLogFiles() {
        var isKept: Int32 = 1
        _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }

    /// Removes all tables from the database, whatever it contains, and empties its log.
    func emptyDatabase() throws {
        // SQLite keeps the journal mode of a database whose schema it has read; a damaged one can't be read.
        _ = try? integer("SELECT COUNT(*) FROM sqlite_master")
        clearStatementCache()
        setResetting(true)
        defer { setResetting(false) }
        try run("VACUUM")
        clearStatementCache()
        setResetting(false)
        // Another process that still reads keeps its part of the log until it has read it.
        try emptyLog()
    }

    /// While resetting is on, `VACUUM` makes the database one without tables, whatever it contains.
    private func setResetting(_ isOn: Bool) {
        _ = opencoredata_sqlite3_db_config(handle, SQLITE_DBCONFIG_RESET_DATABASE, isOn ? 1 : 0)
    }

    /// Moves the log into the file. A connection that is closed does so, too, but reports no failure.
    func emptyLog() throws {
        let checkpoint = try uncachedStatement("PRAGMA wal_checkpoint(TRUNCATE)")
        while try checkpoint.step() {}
    }
}
