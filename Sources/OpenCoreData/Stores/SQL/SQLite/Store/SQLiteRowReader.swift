internal import SQLiteLibrary

/// Steps statements and fills row buffers as a row plan says.
struct SQLiteRowReader {
    let plan: RowPlan
    let externalValues: SQLiteExternalValueReader

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
        let statement = try connection.statement(SQLiteRowCollector.text(reading: plan.selectedColumns, of: select))
        try statement.bind(bindings)
        return try SQLiteRowCollector(self, on: connection, expected: expected, control: control).collect(
            statement, on: connection)
    }

    /// Steps a statement to its end.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row whose entity number or key no undamaged file has.
    func readAll(_ statement: SQLiteStatement, expected: Int, control: FetchControl? = nil) throws -> RowList {
        defer { statement.reset() }
        var list = plan.makeList(expected: expected)
        let row = SQLiteSteppedRow(statement: statement.handle)
        let entityColumn = plan.entityColumn
        var entity = plan.onlyEntity
        var entityNumber = Int64.min
        var isMore = try statement.step()
        while isMore {
            try control?.report(rowCount: list.count)
            let buffer = list.bufferForAppending()
            // The inner loop fills one buffer, so that the list is asked once for all its rows.
            var isFirst = true
            repeat {
                if entityColumn >= 0 {
                    let number = row.int64(entityColumn)
                    if number != entityNumber || entity == nil {
                        entity = try find(number, row)
                        entityNumber = number
                    }
                }
                if !isFirst { list.didAppend() }
                isFirst = false
                try read(row, entity.unsafelyUnwrapped, into: buffer)
                isMore = try statement.step()
            } while isMore && !buffer.isFull
        }
        return list
    }

    /// Reads the row to which a statement was stepped into a buffer of its own.
    func readRow(_ statement: SQLiteStatement) throws -> RetainedRow {
        let row = SQLiteSteppedRow(statement: statement.handle)
        let entity = try entity(row)
        let buffer = plan.makeBuffer()
        try read(row, entity, into: buffer)
        return RetainedRow(buffer: buffer, row: buffer[0])
    }

    /// Appends the row to which a statement was stepped to a list.
    func readRow(_ statement: SQLiteStatement, into list: inout RowList) throws -> RetainedRow {
        let row = SQLiteSteppedRow(statement: statement.handle)
        let entity = try entity(row)
        let buffer = list.bufferForAppending()
        try read(row, entity, into: buffer)
        return RetainedRow(buffer: buffer, row: buffer[buffer.count - 1])
    }

    /// Steps a statement to its end whose rows are members of to-many relationships, each followed by the owner's key.
    ///
    /// - Parameter mayRepeatMembers: whether an object may be a member for several owners. It has one row in the
    ///   result.
    func readContents(_ statement: SQLiteStatement, mayRepeatMembers: Bool) throws -> StoreContents {
        defer { statement.reset() }
        var contents = StoreContents(rows: plan.makeList())
        let row = SQLiteSteppedRow(statement: statement.handle)
        let ownerColumn = Int32(plan.selectedColumns.count)
        var readKeys: Set<Int64> = []
        while try statement.step() {
            let key = row.int64(0)
            // Only a damaged file has such keys.
            guard key >= 0 else { continue }
            let entity = try entity(row)
            contents.members.append(
                (row.int64(ownerColumn), ObjectReference(key: key, layout: entity.number)))
            if !mayRepeatMembers || readKeys.insert(key).inserted {
                try read(row, entity, into: contents.rows.bufferForAppending())
            }
        }
        contents.hasRowOfEachMember = contents.rows.count == contents.members.count
        return contents
    }

    /// The entity of the row to which a statement was stepped.
    @inline(__always)
    private func entity(_ row: SQLiteSteppedRow) throws -> RowPlan.Entity {
        if let only = plan.onlyEntity { return only }
        return try find(row.int64(plan.entityColumn), row)
    }

    func find(_ number: Int64, _ row: some SQLiteRowValues) throws -> RowPlan.Entity {
        let index = Int(truncatingIfNeeded: number &- Int64(plan.firstEntity))
        if index >= 0, index < plan.entities.count, let found = plan.entities[index] { return found }
        throw damaged(
            """
            a row of entity \(plan.layout.name), Z_PK \(row.int64(0)), with the entity number \
            \(number), which the model doesn\u{2019}t have there
            """
        )
    }

    @inline(__always)
    func read(_ values: some SQLiteRowValues, _ entity: RowPlan.Entity, into buffer: RowBuffer) throws {
        let key = values.int64(0)
        // Negative keys are temporary, so only a damaged file has them.
        guard key >= 0 else { throw damaged("a row of entity \(plan.layout.name) with the key Z_PK \(key)") }
        let row = buffer.append(
            primaryKey: key, version: Int32(truncatingIfNeeded: values.int64(plan.versionColumn)),
            layout: entity.number,
            wordCount: entity.wordCount)
        let cells = row.cells
        if entity.hasDefaults { plan.layout.model[entity.number].resetTransientValues(cells) }
        var marks = CellMarks(cells)
        defer { marks.write() }
        for index in 0..<entity.steps.count {
            let step = entity.steps[index]
            let cell = Int(step.cell)
            // NULL reads as zero, so only a zero needs a look at the type.
            if step.form == .integer {
                let integer = values.int64(step.column)
                if integer != 0 || !values.isNull(step.column) {
                    marks.set(UInt64(bitPattern: integer), at: cell)
                }
                continue
            }
            if step.form == .real {
                let double = values.double(step.column)
                if double != 0 || !values.isNull(step.column) {
                    marks.set(double.bitPattern, at: cell)
                }
                continue
            }
            let value = values.value(step.column)
            guard sqlite3_value_type(value) != SQLITE_NULL else { continue }
            switch step.form {
            case .string:
                cells.string(cell).initialize(to: values.text(value))
            case .reference:
                let key = sqlite3_value_int64(value)
                let destination =
                    step.entityColumn >= 0
                    ? plan.destination(step, entity: values.int64(step.entityColumn)) : step.destination
                // No row has a negative key: the reference counts as nil.
                if key >= 0 { cells.setReference(key, layout: destination, at: cell) }
            default:
                try readObject(step, value, cells)
            }
        }
    }

    @inline(never)
    private func readObject(_ step: RowPlan.Step, _ value: OpaquePointer?, _ cells: Cells) throws {
        let object: AnyObject? =
            switch step.kind {
            case .decimal: SQLiteColumnValue.decimal(value)
            case .binary: Box(SQLiteColumnValue.data(value))
            case .externalBinary:
                try externalValues.value(of: SQLiteColumnValue.data(value), entityName: plan.layout.name).map {
                    Box($0)
                }
            case .uuid: SQLiteColumnValue.uuid(value).map { Box($0) }
            case .uri: URL(string: SQLiteColumnValue.text(value)).map { Box($0) }
            case .transformable: StoredTransformable(SQLiteColumnValue.data(value))
            case .undefined: Box<Any>(SQLiteColumnValue.any(value))
            default: nil
            }
        cells.object(Int(step.cell)).initialize(to: object)
    }

    private func damaged(_ finding: String) -> NSError {
        SQLiteFileCheck.corrupt(externalValues.externalData.storePath, "It has \(finding).")
    }
}
