extension SQLiteStore {
    /// Only a file with a write-ahead log can be read as it was while others write to it: another one would be locked
    /// against them.
    func generation() throws -> (any SnapshotSource)? {
        try withOpen { open in
            guard try open.allowsGenerations() else { return nil }
            let before = try open.generationStamp()
            if let known = open.generations.generation(at: before) { return known }
            let file = try open.file.beginReading(SQLiteStore.fileOptions(options))
            let generation = SQLiteGeneration(
                OpenStore(file: file, layouts: open.layouts, identity: identity, generations: open.generations),
                identity: identity,
                generations: open.generations)
            // Another process may have committed something meanwhile: then which of both states is read isn't certain.
            open.generations.add(generation, stamp: try open.generationStamp() == before ? before : nil)
            return generation
        }
    }
}

extension SQLiteStore.OpenStore {
    fileprivate func allowsGenerations() throws -> Bool {
        if let known = allowsGenerationsStorage { return known }
        // A connection that keeps its locks lets no second one in.
        let allows = try connection.pragma("journal_mode") == "wal" && connection.pragma("locking_mode") == "normal"
        allowsGenerationsStorage = allows
        return allows
    }

    fileprivate func generationStamp() throws -> SQLiteGenerations.Stamp {
        SQLiteGenerations.Stamp(
            others: try connection.integer("PRAGMA data_version") ?? 0, own: generations.commitCount)
    }
}

extension SQLiteStoreFile {
    /// The file on a connection of its own, which reads what is there now until it is closed.
    fileprivate func beginReading(_ options: SQLiteStoreOptions) throws -> SQLiteStoreFile {
        var options = options
        let connection =
            try options.isReadOnly
            ? SQLiteStoreOpener.readOnlyConnection(path: path, isLogged: true, timeout: options.timeout)
            : SQLiteConnection(path: path, mode: .readWrite, timeout: options.timeout)
        // What the user's pragmas do to the file is done.
        options.isReadOnly = true
        options.pragmas["journal_mode"] = nil
        try SQLiteStoreOpener.configure(connection, options)
        try connection.begin(.deferred)
        // The first statement that reads fixes what is read.
        let metadata = try SQLiteStoreMetadata.read(on: connection)
        return SQLiteStoreFile(
            path: path, connection: connection, schema: schema, isReadOnly: true, wasCreated: false, stored: metadata)
    }
}
