// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Access to a store file that isn't open as a store.
extension SQLiteStoreFile {
    /// The store's metadata with `NSStoreUUID`.
    package static func metadata(at path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()) throws
        -> [String: Any]
    {
        try withReader(at: path, options: options) { try SQLiteStoreMetadata.read(on: $0).dictionary }
    }

    /// Replaces a closed store's metadata.
    package static func setMetadata(
        _ metadata: [String: Any], at path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws {
        let path = OperatingSystem.resolvingLinks(path)
        guard case .database = try SQLiteFileCheck.inspect(path, isEncrypted: options.encryptionKey != nil) else {
            throw missing(path)
        }
        if options.isReadOnly {
            throw SQLiteErrors.storeError(
                SQLiteErrors.fileWriteNoPermission, path: path,
                reason: "The options say that the store is read-only.",
                suggestion: "Leave out NSReadOnlyPersistentStoreOption to write metadata.")
        }
        let connection = try SQLiteConnection(
            path: path, mode: .readWrite, timeout: options.timeout, encryptionKey: options.encryptionKey)
        try connection.setPragmas(options.pragmas)
        try connection.withTransaction {
            let old = try SQLiteStoreMetadata.read(on: connection)
            try SQLiteStoreMetadata(identifier: old.identifier, replacedBy: metadata).write(on: connection)
        }
    }

    /// The model that created the store; nil if the file doesn't contain it.
    ///
    /// - Throws: 259 if the file or the model in it is damaged.
    package static func cachedModel(at path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()) throws
        -> NSManagedObjectModel?
    {
        try withReader(at: path, options: options) { connection in
            _ = try SQLiteStoreMetadata.read(on: connection)
            return try SQLiteModelCache.read(on: connection)
        }
    }

    /// Opens a read-only connection to a file, which must be a SQLite database, and passes it to a block.
    static func withReader<Result>(
        at path: String, options: SQLiteStoreOptions = SQLiteStoreOptions(),
        _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let path = OperatingSystem.resolvingLinks(path)
        guard
            case .database(let isLogged) = try SQLiteFileCheck.inspect(
                path, isEncrypted: options.encryptionKey != nil)
        else { throw missing(path) }
        let connection = try SQLiteStoreOpener.readOnlyConnection(
            path: path, isLogged: isLogged, options)
        // The journal mode is the file's, which a reader leaves as it is.
        try connection.setPragmas(options.pragmas.filter { $0.key != "journal_mode" })
        return try connection.withReadTransaction { try body(connection) }
    }

    private static func missing(_ path: String) -> NSError {
        let isMissing = OperatingSystem.fileKind(at: path) == .missing
        return SQLiteErrors.storeError(
            isMissing ? SQLiteErrors.fileReadNoSuchFile : SQLiteErrors.fileReadCorrupt, path: path,
            reason: isMissing ? "The file doesn\u{2019}t exist." : "The file is empty.", suggestion: "Check the URL.")
    }
}
