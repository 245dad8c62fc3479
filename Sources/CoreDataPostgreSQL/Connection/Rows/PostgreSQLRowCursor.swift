// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// The rows of a select, in order. The connection executes nothing else until the last one.
///
/// A cursor that is released before its last row cancels the statement. A transaction block fails by that; the
/// connection stays usable.
protocol PostgreSQLRowCursor: AnyObject {
    /// The next row; nil after the last one. A row is valid until the next call.
    ///
    /// - Throws: `PostgreSQLFailure`.
    func next() throws -> PostgreSQLRow?
}

extension PostgreSQLConnection {
    /// A statement with fewer rows is prepared for its next use: the server parses and plans a COPY each time.
    private static let rowsOfLargeResult = 1000

    /// Executes a select, whose rows are read as they arrive.
    ///
    /// Rows that are few are read together, which takes less time. A select without parameters that isn't known to have
    /// few rows is executed by COPY, which has no parameters.
    ///
    /// - Parameter expected: the greatest number of rows if it is known, 0 otherwise.
    /// - Throws: `PostgreSQLFailure`, also after some rows.
    func rows(
        ofSelect text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(), expected: Int = 0
    ) throws -> any PostgreSQLRowCursor {
        if parameters.count == 0 {
            return location.usesNamedStatements && statements.isSmall(text)
                ? try arrivingRows(text, parameters) : try PostgreSQLCopiedRows(self, select: text)
        }
        return expected > 0 && expected <= Self.rowsOfLargeResult
            ? PostgreSQLCompleteRows(try execute(text, parameters)) : try arrivingRows(text, parameters)
    }

    /// Remembers whether a select without parameters has had few rows.
    func didRead(_ count: Int, ofSelect text: String) { statements.setSmall(text, count < Self.rowsOfLargeResult) }

    private func arrivingRows(_ text: String, _ parameters: PostgreSQLParameters) throws -> PostgreSQLArrivingRows {
        let handle = try openHandle(text)
        try check(parameters, text)
        log?(text, parameters.values)
        let hasParameters = parameters.count > 0
        guard location.usesNamedStatements else {
            roundTripCount += 1
            let isSent = parameters.withArguments {
                PQsendQueryParams(handle, text, $0.count, $0.types, $0.values, $0.lengths, $0.formats, 1)
            }
            return try PostgreSQLArrivingRows(self, text, isSent: isSent, hasParameters: hasParameters)
        }
        // A statement that fails after its first row must not be repeated; such a failure has another SQLSTATE.
        func send(_ name: String) throws -> PostgreSQLArrivingRows {
            roundTripCount += 1
            let isSent = parameters.withArguments {
                PQsendQueryPrepared(handle, name, $0.count, $0.values, $0.lengths, $0.formats, 1)
            }
            return try PostgreSQLArrivingRows(self, text, isSent: isSent, hasParameters: hasParameters)
        }
        return try withStatement(text, parameters, send) { key in try send(prepare(key)) }
    }
}

/// The rows of a complete result.
private final class PostgreSQLCompleteRows: PostgreSQLRowCursor {
    private let result: PostgreSQLResult
    private let count: Int
    @exclusivity(unchecked) private var index = 0

    init(_ result: PostgreSQLResult) {
        self.result = result
        count = result.rowCount
    }

    func next() -> PostgreSQLRow? {
        guard index < count else { return nil }
        defer { index += 1 }
        return result.unownedRow(index)
    }
}
