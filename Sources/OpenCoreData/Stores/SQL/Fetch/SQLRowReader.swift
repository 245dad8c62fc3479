/// Fills row buffers with the rows of results, as a row plan says.
package struct SQLRowReader<Source: SQLRowSource> {
    package let plan: RowPlan
    package let source: Source

    package init(plan: RowPlan, source: Source) {
        self.plan = plan
        self.source = source
    }

    /// Appends a row to a list.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row whose entity number or key no undamaged store has.
    @discardableResult
    package func append<Row: SQLRow>(_ row: borrowing Row, to list: inout RowList) throws -> RetainedRow
    where Row.Source == Source {
        let entity = try entity(row)
        let buffer = list.bufferForAppending()
        try read(row, entity, into: buffer)
        return RetainedRow(buffer: buffer, row: buffer[buffer.count - 1])
    }

    /// Reads a row into a buffer of its own.
    package func readRow<Row: SQLRow>(_ row: borrowing Row) throws -> RetainedRow where Row.Source == Source {
        let entity = try entity(row)
        let buffer = plan.makeBuffer()
        try read(row, entity, into: buffer)
        return RetainedRow(buffer: buffer, row: buffer[0])
    }

    @inline(__always)
    fileprivate func entity<Row: SQLRow>(_ row: borrowing Row) throws -> RowPlan.Entity where Row.Source == Source {
        if let only = plan.onlyEntity { return only }
        return try find(row.integer(at: plan.entityColumn) ?? 0, row)
    }

    fileprivate func find<Row: SQLRow>(_ number: Int64, _ row: borrowing Row) throws -> RowPlan.Entity
    where Row.Source == Source {
        let index = Int(truncatingIfNeeded: number &- Int64(plan.firstEntity))
        if index >= 0, index < plan.entities.count, let found = plan.entities[index] { return found }
        throw source.damaged(
            """
            a row of entity \(plan.layout.name), \(Source.primaryKeyName) \(row.integer(at: 0) ?? 0), with the entity \
            number \(number), which the model doesn\u{2019}t have there
            """
        )
    }

    @inline(__always)
    fileprivate func read<Row: SQLRow>(_ values: borrowing Row, _ entity: RowPlan.Entity, into buffer: RowBuffer) throws
    where Row.Source == Source {
        let key = values.integer(at: 0) ?? 0
        // Negative keys are temporary, so only a damaged store has them.
        guard key >= 0 else {
            throw source.damaged("a row of entity \(plan.layout.name) with the key \(Source.primaryKeyName) \(key)")
        }
        let row = buffer.append(
            primaryKey: key, version: Int32(truncatingIfNeeded: values.integer(at: plan.versionColumn) ?? 0),
            layout: entity.number,
            wordCount: entity.wordCount)
        let cells = row.cells
        if entity.hasDefaults { plan.layout.model[entity.number].resetTransientValues(cells) }
        var marks = CellMarks(cells)
        defer { marks.write() }
        for index in 0..<entity.steps.count {
            let step = entity.steps[index]
            let cell = Int(step.cell)
            // The frequent forms come first.
            if step.form == .integer {
                if let integer = values.integer(at: step.column) { marks.set(UInt64(bitPattern: integer), at: cell) }
                continue
            }
            if step.form == .real {
                if let real = values.real(at: step.column, kind: step.kind) { marks.set(real.bitPattern, at: cell) }
                continue
            }
            switch step.form {
            case .string:
                if let text = values.string(at: step.column) { cells.string(cell).initialize(to: text) }
            case .reference:
                guard let key = values.integer(at: step.column) else { continue }
                let number = step.entityColumn >= 0 ? values.integer(at: step.entityColumn) : nil
                let destination = number.map { plan.destination(step, entity: $0) } ?? step.destination
                // No row has a negative key: the reference counts as nil.
                if key >= 0 { cells.setReference(key, layout: destination, at: cell) }
            default:
                let object = try values.object(
                    at: step.column, kind: step.kind, in: source, entityName: plan.layout.name)
                if let object { cells.object(cell).initialize(to: object) }
            }
        }
    }
}

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
        let entityColumn = reader.plan.entityColumn
        if entityColumn >= 0 {
            let number = row.integer(at: entityColumn) ?? 0
            if number != entityNumber || entity == nil {
                entity = try reader.find(number, row)
                entityNumber = number
            }
        }
        try reader.read(row, entity.unsafelyUnwrapped, into: buffer)
    }

    /// Whether the next row begins a new buffer.
    package var isLastBufferFull: Bool { buffer?.isFull ?? false }
}

/// The rows of members of to-many relationships, each followed by the owner's key, while they are read.
package struct SQLMemberCollection<Source: SQLRowSource> {
    private let reader: SQLRowReader<Source>
    private let ownerColumn: Int32
    private let mayRepeatMembers: Bool
    private var contents: StoreContents
    private var readKeys: Set<Int64> = []

    /// - Parameter mayRepeatMembers: whether an object may be a member for several owners. It has one row in the
    ///   result.
    package init(_ reader: SQLRowReader<Source>, mayRepeatMembers: Bool) {
        self.reader = reader
        self.mayRepeatMembers = mayRepeatMembers
        ownerColumn = Int32(reader.plan.selectedColumns.count)
        contents = StoreContents(rows: reader.plan.makeList())
    }

    package mutating func append<Row: SQLRow>(_ row: borrowing Row) throws where Row.Source == Source {
        let key = row.integer(at: 0) ?? 0
        // Only a damaged store has such keys.
        guard key >= 0 else { return }
        let entity = try reader.entity(row)
        contents.members.append(
            (row.integer(at: ownerColumn) ?? 0, ObjectReference(key: key, layout: entity.number)))
        if !mayRepeatMembers || readKeys.insert(key).inserted {
            try reader.read(row, entity, into: contents.rows.bufferForAppending())
        }
    }

    /// The members, after their last row.
    package consuming func finished() -> StoreContents {
        contents.hasRowOfEachMember = contents.rows.count == contents.members.count
        return contents
    }
}
