import CoreData
import SystemSQLite

/// SQLite's C API with nothing around it: the measure of all others.
struct RawSQLiteArm: Arm {
    let name = "raw SQLite"

    func prepareInsert(at url: URL, count: Int) throws -> Measured {
        let connection = try RawConnection(url)
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
        let connection = try RawConnection(url)
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
