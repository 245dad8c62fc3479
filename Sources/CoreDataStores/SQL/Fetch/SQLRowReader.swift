// SPDX-License-Identifier: Apache-2.0

/// Fills row buffers with the rows of results, as a row plan says.
package struct SQLRowReader<Source: SQLRowSource> {
    let plan: RowPlan
    let source: Source

    package init(plan: RowPlan, source: Source) {
        self.plan = plan
        self.source = source
    }

    /// Appends a row to a list.
    ///
    /// - Returns: nil for a row of another entity of the hierarchy, which isn't appended.
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row whose entity number or key no undamaged store has.
    @discardableResult
    package func append<Row: SQLRow>(_ row: borrowing Row, to list: inout RowList) throws -> RetainedRow?
    where Row.Source == Source {
        guard let entity = try entity(row) else { return nil }
        let buffer = list.bufferForAppending()
        try read(row, entity, into: buffer)
        return RetainedRow(buffer: buffer, row: buffer[buffer.count - 1])
    }

    /// Reads a row into a new buffer, which has no other row.
    ///
    /// - Returns: nil for a row of another entity of the hierarchy: the requested key then belongs to no object of the
    ///   plan's entity.
    package func readRow<Row: SQLRow>(_ row: borrowing Row) throws -> RetainedRow? where Row.Source == Source {
        guard let entity = try entity(row) else { return nil }
        let buffer = plan.makeBuffer()
        try read(row, entity, into: buffer)
        return RetainedRow(buffer: buffer, row: buffer[0])
    }

    @inline(__always)
    package func entity<Row: SQLRow>(_ row: borrowing Row) throws -> RowPlan.Entity? where Row.Source == Source {
        if let only = plan.onlyEntity { return only }
        return try find(try row.integer(at: plan.entityColumn) ?? 0, row)
    }

    /// The part of the plan that reads the rows of an entity.
    ///
    /// - Returns: nil for another entity of the hierarchy, to which the requested key may belong.
    func find<Row: SQLRow>(_ number: Int64, _ row: borrowing Row) throws -> RowPlan.Entity?
    where Row.Source == Source {
        let index = Int(truncatingIfNeeded: number &- Int64(plan.firstEntity))
        if index >= 0, index < plan.entities.count, let found = plan.entities[index] { return found }
        if let other = plan.mapping.layout(entity: number), other.root == plan.layout.root { return nil }
        let key = try row.integer(at: 0) ?? 0
        throw source.damaged(
            """
            a row of entity \(plan.layout.name), \(Source.primaryKeyName) \(key), with the entity \
            number \(number), which the model doesn\u{2019}t have there
            """
        )
    }

    @inline(__always)
    func read<Row: SQLRow>(_ values: borrowing Row, _ entity: RowPlan.Entity, into buffer: RowBuffer) throws
    where Row.Source == Source {
        // A closure can't borrow a row.
        let values = copy values
        try withUnsafePointer(to: self) { reader in
            try Self.read(
                values, entity, versionColumn: plan.versionColumn, into: Unmanaged.passUnretained(buffer), by: reader)
        }
        withExtendedLifetime(buffer) {}
    }

    /// Appends a row to a buffer. The frequent values touch no reference counts.
    ///
    /// - Parameter reader: looked at for the other values alone.
    @inline(__always)
    static func read<Row: SQLRow>(
        _ values: borrowing Row, _ entity: RowPlan.Entity, versionColumn: Int32, into buffer: Unmanaged<RowBuffer>,
        by reader: UnsafePointer<Self>
    ) throws where Row.Source == Source {
        let key = try values.integer(at: 0) ?? 0
        // Negative keys are temporary, so only a damaged store has them.
        guard key >= 0 else { throw reader.pointee.damagedKey(key) }
        let version = Int32(truncatingIfNeeded: try values.integer(at: versionColumn) ?? 0)
        let row = buffer._withUnsafeGuaranteedRef {
            $0.append(primaryKey: key, version: version, layout: entity.number, wordCount: entity.wordCount)
        }
        let cells = row.cells
        if entity.hasDefaults { reader.pointee.resetTransientValues(entity, cells) }
        var marks = CellMarks(cells)
        defer { marks.write() }
        for index in 0..<entity.steps.count {
            let step = entity.steps[index]
            let cell = Int(step.cell)
            // The frequent forms come first.
            if step.form == .integer {
                let integer = try values.integer(at: step.column)
                if let integer { marks.set(UInt64(bitPattern: integer), at: cell) }
                continue
            }
            if step.form == .real {
                let real = try values.real(at: step.column, kind: step.kind)
                if let real { marks.set(real.bitPattern, at: cell) }
                continue
            }
            switch step.form {
            case .string:
                if let text = values.string(at: step.column) { cells.string(cell).initialize(to: text) }
            case .reference:
                guard let key = try values.integer(at: step.column) else { continue }
                let number = try step.entityColumn >= 0 ? values.integer(at: step.entityColumn) : nil
                let destination = number.map { reader.pointee.destination(step, entity: $0) } ?? step.destination
                // No row has a negative key: the reference counts as nil.
                if key >= 0 { cells.setReference(key, layout: destination, at: cell) }
            default:
                let object = try values.object(at: step.column, kind: step.kind) {
                    (reader.pointee.source, reader.pointee.plan.layout.name)
                }
                if let object { cells.object(cell).initialize(to: object) }
            }
        }
    }

    // MARK: Less frequent values

    @inline(never)
    private func damagedKey(_ key: Int64) -> any Error {
        source.damaged("a row of entity \(plan.layout.name) with the key \(Source.primaryKeyName) \(key)")
    }

    @inline(never)
    private func resetTransientValues(_ entity: RowPlan.Entity, _ cells: Cells) {
        plan.layout.model[entity.number].resetTransientValues(cells)
    }

    @inline(never)
    private func destination(_ step: RowPlan.Step, entity number: Int64) -> UInt32 {
        plan.destination(step, entity: number)
    }
}
