import CoreData
import SQLiteLibrary

/// SQLite's C API with nothing around it: the measure of all others.
struct RawSQLiteArm: Arm {
    let name = "raw SQLite"

    func prepareInsert(at url: URL, count: Int) throws -> Measured {
        let connection = try Connection(url)
        let columns = Workload.columns
        try connection.execute(
            "CREATE TABLE record (id INTEGER PRIMARY KEY, \(columns.map { "\($0) INTEGER" }.joined(separator: ", ")))")
        let sql = "INSERT INTO record VALUES (?\(String(repeating: ", ?", count: Workload.columnCount)))"
        return Measured {
            try connection.execute("BEGIN IMMEDIATE")
            let statement = try connection.prepare(sql)
            defer { sqlite3_finalize(statement) }
            var sum: Int64 = 0
            for row in 0..<count {
                sqlite3_bind_int64(statement, 1, Int64(row + 1))
                for column in 0..<Workload.columnCount {
                    let value = Workload.value(row: row, column: column)
                    sqlite3_bind_int64(statement, Int32(column + 2), value)
                    sum &+= value
                }
                guard sqlite3_step(statement) == SQLITE_DONE else { throw connection.failure() }
                sqlite3_reset(statement)
            }
            try connection.execute("COMMIT")
            return sum
        }
    }

    func prepareFetch(at url: URL) throws -> Measured {
        let connection = try Connection(url)
        let sql = "SELECT id, \(Workload.columns.joined(separator: ", ")) FROM record"
        return Measured {
            let statement = try connection.prepare(sql)
            defer { sqlite3_finalize(statement) }
            var sum: Int64 = 0
            while sqlite3_step(statement) == SQLITE_ROW {
                // The key is read as well, as every object has one.
                guard sqlite3_column_int64(statement, 0) > 0 else { throw connection.failure() }
                for column in 1...Int32(Workload.columnCount) { sum &+= sqlite3_column_int64(statement, column) }
            }
            return sum
        }
    }
}

private final class Connection {
    private let handle: OpaquePointer

    init(_ url: URL) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(url.path, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw BenchmarkError("SQLite can't open \(url.path)")
        }
        self.handle = handle
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure() }
        return statement
    }

    func failure() -> BenchmarkError {
        BenchmarkError(String(cString: sqlite3_errmsg(handle)))
    }
}
