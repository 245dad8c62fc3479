// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// Reads all rows of a select in one step of SQLite: an aggregate function gets the columns of each row.
///
/// Code that steps a statement calls a function of SQLite for each column of each row, and that function checks its
/// arguments and the state of the connection. An aggregate function has the columns as its arguments: reading rows of
/// ten integers takes a third less time. The owner of the connection uses a collector for one run of a statement.
final class SQLiteRowCollector {
    private static let function = "NSCoreDataReadRows"

    private let control: FetchControl?
    private let hasUTF8Texts: Bool
    // Unchecked: changed by `add(_:)` alone while the statement runs, and not within another access.
    @exclusivity(unchecked) private var rows: SQLRowCollection<SQLiteExternalValueReader>
    private var error: (any Error)?

    /// - Parameters:
    ///   - expected: the number of rows if it is known, 0 otherwise.
    ///   - control: hears of the number of rows.
    init(_ reader: SQLiteRowReader, on connection: SQLiteConnection, expected: Int, control: FetchControl?) throws {
        hasUTF8Texts = try connection.hasUTF8Texts
        self.control = control
        rows = SQLRowCollection(reader, expected: expected, control: control)
    }

    /// A select that passes all rows of a select to the function.
    ///
    /// The rows keep their order: SQLite ignores the order of a subquery only where none of SQLite's built-in
    /// aggregates needs it.
    static func text(reading columns: [String], of select: String) -> String {
        "SELECT \(function)(\(columns.map(SQLiteText.identifier).joined(separator: ", "))) FROM (\(select))"
    }

    /// Whether a connection passes rows to a collector. While statements are logged or observed they are stepped row by
    /// row, so that the log has the statements and the rows themselves.
    static func isAvailable(on connection: SQLiteConnection, columnCount: Int) -> Bool {
        connection.hasRowFunction && !connection.isObserved
            && columnCount <= Int(sqlite3_limit(connection.handle, SQLITE_LIMIT_FUNCTION_ARG, -1))
    }

    /// Adds the function to a connection.
    static func install(on connection: SQLiteConnection) throws {
        let code = sqlite3_create_function_v2(
            connection.handle, function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, connection.rowCollector, nil,
            { context, _, values in
                // The collector is kept by `collect(_:on:)` while the statement runs.
                guard let values,
                    let collector = sqlite3_user_data(context)?.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee
                else { return sqlite3_result_error_code(context, SQLITE_MISUSE) }
                let goesOn = Unmanaged<SQLiteRowCollector>.fromOpaque(collector)._withUnsafeGuaranteedRef {
                    $0.add(SQLiteArguments(values: values, hasUTF8Texts: $0.hasUTF8Texts))
                }
                if !goesOn { sqlite3_result_error_code(context, SQLITE_ABORT) }
            },
            { sqlite3_result_null($0) }, nil)
        guard code == SQLITE_OK else { throw connection.error(code, sql: nil) }
        connection.hasRowFunction = true
    }

    /// Runs a statement whose text `text(reading:of:)` has made.
    ///
    /// - Throws: what `SQLiteRowReader.readAll` throws.
    func collect(_ statement: SQLiteStatement, on connection: SQLiteConnection) throws -> RowList {
        try control?.report(rowCount: 0)
        connection.rowCollector.pointee = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        defer { connection.rowCollector.pointee = nil }
        do {
            try statement.run()
        } catch let failure {
            throw error ?? failure
        }
        return withExtendedLifetime(self) { rows.list }
    }

    /// Adds a row.
    ///
    /// - Returns: false to end the statement: `error` says why.
    private func add(_ row: SQLiteArguments) -> Bool {
        do {
            try rows.append(row)
            return true
        } catch let failure {
            error = failure
            return false
        }
    }
}
