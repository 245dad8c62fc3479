// SPDX-License-Identifier: Apache-2.0

/// Reads the rows of statements of a SQLite store.
typealias SQLiteRowReader = SQLRowReader<SQLiteExternalValueReader>

extension SQLRowReader<SQLiteExternalValueReader> {
    /// Reads all rows of a select of the plan's columns.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row whose entity number or key no undamaged file has.
    func readAll(
        _ select: String, _ bindings: [SQLValue], on connection: SQLiteConnection, expected: Int = 0,
        control: FetchControl? = nil
    ) throws -> RowList {
        guard SQLiteRowCollector.isAvailable(on: connection, columnCount: plan.selectedColumns.count) else {
            let statement = try connection.statement(select)
            try statement.bind(bindings)
            return try readAll(statement, expected: expected, control: control)
        }
        let statement = try SQLiteRowCollector.statement(reading: plan.selectedColumns, of: select, on: connection)
        try statement.bind(bindings)
        let list = try SQLiteRowCollector(self, on: connection, expected: expected, control: control).collect(
            statement, plan.selectedColumns, on: connection)
        try source.checkRows()
        return list
    }

    /// Steps a statement to its end.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row whose entity number or key no undamaged file has.
    func readAll(_ statement: SQLiteStatement, expected: Int, control: FetchControl? = nil) throws -> RowList {
        defer { statement.reset() }
        var rows = SQLRowCollection(self, expected: expected, control: control)
        let row = SQLiteSteppedRow(statement)
        while try statement.step() { try rows.append(row) }
        try source.checkRows()
        return rows.list
    }

    /// Steps a statement to its end whose rows are members of to-many relationships, each followed by the owner's key.
    ///
    /// - Parameter mayRepeatMembers: whether an object may be a member for several owners.
    func readContents(_ statement: SQLiteStatement, mayRepeatMembers: Bool) throws -> StoreContents {
        defer { statement.reset() }
        var members = SQLMemberCollection(self, mayRepeatMembers: mayRepeatMembers)
        let row = SQLiteSteppedRow(statement)
        while try statement.step() { try members.append(row) }
        try source.checkRows()
        return members.finished()
    }
}

extension SQLiteExternalValueReader: SQLRowSource {
    static var primaryKeyName: String { "Z_PK" }

    func damaged(_ finding: String) -> NSError {
        SQLiteFileCheck.corrupt(externalData.storePath, "It has \(finding).")
    }
}
