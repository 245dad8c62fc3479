// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Replaces a SQLite store by a store that is made from its contents. No save of another program is lost without an
/// error: the save waits until the store is replaced, and then finds another store.
///
/// A connection has the lock of the file while the new store is made. SQLite can't copy into a file under the lock of
/// another connection, so the lock is released before the copy begins. If another connection has written before the
/// copy gets its lock, the new store is made once more.
package struct SQLiteStoreReplacement {
    private static let attempts = 10

    /// A connection to the replaced store, and the version of the file that the new store is made from.
    struct Target {
        let connection: SQLiteConnection
        let dataVersion: UInt32

        init(_ connection: SQLiteConnection) throws {
            self.connection = connection
            _ = try connection.integer("PRAGMA schema_version")
            dataVersion = connection.knownDataVersion
        }

        /// Checks that no other connection has written since the new store was made. Call it in a transaction.
        func check() throws { if connection.knownDataVersion != dataVersion { throw WrittenMeanwhile() } }
    }

    /// Another connection has written to the store since the new store was made.
    struct WrittenMeanwhile: Error {}

    private let url: URL
    private let options: SQLiteStoreOptions

    package init(at url: URL, options: SQLiteStoreOptions) {
        self.url = url
        self.options = options
    }

    /// Replaces the store.
    ///
    /// - Parameters:
    ///   - sourceOptions: the options of the new store.
    ///   - willReplace: called before the store is replaced.
    ///   - make: makes the new store, and returns its URL; nil to leave the store as it is. It is called again if
    ///     another connection has written since.
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) if other programs lock the file, or write to it again and
    ///   again, and the errors of copying. The store is then as before.
    package func run(
        sourceOptions: SQLiteStoreOptions, willReplace: () throws -> Void, byMaking make: () throws -> URL?
    ) throws {
        for _ in 0..<Self.attempts {
            let lock = try connection()
            try lock.begin(.immediate)
            let target = try Target(connection())
            guard let source = try make() else { return }
            try prepare(source, sourceOptions, replacing: target.connection)
            try lock.rollback()
            try willReplace()
            do {
                return try SQLiteStoreCopy(
                    from: source, options: sourceOptions, to: url, options: options, replacing: target
                ).run()
            } catch is WrittenMeanwhile {}
        }
        throw SQLiteErrors.storeError(
            NSPersistentStoreTimeoutError, path: url.path,
            reason: "Other processes have written to it each time that its new contents were complete.",
            suggestion: "Try again, or close the store in the other processes. Nothing was changed.")
    }

    /// Marks the new store, so that programs which have the old one open, or know its history, notice that the objects
    /// have other keys. The numbers of the history go on, and older tokens expire.
    private func prepare(_ source: URL, _ options: SQLiteStoreOptions, replacing former: SQLiteConnection) throws {
        let connection = try SQLiteConnection(
            path: source.path, mode: .readWrite, timeout: options.timeout, encryptionKey: options.encryptionKey)
        try connection.withTransaction {
            let stored = try SQLiteStoreMetadata.read(on: connection)
            let mark = [SQLiteStoreMetadata.rowKeysKey: UUID().uuidString]
            try SQLiteStoreMetadata(identifier: stored.identifier, dictionary: stored.dictionary.merging(mark) { $1 })
                .write(on: connection)
            guard try SQLiteHistoryTables(connection) != nil else { return }
            try SQLiteHistoryTables.deleteAll(on: connection)
            guard try SQLiteHistoryTables(former) != nil else { return }
            for entity in [SQLiteHistoryTables.Entity.change, .transaction] {
                let highest = try max(
                    SQLiteHistoryTables.highestNumber(entity, on: former),
                    SQLiteHistoryTables.highestNumber(entity, on: connection))
                if highest > 0 { try SQLiteHistoryTables.record(highest: highest, entity, on: connection) }
            }
        }
    }

    private func connection() throws -> SQLiteConnection {
        try SQLiteConnection(
            path: OperatingSystem.resolvingLinks(url.path), mode: .readWrite, timeout: options.timeout,
            encryptionKey: options.encryptionKey)
    }
}
