// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// A prepared statement: bind, step, read columns, reset.
///
/// Parameters are numbered from 1, columns from 0, as in SQLite. A statement has the same owner as its connection,
/// which must outlive it. Reading a column allocates memory for texts and blobs only.
package final class SQLiteStatement {
    /// The C statement, for hot loops that read rows into buffers.
    let handle: OpaquePointer
    let sql: String
    let columnCount: Int32
    private unowned let connection: SQLiteConnection
    private var trace: SQLLog.Trace?
    private var isFresh = true
    /// Whether steps are logged or observed. Read again at each reset.
    private var isObserved: Bool
    /// The select whose rows the statement passes to a function. Logs, observers and errors have it in place of the
    /// statement.
    var rowSource: String?

    init(_ sql: String, on connection: SQLiteConnection, persistent: Bool) throws {
        var prepared: OpaquePointer?
        var text = sql
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_prepare_v3(
                    connection.handle, characters.baseAddress, Int32(characters.count),
                    persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &prepared, nil)
            }
        }
        guard code == SQLITE_OK, let handle = prepared else {
            sqlite3_finalize(prepared)
            throw connection.error(code == SQLITE_OK ? SQLITE_MISUSE : code, sql: sql)
        }
        self.handle = handle
        self.sql = sql
        self.connection = connection
        self.columnCount = sqlite3_column_count(handle)
        self.isObserved = connection.isObserved
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: Stepping

    /// Steps to the next row.
    ///
    /// - Returns: true if there is a row, false at the end.
    /// - Throws: the connection's error. The statement is reset.
    @inline(__always)
    package func step() throws -> Bool {
        if isObserved { observeStep() }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW {
            if isObserved, rowSource == nil { trace?.row { self.namedValues } }
            return true
        }
        if code == SQLITE_DONE {
            if isObserved { finishTrace() }
            return false
        }
        throw failure(code)
    }

    /// Runs to the end, ignoring rows, and resets.
    func run() throws {
        while try step() {}
        reset()
    }

    /// Runs a statement that returns no rows and that will be bound and run again.
    ///
    /// It costs less than ``run()``: changes of the log level and the observer are ignored until ``reset()``.
    @inline(__always)
    func runAgain() throws {
        if isObserved { return try run() }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else { throw failure(code == SQLITE_ROW ? SQLITE_MISUSE : code) }
        sqlite3_reset(handle)
    }

    /// Looks for the log and the observer. Call it before the first step of a statement that is not from the cache.
    func observeIfNeeded() {
        isObserved = connection.isObserved
    }

    /// Makes the statement ready to run again. The bound values remain.
    package func reset() {
        if isObserved { finishTrace() }
        sqlite3_reset(handle)
        isFresh = true
        observeIfNeeded()
    }

    func clearBindings() {
        sqlite3_clear_bindings(handle)
    }

    @inline(never)
    private func observeStep() {
        guard isFresh else { return }
        isFresh = false
        connection.statementObserver?(observedText)
        if connection.logLevel != .off {
            trace = SQLLog.Trace(statement: self, connection: connection)
        }
    }

    /// The text that logs and observers have.
    var observedText: String { rowSource ?? sql }

    /// Logs a row that the statement passes to a function.
    func observeRow(_ values: () -> [(name: String, value: SQLValue)]) {
        if isObserved { trace?.row(values) }
    }

    private func finishTrace() {
        trace?.finish()
        trace = nil
    }

    @inline(never)
    private func failure(_ code: Int32) -> NSError {
        let error = connection.error(code, sql: observedText)
        reset()
        return error
    }

    // MARK: Binding

    var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    @inline(__always)
    func bind(_ value: Int64, at index: Int32) throws {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    @inline(__always)
    func bind(_ value: Double, at index: Int32) throws {
        try check(sqlite3_bind_double(handle, index, value))
    }

    @inline(__always)
    func bindNull(at index: Int32) throws {
        try check(sqlite3_bind_null(handle, index))
    }

    func bind(_ value: String, at index: Int32) throws {
        var text = value
        try check(
            text.withUTF8 { bytes in
                // An empty string has no base address, which would bind NULL.
                guard let base = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_text(handle, index, "", 0, sqliteTransient)
                }
                return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text64(
                        handle, index, $0, UInt64(bytes.count), sqliteTransient, UInt8(SQLITE_UTF8))
                }
            })
    }

    func bind(_ value: UnsafeRawBufferPointer, at index: Int32) throws {
        guard let base = value.baseAddress, !value.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, index, 0))
        }
        try check(sqlite3_bind_blob64(handle, index, base, UInt64(value.count), sqliteTransient))
    }

    func bind(_ value: Data, at index: Int32) throws {
        try value.withUnsafeBytes { try bind($0, at: index) }
    }

    func bind(_ value: SQLValue, at index: Int32) throws {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let value): try bind(value, at: index)
        case .real(let value): try bind(value, at: index)
        case .text(let value): try bind(value, at: index)
        case .bytes(let value): try bind(value, at: index)
        case .decimal, .timestamp, .uuid, .keys, .list, .parameter: try bind(value.storedForm, at: index)
        }
    }

    /// Binds values in order, from parameter 1.
    func bind(_ values: [SQLValue]) throws {
        for (offset, value) in values.enumerated() { try bind(value, at: Int32(offset + 1)) }
    }

    @inline(__always)
    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw failure(code) }
    }
}

/// Makes SQLite copy a bound value, because Swift's memory is valid during the call only.
let sqliteTransient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
