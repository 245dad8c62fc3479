internal import CSQLite
import CoreDataPredicates

extension SQLiteConnection {
    /// True between BEGIN and COMMIT or ROLLBACK.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    package func begin(_ kind: TransactionKind = .immediate) throws {
        try run(kind.rawValue)
    }

    package func commit() throws {
        try run("COMMIT")
    }

    /// Undoes the open transaction. SQLite may already have done so after an error, then nothing happens.
    package func rollback() throws {
        guard isInTransaction else { return }
        try run("ROLLBACK")
    }

    /// Runs `body` in one transaction: committed if it returns, undone if it throws.
    package func withTransaction<Result>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Result
    ) throws -> Result {
        try begin(kind)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // The error that led here is the one to tell; a failing rollback leaves the file to the
            // next opener's recovery, which undoes the transaction as well.
            try? rollback()
            throw error
        }
    }

    /// Runs `body` inside a read transaction, so that all its statements see one state of the file
    /// and pay for the lock only once. Inside an open transaction `body` just runs.
    package func withReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        if isInTransaction { return try body() }
        return try withTransaction(.deferred, body)
    }

    // MARK: Pragmas

    /// Sets a pragma. Name and value are ours or were checked by ``setPragmas(_:)``.
    ///
    /// SQLite doesn't wait for locks when the journal mode changes, so the waiting is done here.
    package func setPragma(_ name: String, _ value: String) throws {
        try busyPolicy.retrying(isBusy: { ($0 as NSError).code == SQLiteErrors.persistentStoreTimeout }) {
            let statement = try uncachedStatement("PRAGMA \(name) = \(value)")
            while try statement.step() {}
        }
    }

    /// The pragma's value as text.
    package func pragma(_ name: String) throws -> String? {
        let statement = try uncachedStatement("PRAGMA \(name)")
        return try statement.step() ? statement.text(at: 0) : nil
    }

    /// Sets the pragmas of a user's `NSSQLitePragmasOption`.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) for a name or value that is not a plain word,
    ///   number or quoted string.
    package func setPragmas(_ pragmas: [String: String]) throws {
        for (name, value) in pragmas.sorted(by: { $0.key < $1.key }) {
            guard Self.isPlainWord(name), Self.isPlainWord(value) else {
                throw SQLiteErrors.storeError(
                    SQLiteErrors.persistentStoreOpen, path: path,
                    reason: "The pragma \(name) = \(value) is not a name and a plain value.",
                    suggestion: "Give NSSQLitePragmasOption a dictionary of pragma names and words or numbers.")
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

    /// True if the file's schema has a table (or view) of that name.
    package func hasTable(_ name: String) throws -> Bool {
        try integer("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) != nil
    }

    /// The columns of every table, by exact name.
    package func tables() throws -> [String: [String]] {
        var names: [String] = []
        let list = try statement("SELECT name FROM sqlite_master WHERE type = 'table'")
        defer { list.reset() }
        while try list.step() {
            if let name = list.text(at: 0) { names.append(name) }
        }
        var tables: [String: [String]] = [:]
        let columns = try statement("SELECT name FROM pragma_table_info(?)")
        defer { columns.reset() }
        for name in names {
            columns.reset()
            try columns.bind(name, at: 1)
            var found: [String] = []
            while try columns.step() {
                if let column = columns.text(at: 0) { found.append(column) }
            }
            tables[name] = found
        }
        return tables
    }
}
