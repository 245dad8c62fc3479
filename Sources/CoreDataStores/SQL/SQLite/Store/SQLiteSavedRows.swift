// SPDX-License-Identifier: Apache-2.0

/// The rows that a save inserts, as a table of SQLite.
final class SQLiteInsertedRows: SQLiteRowTable {
    private let rows: UnsafeBufferPointer<StoreChanges.InsertedRow>
    private let keys: UnsafeBufferPointer<Int64>
    // Unchecked: the statement asks for one row at a time.
    @exclusivity(unchecked) private var position = 0

    /// - Parameters:
    ///   - rows: the rows, which outlive the table.
    ///   - keys: their keys, which outlive the table.
    init(
        _ plan: RowWritePlan, _ rows: UnsafeBufferPointer<StoreChanges.InsertedRow>,
        _ keys: UnsafeBufferPointer<Int64>, _ binder: SQLiteCellBinder
    ) {
        self.rows = rows
        self.keys = keys
        super.init(plan, binder)
    }

    override func next() -> Row? {
        guard position < rows.count else { return nil }
        defer { position += 1 }
        return Row(key: keys[position], version: rows[position].version, cells: rows[position].cells)
    }
}

/// The rows that a save updates, as a table of SQLite.
final class SQLiteUpdatedRows: SQLiteRowTable {
    private let rows: UnsafeBufferPointer<StoreChanges.UpdatedRow>
    // Unchecked: the statement asks for one row at a time.
    @exclusivity(unchecked) private var position = 0

    /// - Parameter rows: the rows, which outlive the table.
    init(_ plan: RowWritePlan, _ rows: UnsafeBufferPointer<StoreChanges.UpdatedRow>, _ binder: SQLiteCellBinder) {
        self.rows = rows
        super.init(plan, binder)
    }

    override func next() -> Row? {
        guard position < rows.count else { return nil }
        defer { position += 1 }
        return Row(key: rows[position].key, version: rows[position].version, cells: rows[position].cells)
    }
}
