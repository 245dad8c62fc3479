internal import CSQLite
import CoreDataPredicates
import Dispatch

/// One connection to a SQLite file.
///
/// It has one owner (a store's queue or lock) and is opened without SQLite's own mutexes: no two
/// threads may be inside it at once. Only ``interrupt()`` may be called from anywhere.
package final class SQLiteConnection {
    /// What the connection may do with the file.
    package enum Mode: Sendable {
        /// Reads only; a missing file is an error.
        case readOnly
        /// Reads only a file that nobody changes meanwhile, on a medium where no side files may be made.
        case immutable
        /// Reads and writes; a missing file is an error.
        case readWrite
        /// Reads and writes; a missing file is made.
        case create
    }

    package enum TransactionKind: String, Sendable {
        case deferred = "BEGIN DEFERRED"
        case immediate = "BEGIN IMMEDIATE"
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// The C connection, for code that steps rows straight into buffers.
    package let handle: OpaquePointer
    /// The file's path as errors name it.
    package let path: String
    package let mode: Mode

    /// Called with the text of every statement when it starts to run. For tests and statistics.
    package var statementObserver: ((String) -> Void)?
    /// How much of the work is logged; taken from `-com.apple.CoreData.SQLDebug` when opened.
    package var logLevel: SQLLog.Level

    /// The changes to derived attributes that triggers reported since the list was last emptied.
    package var affectedRows: [SQLiteAffectedRow] = []

    private var cache = SQLiteStatementCache(limit: 200)
    let busyPolicy: SQLiteBusyPolicy

    /// Opens the file at `path`.
    ///
    /// - Parameters:
    ///   - path: The file's path in the file system.
    ///   - mode: What the connection may do.
    ///   - timeout: Seconds to wait for a lock of another connection before
    ///     `NSPersistentStoreTimeoutError` (134090) is thrown.
    /// - Throws: An `NSError` in `NSCocoaErrorDomain`; see ``SQLiteErrors``.
    package init(path: String, mode: Mode, timeout: TimeInterval = 240) throws {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        var name = path
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
            sqlite3_close_v2(opened)
            throw SQLiteErrors.error(code: code, message: message, path: path, mode: mode, sql: nil)
        }
        self.handle = handle
        self.path = path
        self.mode = mode
        self.logLevel = SQLLog.defaultLevel
        self.busyPolicy = SQLiteBusyPolicy(timeout: timeout)
        busyPolicy.install(on: handle)
        // Bounds what a hostile file's own schema can do to us.
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 4)
        sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 100)
    }

    deinit {
        cache.removeAll()
        // v2 waits for statements that someone still holds.
        sqlite3_close_v2(handle)
    }

    private static func uriEscaped(_ path: String) -> String {
        path.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "?", with: "%3f")
            .replacingOccurrences(of: "#", with: "%23")
    }

    // MARK: Statements

    /// The prepared statement for this text, reset and without bound values.
    ///
    /// Statements are kept by text. One that is still being stepped is not handed out twice: a
    /// nested use of the same text gets a statement of its own.
    package func statement(_ sql: String) throws -> SQLiteStatement {
        if let kept = cache.take(sql), sqlite3_stmt_busy(kept.handle) == 0 {
            kept.reset()
            kept.clearBindings()
            return kept
        }
        // The text of a huge predicate hardly comes again, and would hold much memory.
        guard sql.utf8.count <= Self.longestKeptStatement else { return try uncachedStatement(sql) }
        let statement = try SQLiteStatement(sql, on: self, persistent: true)
        cache.keep(statement)
        return statement
    }

    private static let longestKeptStatement = 65_536

    /// Prepares a statement that is not kept.
    package func uncachedStatement(_ sql: String) throws -> SQLiteStatement {
        try SQLiteStatement(sql, on: self, persistent: false)
    }

    /// Runs one statement to its end, with values bound in order.
    package func run(_ sql: String, _ values: [SQLValue] = []) throws {
        let statement = try statement(sql)
        try statement.bind(values)
        try statement.run()
    }

    /// The first column of the first row as an integer; `nil` if there is no row or it is NULL.
    package func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step(), !statement.isNull(at: 0) else { return nil }
        return statement.int64(at: 0)
    }

    /// The first column of the first row as text; `nil` if there is no row or it is NULL.
    package func text(_ sql: String, _ values: [SQLValue] = []) throws -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        return statement.text(at: 0)
    }

    /// The first column of the first row as bytes; `nil` if there is no row or it is NULL.
    package func data(_ sql: String, _ values: [SQLValue] = []) throws -> Data? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        return statement.data(at: 0)
    }

    /// Forgets every prepared statement, for instance before the file is closed or its schema changed.
    package func forgetStatements() {
        cache.removeAll()
    }

    /// Rows changed by the last INSERT, UPDATE or DELETE.
    package var changedRowCount: Int { Int(sqlite3_changes(handle)) }

    /// The rowid of the last inserted row.
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Stops the statement that runs at the moment; it ends with `NSUserCancelledError`. May be called from any thread.
    package func interrupt() {
        sqlite3_interrupt(handle)
    }

    /// The error for a result code of this connection.
    func error(_ code: Int32, sql: String?) -> NSError {
        SQLiteErrors.error(
            code: code, message: String(cString: sqlite3_errmsg(handle)), path: path, mode: mode, sql: sql)
    }
}
