// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// The complete result of a statement. It stays valid when its connection is closed.
final class PostgreSQLResult: RandomAccessCollection {
    private let result: OpaquePointer

    /// Takes the ownership of a result of libpq.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var rowCount: Int { Int(PQntuples(result)) }
    var columnCount: Int { Int(PQnfields(result)) }

    /// The rows that an INSERT, UPDATE, DELETE or COPY has affected, or that a SELECT has given.
    var affectedRows: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    var startIndex: Int { 0 }
    var endIndex: Int { rowCount }

    subscript(row: Int) -> PostgreSQLRow {
        precondition(row >= 0 && row < rowCount, "The result has no row of this number.")
        return PostgreSQLRow(result: result, index: Int32(row), owner: self)
    }

    /// A row that doesn't keep the result alive.
    @inline(__always) func unownedRow(_ row: Int) -> PostgreSQLRow {
        PostgreSQLRow(result: result, index: Int32(row), owner: nil)
    }
}
