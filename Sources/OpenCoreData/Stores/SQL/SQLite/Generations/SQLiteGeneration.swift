/// A SQLite store as it was at one time: an open read transaction on a connection of its own.
///
/// SQLite keeps the pages that such a transaction reads: the write-ahead log can't begin anew before it has ended. Its
/// rows are listed in a row cache of its own, so that they never pass for the store's newest. One user at a time, under
/// the lock. The connection closes when the last reference goes, or when the store is removed.
final class SQLiteGeneration: SQLiteSource, @unchecked Sendable {
    let identity: StoreIdentity
    let rowCache = RowCache()
    /// Unique among the generations of the store.
    let number: Int
    private let path: String
    private let generations: SQLiteGenerations
    private let lock = NSRecursiveLock()
    private var opened: SQLiteStore.OpenStore?
    private var isClosed = false

    /// - Parameters:
    ///   - open: a file whose connection has begun to read in a transaction.
    ///   - generations: those of the store.
    init(_ open: SQLiteStore.OpenStore, identity: StoreIdentity, generations: SQLiteGenerations) {
        opened = open
        path = open.file.path
        self.identity = identity
        self.generations = generations
        number = generations.takeNumber()
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
        if wasOpen { generations.noteEnd(of: number) }
    }

    func withOpen<Result>(_ body: (SQLiteStore.OpenStore) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let opened else {
            throw lost("its store was removed from the coordinator. Add it again, and pin the context anew")
        }
        // A failure of the disk can end the transaction: what is read from then on would be newer.
        guard opened.connection.isInTransaction else {
            throw lost("SQLite has ended its transaction after an error. Pin the context anew")
        }
        return try body(opened)
    }

    private func lost(_ reason: String) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError,
            userInfo: [
                NSLocalizedDescriptionKey: "A query generation of the store \(path) can't be read any more: \(reason).",
                NSFilePathErrorKey: path,
            ])
    }
}
