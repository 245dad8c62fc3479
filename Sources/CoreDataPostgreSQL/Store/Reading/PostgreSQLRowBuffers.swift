// SPDX-License-Identifier: Apache-2.0

/// Reads the rows of a statement into row buffers, as they arrive.
final class PostgreSQLRowBuffers {
    private let cursor: any PostgreSQLRowCursor
    private let plan: RowPlan
    private let url: URL
    @exclusivity(unchecked) private var rows: SQLRowCollection<PostgreSQLRowSource>

    /// Executes a statement that selects the columns of a plan.
    ///
    /// - Parameters:
    ///   - expected: the greatest number of rows if it is known, 0 otherwise.
    ///   - control: hears of the number of rows.
    init(
        _ session: PostgreSQLSession, _ plan: RowPlan, _ statement: SQLStatement, expected: Int, control: FetchControl?
    ) throws {
        self.plan = plan
        url = session.url
        // Large rows aren't kept twice.
        cursor = try session.rows(statement, expected: plan.hasLargeValues ? 0 : expected)
        rows = SQLRowCollection(session.reader(plan), expected: expected, control: control)
    }

    /// All rows that were read.
    var list: RowList { rows.list }

    /// Reads until the rows fill a buffer.
    ///
    /// - Returns: the buffer; nil after the last row.
    ///
    /// - Throws: 259 for a value that hasn't the form of its type.
    func next() throws -> RowBuffer? {
        do {
            while let row = try cursor.next() {
                try rows.append(row)
                if rows.isLastBufferFull { return rows.list.buffers.last }
            }
            return nil
        } catch let damage as PostgreSQLDamage {
            throw damage.storeError(url, plan)
        }
    }
}

extension RowPlan {
    /// Whether a row may have much memory.
    fileprivate var hasLargeValues: Bool {
        columns.contains { column in
            switch column.kind {
            case .binary, .externalBinary, .transformable: true
            default: false
            }
        }
    }
}
