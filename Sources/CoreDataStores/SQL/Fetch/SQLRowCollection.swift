// SPDX-License-Identifier: Apache-2.0

/// The rows of one statement, while they are read into a list.
package struct SQLRowCollection<Source: SQLRowSource> {
    private let reader: SQLRowReader<Source>
    private let control: FetchControl?
    package private(set) var list: RowList
    /// The last buffer of the list.
    private var buffer: RowBuffer?
    /// The entity of the last row, and its number. The rows come in runs of one entity.
    private var entity: RowPlan.Entity?
    private var entityNumber = Int64.min

    /// - Parameters:
    ///   - expected: the number of rows if it is known, 0 otherwise.
    ///   - control: hears of the number of rows.
    package init(_ reader: SQLRowReader<Source>, expected: Int, control: FetchControl?) {
        self.reader = reader
        self.control = control
        list = reader.plan.makeList(expected: expected)
        entity = reader.plan.onlyEntity
    }

    /// Appends a row.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row whose entity number or key no undamaged store has,
    ///   `NSUserCancelledError` (3072) after the control is cancelled.
    @inline(__always)
    package mutating func append<Row: SQLRow>(_ row: borrowing Row) throws where Row.Source == Source {
        if let buffer, !buffer.isFull {
            list.didAppend()
            try read(row, into: buffer)
        } else {
            try control?.report(rowCount: list.count)
            let new = list.bufferForAppending()
            buffer = new
            try read(row, into: new)
        }
    }

    @inline(__always)
    private mutating func read<Row: SQLRow>(_ row: borrowing Row, into buffer: RowBuffer) throws
    where Row.Source == Source {
        try reader.read(row, entity(of: row), into: buffer)
    }

    /// The entity of a row.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for an entity number that no undamaged store has.
    @inline(__always)
    package mutating func entity<Row: SQLRow>(of row: borrowing Row) throws -> RowPlan.Entity
    where Row.Source == Source {
        let entityColumn = reader.plan.entityColumn
        if entityColumn >= 0 {
            let number = row.integer(at: entityColumn) ?? 0
            if number != entityNumber || entity == nil {
                entity = try reader.find(number, row)
                entityNumber = number
            }
        }
        return entity.unsafelyUnwrapped
    }

    /// Whether the next row begins a new buffer.
    package var isLastBufferFull: Bool { buffer?.isFull ?? false }
}
