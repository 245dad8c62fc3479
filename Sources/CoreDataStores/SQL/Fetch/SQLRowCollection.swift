// SPDX-License-Identifier: Apache-2.0

/// The rows of one statement, while they are read into a list.
package struct SQLRowCollection<Source: SQLRowSource> {
    // A variable, so that a row can be read by its address.
    private var reader: SQLRowReader<Source>
    private let control: FetchControl?
    package private(set) var list: RowList
    /// The last buffer of the list, which keeps it, and the number of rows that it can still get. A reference that is
    /// counted would be counted for each row.
    private var buffer: Unmanaged<RowBuffer>?
    private var room = 0
    /// The entity of the last row, and its number. The rows come in runs of one entity.
    private var entity: RowPlan.Entity?
    private var entityNumber = Int64.min
    /// The columns of the plan.
    private let entityColumn: Int32
    private let versionColumn: Int32

    /// - Parameters:
    ///   - expected: the number of rows if it is known, 0 otherwise.
    ///   - control: hears of the number of rows.
    package init(_ reader: SQLRowReader<Source>, expected: Int, control: FetchControl?) {
        self.reader = reader
        self.control = control
        list = reader.plan.makeList(expected: expected)
        entity = reader.plan.onlyEntity
        entityColumn = reader.plan.entityColumn
        versionColumn = reader.plan.versionColumn
    }

    /// Appends a row. A row of another entity of the hierarchy is skipped.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row whose entity number or key no undamaged store has,
    ///   `NSUserCancelledError` (3072) after the control is cancelled.
    @inline(__always)
    package mutating func append<Row: SQLRow>(_ row: borrowing Row) throws where Row.Source == Source {
        guard try findEntity(of: row) else { return }
        if room > 0 { list.didAppend() } else { try addBuffer() }
        room -= 1
        let (entity, versionColumn, buffer) = (
            entity.unsafelyUnwrapped, versionColumn, buffer.unsafelyUnwrapped
        )
        // A closure can't borrow a row.
        let row = copy row
        try withUnsafePointer(to: &reader) { reader in
            try SQLRowReader.read(row, entity, versionColumn: versionColumn, into: buffer, by: reader)
        }
    }

    @inline(never)
    private mutating func addBuffer() throws {
        try control?.report(rowCount: list.count)
        let new = list.bufferForAppending()
        buffer = Unmanaged.passUnretained(new)
        room = new.capacity - new.count
    }

    /// Finds the entity of a row.
    ///
    /// - Returns: whether the plan has the entity; false for another entity of the hierarchy.
    /// - Throws: `NSFileReadCorruptFileError` (259) for an entity number that no undamaged store has.
    @inline(__always)
    private mutating func findEntity<Row: SQLRow>(of row: borrowing Row) throws -> Bool
    where Row.Source == Source {
        guard entityColumn >= 0 else { return true }
        let number = try row.integer(at: entityColumn) ?? 0
        if number == entityNumber && entity != nil { return true }
        entity = try reader.find(number, row)
        entityNumber = number
        return entity != nil
    }

    /// The layout number of a row's entity; nil for another entity of the hierarchy.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for an entity number that no undamaged store has.
    @inline(__always)
    mutating func layoutNumber<Row: SQLRow>(of row: borrowing Row) throws -> UInt32?
    where Row.Source == Source {
        try findEntity(of: row) ? entity.unsafelyUnwrapped.number : nil
    }

    /// Whether the next row begins a new buffer.
    package var isLastBufferFull: Bool { buffer != nil && room == 0 }
}
