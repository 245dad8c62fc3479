// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import Dispatch
internal import SQLiteLibrary

/// A connection to a SQLite file.
///
/// It has one owner (a store's queue or lock) and is opened without SQLite's own mutexes: one thread at a time may use
/// it. Only ``interrupt()`` may be called on any thread.
package final class SQLiteConnection {
    /// The access of a connection to its file.
    package enum Mode: Sendable {
        /// Reads; a missing file is an error.
        case readOnly
        /// Reads a file that no process changes, without side files.
        case immutable
        /// Reads and writes; a missing file is an error.
        case readWrite
        /// Reads and writes; a missing file is created.
        case create
    }

    package enum TransactionKind: String, Sendable {
        case deferred = "BEGIN DEFERRED"
        case immediate = "BEGIN IMMEDIATE"
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// Whether a path stands for databases in memory: each connection to such a path opens a new database.
    static func isMemory(_ path: String) -> Bool { OperatingSystem.isNullDevice(path) }

    /// The C connection, for hot loops that read rows into buffers.
    let handle: OpaquePointer
    /// The path of the file.
    let path: String
    let mode: Mode
    /// The file, while the connection has it open; nil for a database in memory.
    private let openFile: DatabaseFiles.Identity?

    /// Called with the text of every statement when its run begins, for tests and statistics.
    @exclusivity(unchecked) var statementObserver: ((String) -> Void)?
    /// The level of the log. `-com.apple.CoreData.SQLDebug` sets the initial level.
    @exclusivity(unchecked) var logLevel: SQLLog.Level

    /// The changes of derived attributes that triggers have reported since the list was last cleared.
    var affectedRows: [SQLiteAffectedRow] = []

    /// Whether the connection has a key, and encrypts the pages that it writes.
    let isEncrypted: Bool

    /// Gets the number of statements; nil if they aren't counted.
    var statistics: ConnectionStatistics?

    /// The address of the `SQLiteRowCollector` of the running statement.
    let rowCollector = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 1)
    /// Whether the connection passes rows to a collector.
    var hasRowFunction = false

    /// The address of the `SQLiteRowTable` of the running statement.
    let rowTable = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 1)
    /// The widths of the tables of rows that the connection has.
    var rowTableWidths: Set<Int> = []
    /// The tables with triggers, when a table of rows was used first.
    var knownTablesWithTriggers: Set<String>?

    private var knownUTF8Texts: Bool?

    /// Whether the file has its texts in UTF-8, as all files of Core Data.
    var hasUTF8Texts: Bool {
        get throws {
            if let known = knownUTF8Texts { return known }
            let statement = try uncachedStatement("PRAGMA encoding")
            // A property of the file, not a step of the fetch that asks for it first: logs don't have it.
            let code = sqlite3_step(statement.handle)
            guard code == SQLITE_ROW else { throw error(code, sql: statement.sql) }
            let isUTF8 = statement.text(at: 0) == "UTF-8"
            knownUTF8Texts = isUTF8
            return isUTF8
        }
    }

    /// Whether statements are logged or observed.
    var isObserved: Bool { logLevel != .off || statementObserver != nil }

    /// Whether SQLite has rolled a transaction back since ``commit()`` began.
    var wasRolledBack = false

    private var cache = SQLiteStatementCache(limit: 200)
    let busyPolicy: SQLiteBusyPolicy

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - mode: the access to the file.
    ///   - timeout: the seconds to wait for a lock of another connection, before `NSPersistentStoreTimeoutError`
    ///     (134090) is thrown.
    ///   - encryptionKey: the key of an encrypted file; nil for a plain one.
    /// - Throws: an error in `NSCocoaErrorDomain`; see ``SQLiteErrors``, and ``use(_:)`` for keys.
    package init(
        path: String, mode: Mode, timeout: TimeInterval = 240, encryptionKey: SQLiteEncryptionKey? = nil
    ) throws {
        try Self.checkFilesBeside(path)
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        var name = Self.isMemory(path) ? ":memory:" : path
        switch mode {
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:" + Self.uriEscaped(path) + "?immutable=1"
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard code == SQLITE_OK, let handle = opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            let systemCode = opened.map(sqlite3_system_errno) ?? 0
            sqlite3_close_v2(opened)
            throw SQLiteErrors.error(
                code: code, systemCode: systemCode, message: message, path: path, mode: mode, sql: nil)
        }
        self.handle = handle
        // The connection has no lock yet: SQLite takes the first one with the first statement.
        openFile = Self.isMemory(path) ? nil : DatabaseFiles.didOpen(path)
        rowCollector.initialize(to: nil)
        rowTable.initialize(to: nil)
        self.path = path
        self.mode = mode
        self.isEncrypted = encryptionKey != nil
        self.logLevel = SQLLog.defaultLevel
        self.busyPolicy = SQLiteBusyPolicy(timeout: timeout, path: path)
        busyPolicy.install(on: handle)
        // Limits the effects of a hostile file's schema.
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 4)
        sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 100)
        if let encryptionKey { try use(encryptionKey) }
    }

    deinit {
        cache.removeAll()
        if let openFile { DatabaseFiles.willClose(openFile, path: path) }
        // v2 delays the closing until the last statement is finalized.
        sqlite3_close_v2(handle)
        if let openFile { DatabaseFiles.didClose(openFile, path: path) }
        rowCollector.deallocate()
        rowTable.deallocate()
    }

    /// Checks that no pipe, device, link or folder has the name of a log. SQLite would wait for the writer of a pipe,
    /// for ever.
    private static func checkFilesBeside(_ path: String) throws {
        if isMemory(path) { return }
        for suffix in ["-wal", "-journal", "-shm"] {
            switch OperatingSystem.plainKind(at: path + suffix) {
            case .missing, .file: continue
            case .directory, .other:
                throw SQLiteErrors.storeError(
                    SQLiteErrors.fileReadUnknown, path: path, reason: "\(path + suffix) is not a regular file.",
                    suggestion: "Remove it: SQLite keeps a file of this name beside the store.")
            }
        }
    }

    private static func uriEscaped(_ path: String) -> String {
        path.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "?", with: "%3f")
            .replacingOccurrences(of: "#", with: "%23")
    }

    // MARK: Statements

    /// A prepared statement for a text, reset and without bound values.
    ///
    /// Statements are cached by text. While a statement is being stepped, a second statement is prepared for the same
    /// text.
    package func statement(_ sql: String) throws -> SQLiteStatement {
        if let cached = cache.statement(for: sql), sqlite3_stmt_busy(cached.handle) == 0 {
            cached.reset()
            cached.clearBindings()
            return cached
        }
        // The text of a huge predicate is rarely used again, and its statement needs much memory.
        guard sql.utf8.count <= Self.longestCachedStatement else { return try uncachedStatement(sql) }
        let statement = try SQLiteStatement(sql, on: self, persistent: true)
        cache.insert(statement)
        return statement
    }

    private static let longestCachedStatement = 65_536

    /// Prepares a statement without caching it.
    package func uncachedStatement(_ sql: String) throws -> SQLiteStatement {
        try SQLiteStatement(sql, on: self, persistent: false)
    }

    /// Binds values in order and runs a statement to its end.
    package func run(_ sql: String, _ values: [SQLValue] = []) throws {
        let statement = try statement(sql)
        try statement.bind(values)
        try statement.run()
    }

    /// Runs a statement that the log and the observer don't see.
    ///
    /// - Returns: whether it has succeeded.
    func execute(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }

    /// The first column of the first row as an integer; nil if there is no row or the value is NULL.
    package func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step(), !statement.isNull(at: 0) else { return nil }
        return statement.int64(at: 0)
    }

    /// The first column of the first row as text; nil if there is no row or the value is NULL.
    func text(_ sql: String, _ values: [SQLValue] = []) throws -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        return statement.text(at: 0)
    }

    /// The first column of the first row as bytes; nil if there is no row or the value is NULL.
    func data(_ sql: String, _ values: [SQLValue] = []) throws -> Data? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        return statement.data(at: 0)
    }

    /// Finalizes the cached statements that aren't in use.
    func clearStatementCache() {
        cache.removeAll()
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    var changedRowCount: Int { Int(sqlite3_changes(handle)) }

    // MARK: The file

    /// Whether the path names another file than the open one, or none.
    var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// The first bytes of the file; fewer if the file is shorter. Takes no lock.
    func firstBytes(count: Int) throws -> [UInt8] {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var size: sqlite3_int64 = 0
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods?.pointee, methods.xFileSize(file, &size) == SQLITE_OK
        else { throw error(SQLITE_IOERR, sql: nil) }
        var bytes = [UInt8](repeating: 0, count: min(count, Int(size)))
        let code = methods.xRead(file, &bytes, Int32(bytes.count), 0)
        guard code == SQLITE_OK else { throw error(code, sql: nil) }
        return bytes
    }

    /// A number that changes when the connection notices that another connection has written to the file: at the
    /// beginning of a transaction, not before. The property reads nothing from the file.
    var knownDataVersion: UInt32 {
        var version: UInt32 = 0
        _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// The error for a result code of this connection.
    package func error(_ code: Int32, sql: String?) -> NSError {
        SQLiteErrors.error(
            code: code, systemCode: sqlite3_system_errno(handle), message: String(cString: sqlite3_errmsg(handle)),
            path: path, mode: mode, sql: sql)
    }

    /// Runs a block whose statements throw `NSUserCancelledError` soon after a fetch is cancelled, even while they
    /// return no rows.
    func cancellable<Result>(_ control: FetchControl?, _ body: () throws -> Result) throws -> Result {
        guard let control else { return try body() }
        if control.isCancelled { throw control.cancelledError }
        // SQLite calls the handler after so many instructions, every few milliseconds. The control outlives the block.
        sqlite3_progress_handler(
            handle, 10_000,
            { Unmanaged<FetchControl>.fromOpaque($0!).takeUnretainedValue().isCancelled ? 1 : 0 },
            Unmanaged.passUnretained(control).toOpaque())
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        return try body()
    }
}
