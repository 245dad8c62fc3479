// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

extension SQLiteConnection {
    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Whether the open transaction has begun to write: its rows are the newest ones.
    var holdsWriteLock: Bool { sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE }

    package func begin(_ kind: TransactionKind = .immediate) throws {
        try run(kind.rawValue)
    }

    /// Commits the open transaction.
    ///
    /// SQLite may report a failed allocation after the file has the transaction. Such a commit has succeeded: SQLite
    /// has called the hook of each transaction that it rolls back.
    func commit() throws {
        // Without an open transaction, as after a rollback by SQLite, the error says so.
        guard isInTransaction else { return try run("COMMIT") }
        wasRolledBack = false
        defer { sqlite3_rollback_hook(handle, nil, nil) }
        sqlite3_rollback_hook(
            handle,
            { connection in
                guard let connection else { return }
                Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().wasRolledBack = true
            }, Unmanaged.passUnretained(self).toOpaque())
        do {
            try run("COMMIT")
        } catch {
            if isInTransaction || wasRolledBack { throw error }
        }
    }

    /// Rolls the open transaction back. Does nothing if SQLite has done so after an error.
    func rollback() throws {
        guard isInTransaction else { return }
        try run("ROLLBACK")
    }

    /// Runs a block in a transaction, which is committed if the block returns, and rolled back if it throws.
    package func withTransaction<Result>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Result
    ) throws -> Result {
        try begin(kind)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // The first error is thrown. If the rollback fails, SQLite's recovery rolls the transaction back when the
            // file is next opened.
            try? rollback()
            throw error
        }
    }

    /// Runs a block in a read transaction, or in the open one.
    ///
    /// Its statements read one version of the file, and the lock is acquired once.
    func withReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        if isInTransaction { return try body() }
        return try withTransaction(.deferred, body)
    }

    // MARK: Pragmas

    /// Sets a pragma. The name and the value must be constants, or checked by ``setPragmas(_:)``.
    ///
    /// SQLite doesn't call its busy handler when the journal mode changes, so this function waits for locks.
    package func setPragma(_ name: String, _ value: String) throws {
        try busyPolicy.retrying(isBusy: { ($0 as NSError).code == SQLiteErrors.persistentStoreTimeout }) {
            let statement = try uncachedStatement("PRAGMA \(name) = \(value)")
            while try statement.step() {}
        }
    }

    /// The value of a pragma as text.
    package func pragma(_ name: String) throws -> String? {
        let statement = try uncachedStatement("PRAGMA \(name)")
        return try statement.step() ? statement.text(at: 0) : nil
    }

    /// Sets the pragmas of `NSSQLitePragmasOption`.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) for a name or value that is no word or number.
    func setPragmas(_ pragmas: [String: String]) throws {
        for (name, value) in pragmas.sorted(by: { $0.key < $1.key }) {
            guard Self.isPlainWord(name), Self.isPlainWord(value) else {
                throw SQLiteErrors.storeError(
                    SQLiteErrors.persistentStoreOpen, path: path,
                    reason: "The pragma \(name) = \(value) is not a name with a word or number.",
                    suggestion: "Set NSSQLitePragmasOption to a dictionary of pragma names with words or numbers.")
            }
            try setPragma(name, value)
        }
    }

    private static func isPlainWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    return true
                default: return false
                }
            }
    }

    /// Whether the file has a table with a name.
    func hasTable(_ name: String) throws -> Bool {
        try integer("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) != nil
    }

    /// The names of the columns of every table, by the table's name.
    package func tables() throws -> [String: [String]] {
        var tables: [String: [String]] = [:]
        let columns = try statement(
            """
            SELECT t.name, c.name FROM sqlite_master AS t LEFT JOIN pragma_table_info(t.name) AS c \
            WHERE t.type = 'table'
            """)
        defer { columns.reset() }
        // The rows come table by table.
        var table: String?
        var found: [String] = []
        while try columns.step() {
            guard let name = columns.text(at: 0) else { continue }
            if name != table {
                if let table { tables[table] = found }
                (table, found) = (name, [])
            }
            if let column = columns.text(at: 1) { found.append(column) }
        }
        if let table { tables[table] = found }
        return tables
    }
}
