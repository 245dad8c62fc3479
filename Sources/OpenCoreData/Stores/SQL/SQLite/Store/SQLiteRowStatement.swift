/// The statement that reads one row of an entity by its key, ready to run: faults fire it one by one.
final class SQLiteRowStatement {
    private let statement: SQLiteStatement
    private let reader: SQLiteRowReader
    private let parameterCount: Int32

    init(_ keyed: SQLKeyedStatement, reader: SQLiteRowReader, on connection: SQLiteConnection) throws {
        statement = try SQLiteStatement(keyed.text, on: connection, persistent: true)
        parameterCount = Int32(keyed.bindings(for: 0).count)
        self.reader = reader
    }

    /// The row of a key, in a buffer of its own; nil if there is none.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row that no undamaged file has, and SQLite's errors.
    func row(_ key: Int64) throws -> RetainedRow? {
        statement.observeIfNeeded()
        for index in 1...parameterCount { try statement.bind(key, at: index) }
        defer { statement.reset() }
        return try statement.step() ? try reader.readRow(statement) : nil
    }
}
