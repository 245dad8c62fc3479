// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Creates a store file, in one transaction. If it fails, the file is as before.
struct SQLiteStoreCreator {
    let path: String
    let schema: SQLSchema
    let options: SQLiteStoreOptions

    func create() throws -> SQLiteStoreFile {
        let before = OperatingSystem.fileKind(at: path)
        let statements = try SQLiteStoreFile.naming(path) { try SQLiteDefinition(schema).statements() }
        do {
            return try create(statements)
        } catch let error as NSError {
            // After a timeout another process holds the lock: it creates the store, and may have created the file.
            if error.code != SQLiteErrors.persistentStoreTimeout, before == .missing || before == .file(0) {
                try removeIncompleteStore(wasMissing: before == .missing)
            }
            throw error
        }
    }

    private func create(_ statements: [String]) throws -> SQLiteStoreFile {
        let connection = try SQLiteConnection(
            path: path, mode: .create, timeout: options.timeout, encryptionKey: options.encryptionKey)
        // SQLite accepts these two only before the first table exists.
        try connection.setPragma("page_size", "4096")
        try connection.setPragma("auto_vacuum", "2")
        try SQLiteStoreOpener.configure(connection, options)
        let metadata = SQLiteStoreMetadata(newStoreFor: schema)
        let isCreated = try connection.withTransaction(.exclusive) { () -> Bool in
            // Another process may have created the store while this one waited for the lock.
            if try connection.integer("SELECT COUNT(*) FROM sqlite_master") != 0 { return false }
            for statement in statements { try connection.run(statement) }
            if options.tracksHistory { try SQLiteHistoryTables.create(on: connection, schema) }
            for entity in schema.entities {
                try connection.run(
                    "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
                    [
                        .integer(Int64(entity.number)), .text(entity.name),
                        .integer(Int64(entity.superentity?.number ?? 0)),
                    ])
            }
            try metadata.write(on: connection)
            try SQLiteModelCache.write(schema.model, on: connection)
            return true
        }
        guard isCreated else {
            connection.clearStatementCache()
            return try SQLiteStoreOpener(
                path: path, schema: schema, options: options, isLogged: true, sourceModel: nil
            ).open()
        }
        // Other processes can write from now on.
        let dataVersion = connection.knownDataVersion
        // The statements that created the tables aren't run again.
        connection.clearStatementCache()
        try SQLiteStoreOpener.restrictSchema(of: connection)
        return SQLiteStoreFile(
            path: path, connection: connection, schema: schema, isReadOnly: false, wasCreated: true, stored: metadata,
            dataVersion: dataVersion, history: try options.tracksHistory ? SQLiteHistoryTables(connection) : nil)
    }

    /// Restores the file's former state. The connection is closed, and the file contains no table of this store.
    private func removeIncompleteStore(wasMissing: Bool) throws {
        // Another process may have created the store since, and may be writing to it.
        guard !SQLiteStoreFile.mayBeStore(at: path, encryptionKey: options.encryptionKey) else { return }
        if wasMissing, OperatingSystem.fileKind(at: path) != .directory {
            try OperatingSystem.remove(path)
        } else if case .file(let size) = OperatingSystem.fileKind(at: path), size > 0 {
            try OperatingSystem.truncateFile(path)
        }
        for suffix in ["-wal", "-shm", "-journal"] { try OperatingSystem.remove(path + suffix) }
    }
}

extension SQLiteStoreFile {
    /// Whether a file is a store, or is locked so that it can't be known.
    static func mayBeStore(at path: String, encryptionKey: SQLiteEncryptionKey? = nil) -> Bool {
        guard case .file(let size) = OperatingSystem.fileKind(at: path), size > 0 else { return false }
        do {
            let connection = try SQLiteConnection(
                path: path, mode: .readOnly, timeout: 1, encryptionKey: encryptionKey)
            return try connection.hasTable("Z_METADATA")
        } catch let error as NSError {
            return error.code == SQLiteErrors.persistentStoreTimeout
        }
    }
}
