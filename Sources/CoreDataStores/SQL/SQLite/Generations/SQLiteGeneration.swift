// SPDX-License-Identifier: Apache-2.0

/// A query generation of a SQLite store: an open read transaction on a separate connection.
///
/// SQLite preserves the pages that the transaction reads: the write-ahead log can't restart before its end. The
/// generation has its own row cache, because its rows may be older than the store's. The lock guards the connection,
/// which closes with the last reference to the generation, or when the store is removed.
final class SQLiteGeneration: SQLiteSource, @unchecked Sendable {
    let identity: StoreIdentity
    let rowCache = RowCache()
    /// The number of the generation, unique in its store.
    let number: Int
    private let path: String
    private let generations: SQLiteGenerations
    private let lock = NSRecursiveLock()
    private var opened: SQLiteSession?
    private var isClosed = false

    /// - Parameters:
    ///   - open: a file whose connection is in a read transaction.
    ///   - identity: the identity of the store.
    ///   - generations: the list of the store's generations.
    init(_ open: SQLiteSession, identity: StoreIdentity, generations: SQLiteGenerations) {
        opened = open
        path = open.file.path
        self.identity = identity
        self.generations = generations
        number = generations.nextNumber()
    }

    deinit { close() }

    /// Ends the transaction and closes the connection.
    func close() {
        let wasOpen = lock.withLock {
            defer {
                opened = nil
                isClosed = true
            }
            return !isClosed
        }
        if wasOpen { generations.didClose(number) }
    }

    func read<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let opened else {
            throw unreadable(
                "Its store was removed from the coordinator.",
                suggestion: "Add the store again, and pin the context again.")
        }
        // A failure of the disk can end the transaction; later reads would return newer rows.
        guard opened.connection.isInTransaction else {
            throw unreadable(
                "SQLite has ended its transaction after an error.", suggestion: "Pin the context again.")
        }
        opened.externalValues.beginRequest()
        do {
            return try body(opened)
        } catch {
            // The files of older rows stay for the generations of this coordinator. Another one may have removed them.
            guard opened.externalValues.hasOldRows, let names = newestFileNames(opened) else { throw error }
            do {
                try opened.externalValues.expectLostFiles(amongFilesOf: names)
            } catch let error as NSError {
                throw CoreDataErrors.replacing(
                    [
                        NSLocalizedRecoverySuggestionErrorKey:
                            "Another process or coordinator has replaced it: pin the context to a newer generation."
                    ], in: error)
            }
            return try body(opened)
        }
    }

    /// The files of external data that the newest rows name; nil if they can't be read.
    private func newestFileNames(_ opened: SQLiteSession) -> Set<String>? {
        // An encrypted store has no such files.
        guard let connection = try? SQLiteConnection(path: opened.file.path, mode: .readOnly) else { return nil }
        return try? opened.file.externalData.fileNames(on: connection, opened.schema)
    }

    private func unreadable(_ reason: String, suggestion: String) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreOperationError, "A query generation of the store \(path) can no longer be read.",
            reason: reason, suggestion: suggestion, userInfo: [NSFilePathErrorKey: path])
    }
}
