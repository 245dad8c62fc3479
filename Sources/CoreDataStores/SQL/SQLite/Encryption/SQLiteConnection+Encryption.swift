// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// Encryption by SQLCipher, in a build with the trait of that name. A build without it refuses keys.
extension SQLiteConnection {
    /// Gives a connection that has just been opened its key, and checks that the key opens the file.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) for a value that is no key, for a file that the key doesn't
    ///   open, and in a build without SQLCipher.
    func use(_ key: SQLiteEncryptionKey) throws {
        // SQLite would ignore the key and write plain text.
        guard try Self.hasEncryption(self) else {
            throw encryptionError(
                "The options have a key, but this program is built without encryption.",
                "Build it with the trait SQLCipher of the package OpenCoreData.")
        }
        let bytes = try Self.bytes(of: key, path)
        let isPlain = try !Self.isMemory(path) && firstBytes(count: 16) == Array("SQLite format 3\0".utf8)
        guard !isPlain else {
            throw encryptionError(
                "The options have a key, but the store isn\u{2019}t encrypted.",
                "Leave out NSSQLiteEncryptionKeyOption, or copy the store into an encrypted one with "
                    + "migratePersistentStore(_:to:options:type:).")
        }
        try setKey(bytes)
        do {
            _ = try integer("SELECT COUNT(*) FROM sqlite_master")
        } catch let error as NSError where error.code == SQLiteErrors.fileReadCorrupt {
            throw encryptionError(
                "The key in the options doesn\u{2019}t open it, or the file is damaged.",
                "Give the key that the store was made with, or last changed to.", error)
        }
        clearStatementCache()
    }

    /// Encrypts the database again with another key. No other connection may have the file open.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) for a value that is no key, 134090 for a file in use.
    func changeKey(to key: SQLiteEncryptionKey) throws {
        let bytes = try Self.bytes(of: key, path)
        // The last connection alone can leave this mode. The journal of the change then has the old key.
        try setPragma("journal_mode", "DELETE")
        clearStatementCache()
        try resetKey(bytes)
        try setPragma("journal_mode", "WAL")
    }

    private static func bytes(of key: SQLiteEncryptionKey, _ path: String) throws -> [UInt8] {
        guard let bytes = key.bytes else {
            throw SQLiteErrors.storeError(
                SQLiteErrors.persistentStoreOpen, path: path,
                reason: "The value of NSSQLiteEncryptionKeyOption is no key.",
                suggestion: "Set a text that isn\u{2019}t empty, or Data of 32 bytes (48 with the salt).")
        }
        return bytes
    }

    private func encryptionError(_ reason: String, _ suggestion: String, _ cause: NSError? = nil) -> NSError {
        SQLiteErrors.storeError(
            SQLiteErrors.persistentStoreOpen, path: path, reason: reason, suggestion: suggestion,
            userInfo: cause.map { [NSUnderlyingErrorKey: $0] } ?? [:])
    }

    /// Whether the library encrypts. A program can link SQLite in place of SQLCipher, if another package needs it.
    private static func hasEncryption(_ connection: SQLiteConnection) throws -> Bool {
        #if SQLCipher
            try connection.pragma("cipher_version")?.isEmpty == false
        #else
            false
        #endif
    }

    private func setKey(_ bytes: [UInt8]) throws {
        #if SQLCipher
            let code = sqlite3_key_v2(handle, "main", bytes, Int32(bytes.count))
            guard code == SQLITE_OK else { throw error(code, sql: nil) }
            // Errors of SQLCipher are thrown; they need no lines on standard error.
            try setPragma("cipher_log_level", "NONE")
            // Temporary tables and sorters never write plain text to files.
            try setPragma("temp_store", "MEMORY")
        #endif
    }

    private func resetKey(_ bytes: [UInt8]) throws {
        #if SQLCipher
            let code = sqlite3_rekey_v2(handle, "main", bytes, Int32(bytes.count))
            guard code == SQLITE_OK else { throw error(code, sql: nil) }
        #endif
    }
}
