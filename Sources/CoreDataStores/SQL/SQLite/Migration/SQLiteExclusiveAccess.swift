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
            path: OperatingSystem.resolvingLinks(path), mode: .readWrite, timeout: timeout,
            encryptionKey: options.encryptionKey)
        try connection.setPragma("locking_mode", "EXCLUSIVE")
        try connection.withTransaction(.exclusive) {}
    }

    package func copy(to url: URL) throws {
        let files = SQLiteExternalDataCopy(
            from: SQLiteExternalData(storePath: connection.path), to: SQLiteExternalData(storePath: url.path))
        _ = try files.copy(namedOn: connection, isLocked: true)
        try SQLiteConnection(path: url.path, mode: .create, encryptionKey: encryptionKey)
            .copyDatabase(from: connection)
        files.finish()
    }

    package func replace(byCopyOf url: URL) throws {
        let source = try SQLiteConnection(path: url.path, mode: .readWrite, encryptionKey: encryptionKey)
        let files = SQLiteExternalDataCopy(
            from: SQLiteExternalData(storePath: url.path), to: SQLiteExternalData(storePath: connection.path))
        do {
            _ = try files.copy(namedOn: source, isLocked: true)
            try files.prepare(replacing: connection, by: source, allowsDamage: false)
            try connection.copyDatabase(from: source)
            files.finish(on: connection)
        } catch {
            files.revert()
            throw error
        }
    }
}
