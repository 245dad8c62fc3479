// SPDX-License-Identifier: Apache-2.0

/// The statement that reads one row of an entity by its key, ready to run: faults fire it one by one.
final class SQLiteRowStatement {
    private let statement: SQLiteStatement
    private let reader: SQLiteRowReader
    private let parameterCount: Int32
    /// Reads rows before they are asked for; nil for an entity for which it doesn't.
    private let readAhead: SQLiteReadAhead?

    /// - Parameter range: the statement that reads the rows of a range of keys.
    init(
        _ keyed: SQLKeyedStatement, range: SQLKeyedStatement, reader: SQLiteRowReader, on connection: SQLiteConnection
    ) throws {
        statement = try SQLiteStatement(keyed.text, on: connection, persistent: true)
        parameterCount = Int32(keyed.bindings(for: 0).count)
        self.reader = reader
        readAhead = SQLiteReadAhead(range, reader: reader, on: connection)
    }

    /// The row of a key, in a new buffer; nil if there is none.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row that no undamaged file has, and SQLite's errors.
    func row(_ key: Int64) throws -> RetainedRow? {
        statement.observeIfNeeded()
        for index in 1...parameterCount { try statement.bind(key, at: index) }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let row = try reader.readRow(SQLiteSteppedRow(statement))
        try reader.source.checkRows()
        return row
    }

    /// The row of a key for a fault; nil if there is none. Its buffer may have further rows.
    ///
    /// - Parameter snapshot: the read transaction, in which rows don't change.
    /// - Throws: what ``row(_:)`` throws.
    @inline(__always)
    func row(_ key: Int64, in snapshot: SQLiteReadAhead.Snapshot) throws -> RetainedRow? {
        if let readAhead {
            switch readAhead.find(key, in: snapshot) {
            case .row(let row): return row
            case .none: return nil
            case .unknown: break
            }
        }
        return try row(key)
    }
}
