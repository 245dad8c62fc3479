// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The rows of a SQLite store: a file in Apple's format, while it is open.
///
/// The database has one connection that writes, and one lock that guards it. A thread that finds the connection in use
/// reads on a connection of the reader pool. All contexts of the coordinator share the row cache.
package final class SQLiteDatabase: SQLiteSource, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    /// Nil before the file was opened, and after it was closed. Guarded by `lock`.
    @exclusivity(unchecked) private var opened: SQLiteSession?
    /// Why the file is closed. Guarded by `lock`.
    private var closing = Closing.removed
    /// The path of the file that was opened last. Guarded by `lock`.
    private var path = ""
    /// Whether the end of the reused transaction is scheduled. Guarded by `lock`.
    @exclusivity(unchecked) private var endsIdleTransaction = false
    /// How long a reused transaction remains open without requests.
    private static let idleTime = DispatchTimeInterval.milliseconds(20)
    /// The reference of the work that ends idle transactions.
    private let link = ObjectLink<SQLiteDatabase>()
    let readers = SQLiteReaderPool()
    package let rowCache = RowCache()
    /// The identity of the store that has the rows. Set before the first request.
    package private(set) var identity = StoreIdentity(uuid: "")

    /// Why a store has no open file.
    package enum Closing {
        /// The store was removed from its coordinator.
        case removed
        /// The file was emptied, or replaced by another store, through a coordinator of this process.
        case destroyed, replaced
        /// The file is no longer the opened store.
        case lost(SQLiteFileIdentity.Change)
    }

    package init() { link.refer(to: self) }

    deinit { link.remove() }

    /// Opens a file. A file that was open is closed first.
    ///
    /// - Parameters:
    ///   - file: the file, on the connection that is going to write.
    ///   - options: its options, for further connections.
    ///   - layouts: the layouts of the coordinator's model.
    ///   - identity: the identity of the store.
    package func open(
        _ file: SQLiteStoreFile, options: SQLiteStoreOptions, layouts: ModelLayout, identity: StoreIdentity
    ) throws {
        let open = SQLiteSession(
            file: file, layouts: layouts, identity: identity, generations: SQLiteGenerations(file.externalData))
        let allowsReaders = try open.allowsGenerations()
        if allowsReaders { open.reusedTransaction = SQLiteReusedTransaction(open.connection, open.fileIdentity) }
        close(.removed)
        self.identity = identity
        identity.setRowCache(rowCache)
        lock.withLock {
            opened = open
            path = file.path
        }
        readers.open(
            SQLiteReaderPool.Source(
                file: file, options: options, layouts: layouts, identity: identity, generations: open.generations),
            allowsReaders: allowsReaders)
    }

    /// The metadata that the next save writes; nil if they are as in the file.
    package var changedMetadata: [String: Any]? {
        get { lock.withLock { opened?.changedMetadata } }
        set { lock.withLock { opened?.changedMetadata = newValue } }
    }

    /// Closes the file, for instance because the database is going to be emptied.
    package func close(_ reason: Closing) {
        readers.close()
        let generations = lock.withLock {
            opened?.reusedTransaction?.end()
            defer {
                opened = nil
                closing = reason
            }
            return opened?.generations
        }
        generations?.closeAll()
        rowCache.removeAll()
    }

    /// Runs a block with the open file and the store's own connection, under the lock.
    func withOpen<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let opened else { throw closedError }
        opened.reusedTransaction?.end()
        opened.rowCacheGeneration = rowCache.generation.current
        do {
            return try opened.fileIdentity.checking { try body(opened) }
        } catch let change as SQLiteFileIdentity.Change {
            close(.lost(change))
            throw closedError
        }
    }

    /// Runs a block that reads: with the store's own connection if no other thread uses it, otherwise with a connection
    /// of the pool.
    package func read<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
        if lock.try() {
            defer { lock.unlock() }
            return try readOnOwnConnection(body)
        }
        guard let reader = readers.acquire() else { return try readOnOwnConnection(body) }
        defer { readers.release(reader) }
        do {
            reader.rowCacheGeneration = rowCache.generation.current
            return try reader.fileIdentity.checking { try reader.connection.withReadTransaction { try body(reader) } }
        } catch {
            if (error as NSError).code == SQLiteErrors.userCancelled { throw error }
            // For instance a file of external data that a save has removed since the transaction began. The store's own
            // connection reads the newest rows, or throws the error.
            return try readOnOwnConnection(body)
        }
    }

    /// How many times a request is tried while another process removes files of external data, or migrates the store
    /// and back. The next attempt takes the write lock, so that other writers wait.
    private static let attemptsWithoutLock = 20

    private func readOnOwnConnection<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
        try withOpen { try readNewestRows(of: $0, body) }
    }

    /// Runs a request, and repeats it while another process replaces files of external data that its rows name, or has
    /// the store in another model for a moment.
    private func readNewestRows<Result>(
        of open: SQLiteSession, _ body: (SQLiteSession) throws -> Result
    ) throws -> Result {
        for _ in 0..<Self.attemptsWithoutLock {
            open.externalValues.beginRequest()
            open.rowCacheGeneration = rowCache.generation.current
            let comparisons = open.fileIdentity.comparisons
            do {
                return try body(open)
            } catch {
                guard !open.connection.isInTransaction else { throw error }
                if open.externalValues.hasOldRows { continue }
                try open.fileIdentity.checkAfterFailure(error)
                guard open.fileIdentity.comparisons != comparisons else { throw error }
            }
        }
        open.externalValues.beginRequest()
        if open.file.isReadOnly { return try body(open) }
        return try open.connection.withTransaction(.immediate) { try body(open) }
    }

    /// Runs a short request. Consecutive short requests on the store's own connection share a transaction, which ends
    /// when no request has come for some time.
    package func readByKey<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
        guard lock.try() else { return try read(body) }
        defer { lock.unlock() }
        guard let opened, let transaction = opened.reusedTransaction else { return try withOpen(body) }
        // Set before the transaction checks whether another connection has committed.
        opened.rowCacheGeneration = rowCache.generation.current
        let comparisons = opened.fileIdentity.comparisons
        do {
            let result = try transaction.run {
                opened.externalValues.beginRequest()
                return try body(opened)
            }
            if transaction.isOpen && !endsIdleTransaction { endIdleTransactionLater() }
            return result
        } catch let change as SQLiteFileIdentity.Change {
            close(.lost(change))
            throw closedError
        } catch {
            guard opened.externalValues.hasOldRows || opened.fileIdentity.comparisons != comparisons,
                !opened.connection.isInTransaction
            else { throw error }
            return try readOnOwnConnection(body)
        }
    }

    private func endIdleTransactionLater() {
        endsIdleTransaction = true
        scheduleEndOfIdleTransaction()
    }

    private func scheduleEndOfIdleTransaction() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.idleTime) { [link] in
            link.object?.endIdleTransaction()
        }
    }

    private func endIdleTransaction() {
        // A request is running: it isn't kept waiting, and the transaction is no idle one.
        guard lock.try() else { return scheduleEndOfIdleTransaction() }
        defer { lock.unlock() }
        endsIdleTransaction = false
        guard let transaction = opened?.reusedTransaction, transaction.isOpen else { return }
        if transaction.isIdle { transaction.end() } else { endIdleTransactionLater() }
    }

    /// The error of a request to a closed store.
    private var closedError: NSError {
        let text: ClosedStoreText =
            switch closing {
            case .removed: .removed
            case .destroyed: .destroyed
            case .replaced: .replaced
            case .lost(.otherModel): .again(SQLiteFileIdentity.Change.otherModel.reason, "with the newer model")
            case .lost(let change): .again(change.reason, "to use what the URL names now")
            }
        var code = NSPersistentStoreOperationError
        switch closing {
        case .lost(.otherModel), .lost(.otherKeys): code = NSPersistentStoreIncompatibleVersionHashError
        default: break
        }
        return text.error(code, of: path, userInfo: [NSFilePathErrorKey: path])
    }
}
