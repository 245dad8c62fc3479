// SPDX-License-Identifier: Apache-2.0

extension SQLiteDatabase {
    /// The query generation of the file's present contents; nil if the file has none.
    ///
    /// Only a file with a write-ahead log has generations: in other journal modes a reader locks out writers.
    package func generation() throws -> (any SnapshotSource)? {
        try withOpen { open in
            guard try open.allowsGenerations(), let options = readers.options else { return nil }
            let before = try open.commitState()
            if let known = open.generations.generation(at: before) { return known }
            let file = try open.file.reader(options, beginsTransaction: true)
            let generation = SQLiteGeneration(
                SQLiteSession(file: file, layouts: open.layouts, identity: identity, generations: open.generations),
                identity: identity,
                generations: open.generations)
            // If another process has committed since the first look at the file, the version that the generation reads
            // is unknown.
            open.generations.add(generation, version: try open.commitState() == before ? before : nil)
            return generation
        }
    }
}

extension SQLiteSession {
    func allowsGenerations() throws -> Bool {
        if let known = allowsGenerationsStorage { return known }
        // A connection in exclusive locking mode excludes a second one.
        let allows = try connection.pragma("journal_mode") == "wal" && connection.pragma("locking_mode") == "normal"
        allowsGenerationsStorage = allows
        return allows
    }

    /// SQLite's `data_version`, which the commits of other connections change, and the number of own commits.
    func commitState() throws -> StoreCommitState {
        StoreCommitState(
            others: try connection.integer("PRAGMA data_version") ?? 0, own: generations.commitCount)
    }
}

extension SQLiteStoreFile {
    /// The file on another connection, which only reads. May be called on any thread.
    ///
    /// - Parameter beginsTransaction: whether the connection begins a transaction, and so reads the same version of the
    ///   file until it closes.
    func reader(_ options: SQLiteStoreOptions, beginsTransaction: Bool) throws -> SQLiteStoreFile {
        var options = options
        let connection =
            try options.isReadOnly
            ? SQLiteStoreOpener.readOnlyConnection(path: path, isLogged: true, options)
            : SQLiteConnection(
                path: path, mode: .readWrite, timeout: options.timeout, encryptionKey: options.encryptionKey)
        // Pragmas that change the file were applied when the store was opened.
        options.isReadOnly = true
        options.pragmas["journal_mode"] = nil
        try SQLiteStoreOpener.configure(connection, options)
        if beginsTransaction { try connection.begin(.deferred) }
        // The transaction reads the version of the file at its first statement.
        let metadata = try SQLiteStoreMetadata.read(on: connection)
        return SQLiteStoreFile(
            path: path, connection: connection, schema: schema, isReadOnly: true, wasCreated: false, stored: metadata,
            dataVersion: connection.knownDataVersion, history: history, openedAs: self)
    }
}
