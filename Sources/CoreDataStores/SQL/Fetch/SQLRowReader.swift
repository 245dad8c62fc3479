// SPDX-License-Identifier: Apache-2.0

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
    package func entity<Row: SQLRow>(_ row: borrowing Row) throws -> RowPlan.Entity where Row.Source == Source {
        if let only = plan.onlyEntity { return only }
        return try find(row.integer(at: plan.entityColumn) ?? 0, row)
    }

    package func find<Row: SQLRow>(_ number: Int64, _ row: borrowing Row) throws -> RowPlan.Entity
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
    package func read<Row: SQLRow>(_ values: borrowing Row, _ entity: RowPlan.Entity, into buffer: RowBuffer) throws
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
