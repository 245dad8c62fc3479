// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A SQLite store that one connection has for itself.
///
/// The connection keeps its locks between transactions. SQLite grants them only if no other connection has read the
/// file since it was opened, as each keeps a shared lock on a file with a write-ahead log.
package final class SQLiteExclusiveAccess {
    private let connection: SQLiteConnection
    private let encryptionKey: SQLiteEncryptionKey?

    package init(at path: String, options: SQLiteStoreOptions, timeout: TimeInterval) throws {
        encryptionKey = options.encryptionKey
        connection = try SQLiteConnection(
            path: path, mode: .readWrite, timeout: timeout, encryptionKey: options.encryptionKey)
        try connection.setPragma("locking_mode", "EXCLUSIVE")
        try connection.withTransaction(.exclusive) {}
    }

    package func copy(to url: URL) throws {
        let files = SQLiteExternalDataCopy(
            from: SQLiteExternalData(storePath: connection.path), to: SQLiteExternalData(storePath: url.path))
        _ = try files.copy(SQLiteStoreCopy.externalFiles(of: connection), isLocked: true)
        try SQLiteConnection(path: url.path, mode: .create, encryptionKey: encryptionKey)
            .copyDatabase(from: connection)
        files.finish()
    }

    package func replace(byCopyOf url: URL) throws {
        let source = try SQLiteConnection(path: url.path, mode: .readWrite, encryptionKey: encryptionKey)
        let files = SQLiteExternalDataCopy(
            from: SQLiteExternalData(storePath: url.path), to: SQLiteExternalData(storePath: connection.path))
        do {
            let names = try SQLiteStoreCopy.externalFiles(of: source)
            _ = try files.copy(names, isLocked: true)
            try files.prepare(naming: names)
            try connection.copyDatabase(from: source)
            files.finish()
        } catch {
            files.revert()
            throw error
        }
    }
}
