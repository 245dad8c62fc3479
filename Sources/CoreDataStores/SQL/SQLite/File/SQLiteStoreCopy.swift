// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Copies a SQLite store with its external data to another path, and replaces a store that is there.
///
/// Other connections and processes may have the source open and write to it. The copy has the rows of one read
/// transaction. The destination gets them in one transaction of SQLite, under SQLite's locks: its other users find the
/// old store or the new one. The copy first writes the new store's files of external data, and removes the old store's
/// files at the end. A journal names all of them, in case the process ends in between. A new store is made beside its
/// place, and gets its name when it is complete.
package struct SQLiteStoreCopy {
    private let source: String
    private let sourceOptions: SQLiteStoreOptions
    private let destination: String
    private let destinationOptions: SQLiteStoreOptions
    private let attemptsWithoutLock: Int
    private let metadata: [String: Any]?
    /// The replaced store, if the copy must contain the last changes of that store; otherwise nil.
    private let replaced: SQLiteStoreReplacement.Target?

    /// - Parameters:
    ///   - metadata: the metadata of the copy; nil for the metadata of the source.
    ///   - attemptsWithoutLock: the number of read transactions to try. If a save has removed files of external data
    ///     during each of them, saves have to wait for the copy.
    package init(
        from source: URL, options sourceOptions: SQLiteStoreOptions, to destination: URL,
        options destinationOptions: SQLiteStoreOptions, metadata: [String: Any]? = nil, attemptsWithoutLock: Int = 5
    ) {
        self.attemptsWithoutLock = attemptsWithoutLock
        self.metadata = metadata
        replaced = nil
        self.source = OperatingSystem.resolvingLinks(source.path)
        self.sourceOptions = sourceOptions
        self.destination = OperatingSystem.resolvingLinks(destination.path)
        self.destinationOptions = destinationOptions
    }

    /// - Parameter target: the replaced store. If another connection writes to it before the copy has the lock, nothing
    ///   is copied, and ``run()`` throws `WrittenMeanwhile`.
    init(
        from source: URL, options sourceOptions: SQLiteStoreOptions, to destination: URL,
        options destinationOptions: SQLiteStoreOptions, replacing target: SQLiteStoreReplacement.Target
    ) {
        attemptsWithoutLock = 5
        metadata = nil
        replaced = target
        self.source = OperatingSystem.resolvingLinks(source.path)
        self.sourceOptions = sourceOptions
        self.destination = OperatingSystem.resolvingLinks(destination.path)
        self.destinationOptions = destinationOptions
    }

    /// Checks that the source is a store, and that the destination names a store, an empty file or nothing.
    ///
    /// - Throws: for the source the errors of reading metadata, for the destination the errors of destroying a store.
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
    /// - Throws: 134090 for a file that stays locked, 134070 if the source was destroyed or replaced during the copy,
    ///   and file errors. The destination is then as before.
    package func run() throws {
        if replaced != nil { return try run(to: destination) }
        switch OperatingSystem.fileKind(at: destination) {
        case .missing, .file(0):
            do { try runBeside() } catch let error as NSError { throw named(error) }
        default: try run(to: destination)
        }
    }

    /// Makes a new store. If the process is stopped before the end, nothing is at the destination; a hidden folder is
    /// left, which the next copy removes.
    private func runBeside() throws {
        let url = URL(fileURLWithPath: destination)
        try MigrationLock.withLock(at: url, for: .copy, timeout: destinationOptions.timeout) {
            switch OperatingSystem.fileKind(at: destination) {
            case .missing, .file(0): break
            // Another process has made the store while this one waited.
            default: return try run(to: destination)
            }
            let folder = try MigrationLock.makeFolder(of: url, for: .copy)
            try run(to: folder.appendingPathComponent(url.lastPathComponent).path)
        }
    }

    /// An error about a file beside the destination, changed to an error about the destination.
    private func named(_ error: NSError) -> NSError {
        if (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSPOSIXErrorDomain {
            return refusal(error.code, CoreDataErrors.reason(of: error))
        }
        guard let path = error.userInfo[NSFilePathErrorKey] as? String,
            path.hasPrefix(MigrationLock.folder(of: URL(fileURLWithPath: destination), for: .copy).path)
        else { return error }
        return CoreDataErrors.replacing([NSFilePathErrorKey: destination], in: error)
    }

    /// Copies into a database, which gets the name of the destination at the end.
    private func run(to target: String) throws {
        let files = SQLiteExternalDataCopy(
            from: SQLiteExternalData(storePath: source), to: SQLiteExternalData(storePath: destination))
        do {
            for _ in 0..<attemptsWithoutLock {
                if try attempt(files, to: target, isLocked: false) { return }
            }
            if OperatingSystem.fileKind(at: source) == .missing { throw changed("deleted") }
            // A connection that writes can't be the source of a copy, so another connection has the lock.
            let lock = try SQLiteConnection(
                path: source, mode: .readWrite, timeout: sourceOptions.timeout,
                encryptionKey: sourceOptions.encryptionKey)
            try lock.begin(.immediate)
            defer { try? lock.rollback() }
            if try !attempt(files, to: target, isLocked: true) { throw changed("replaced") }
        } catch {
            files.revert()
            throw error
        }
    }

    /// Copies the store as a new read transaction finds it.
    ///
    /// - Returns: false if a newer transaction is needed: nothing has changed at the destination then but files that
    ///   it doesn't name.
    private func attempt(_ files: SQLiteExternalDataCopy, to target: String, isLocked: Bool) throws -> Bool {
        let isComplete = try SQLiteStoreFile.withReader(at: source, options: sourceOptions) { connection -> Bool in
            guard try connection.hasTable("Z_METADATA") else { throw changed("destroyed") }
            try checkFolder(files, connection)
            guard try files.copy(namedOn: connection, isLocked: isLocked) else { return false }
            // Another file has taken the place of the source, and names other files of external data.
            if connection.hasMoved { return false }
            let copy =
                try replaced?.connection
                ?? SQLiteConnection(
                    path: target, mode: .create, timeout: destinationOptions.timeout,
                    encryptionKey: destinationOptions.encryptionKey)
            if target == destination {
                try files.prepare(replacing: copy, by: connection, allowsDamage: replaced == nil)
            }
            try copyDatabase(from: connection, to: copy)
            if target == destination { files.finish(on: copy) }
            return true
        }
        // The connections are closed now.
        if isComplete && target != destination { try name(target, files) }
        return isComplete
    }

    /// Checks that the stores don't share a folder for external data: each store removes the files of its former
    /// values.
    private func checkFolder(_ files: SQLiteExternalDataCopy, _ connection: SQLiteConnection) throws {
        guard files.sharesFolder, try !SQLiteExternalData.fileNames(on: connection).isEmpty else { return }
        let folder = SQLiteExternalData(storePath: source)
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

    /// Copies the database, with other metadata if wanted.
    private func copyDatabase(from connection: SQLiteConnection, to target: SQLiteConnection) throws {
        do {
            try Self.copyDatabase(
                from: connection, to: target, key: destinationOptions.encryptionKey, check: replaced?.check ?? {})
        } catch let error as NSError where error.code == SQLiteErrors.fileReadCorrupt {
            // The destination is damaged: only an empty database can be written.
            try target.emptyDatabase()
            try target.copyDatabase(from: connection)
        }
        guard let metadata else { return }
        target.clearStatementCache()
        try target.withTransaction {
            let copied = try SQLiteStoreMetadata.read(on: target)
            try SQLiteStoreMetadata(identifier: copied.identifier, replacedBy: metadata).write(on: target)
        }
        if target.path != destination { try target.emptyLog() }
    }

    /// Gives a complete database, which no connection has open, the name of the destination.
    private func name(_ target: String, _ files: SQLiteExternalDataCopy) throws {
        guard OperatingSystem.fileKind(at: target + "-wal") == .missing else {
            throw refusal(SQLiteErrors.fileWriteUnknown, "The copy couldn\u{2019}t be completed.")
        }
        if OperatingSystem.fileKind(at: destination) == .file(0) {
            try OperatingSystem.renameDurably(target, to: destination)
        } else if try !OperatingSystem.renameIfFree(target, to: destination) {
            throw refusal(
                NSPersistentStoreOperationError, "Another process has made it since the copy began.",
                suggestion: "Use that store, or give another URL. Nothing was changed.")
        }
        files.finish()
    }

    private static func copyDatabase(
        from source: SQLiteConnection, to target: SQLiteConnection, key: SQLiteEncryptionKey?,
        check: () throws -> Void
    ) throws {
        let pageSize = try target.pragma("page_size") ?? ""
        guard try target.pragma("journal_mode") == "wal", try source.pragma("page_size") != pageSize else {
            return try target.copyDatabase(from: source, check: check)
        }
        let temporary = target.path + "." + UUID().uuidString + ".new"
        defer { try? removeDatabase(at: temporary) }
        let converted = try SQLiteConnection(path: temporary, mode: .create, encryptionKey: key)
        try converted.copyDatabase(from: source)
        // The page size changes with the next VACUUM, in other journal modes.
        try converted.setPragma("journal_mode", "DELETE")
        try converted.setPragma("page_size", pageSize)
        try converted.run("VACUUM")
        try target.copyDatabase(from: converted, check: check)
    }

    /// The paths of a database, of its logs and of the memory that its connections share.
    package static func files(of path: String) -> [String] {
        let path = OperatingSystem.resolvingLinks(path)
        return ["", "-wal", "-shm", "-journal"].map { path + $0 }
    }

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
