/// Fills row buffers with the rows of results, as a row plan says.
struct PostgreSQLRowReader {
    let plan: RowPlan
    let url: URL

    /// Appends a row to a list.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a row whose entity number or key no undamaged store has.
    @inline(__always)
    func append(_ row: borrowing PostgreSQLRow, to list: inout RowList) throws {
        try read(row, try entity(row), into: list.bufferForAppending())
    }

    /// Reads rows that are members of to-many relationships, each followed by the owner's key.
    func readContents(_ result: PostgreSQLResult) throws -> StoreContents {
        var contents = StoreContents(rows: plan.makeList())
        let ownerColumn = plan.selectedColumns.count
        // An object that is a member for several owners has one row in the list.
        var readKeys: Set<Int64> = []
        for index in 0..<result.rowCount {
            let row = result[index]
            let key = row.int64(0)
            let entity = try entity(row)
            contents.members.append((row.int64(ownerColumn), ObjectReference(key: key, layout: entity.number)))
            if readKeys.insert(key).inserted { try read(row, entity, into: contents.rows.bufferForAppending()) }
        }
        contents.hasRowOfEachMember = contents.rows.count == contents.members.count
        return contents
    }

    @inline(__always)
    private func entity(_ row: borrowing PostgreSQLRow) throws -> RowPlan.Entity {
        if plan.entityColumn < 0, let only = plan.entities[0] { return only }
        return try find(row.int64(Int(plan.entityColumn)), key: row.int64(0))
    }

    @inline(__always)
    private func find(_ number: Int64, key: Int64) throws -> RowPlan.Entity {
        let index = Int(truncatingIfNeeded: number &- Int64(plan.firstEntity))
        if index >= 0, index < plan.entities.count, let found = plan.entities[index] { return found }
        throw PostgreSQLStoreErrors.damaged(
            url,
            """
            It has a row of entity \(plan.layout.name), z_pk \(key), with the entity number \(number), which the model \
            doesn\u{2019}t have there.
            """)
    }

    @inline(__always)
    private func read(_ row: borrowing PostgreSQLRow, _ entity: RowPlan.Entity, into buffer: RowBuffer) throws {
        let key = row.int64(0)
        guard key >= 0 else {
            throw PostgreSQLStoreErrors.damaged(
                url, "It has a row of entity \(plan.layout.name) with the key z_pk \(key).")
        }
        let stored = buffer.append(
            primaryKey: key, version: Int32(truncatingIfNeeded: row.int64(Int(plan.versionColumn))),
            layout: entity.number,
            wordCount: entity.wordCount)
        let cells = stored.cells
        if entity.hasDefaults { plan.layout.model[entity.number].resetTransientValues(cells) }
        for index in 0..<entity.steps.count {
            let step = entity.steps[index]
            let cell = Int(step.cell)
            let column = Int(step.column)
            if row.isNull(column) { continue }
            switch step.form {
            case .integer:
                cells.setInteger(row.int64(column), at: cell)
            case .real:
                let value =
                    step.kind == .date ? row.date(column).timeIntervalSinceReferenceDate : row.double(column)
                cells.setDouble(value, at: cell)
            case .string:
                cells.string(cell).initialize(to: row.text(column))
            case .reference:
                let key = row.int64(column)
                let entityColumn = Int(step.entityColumn)
                let destination =
                    entityColumn >= 0 && !row.isNull(entityColumn)
                    ? plan.destination(step, entity: row.int64(entityColumn)) : step.destination
                // No row has a negative key: the reference counts as nil.
                if key >= 0 { cells.setReference(key, layout: destination, at: cell) }
            case .object:
                cells.object(cell).initialize(to: Self.object(row, column, step.kind))
            }
        }
    }

    @inline(never)
    private static func object(_ row: borrowing PostgreSQLRow, _ column: Int, _ kind: SQLStorageKind) -> AnyObject? {
        switch kind {
        case .decimal: HashableDecimalNumber(decimal: row.decimal(column))
        case .binary, .externalBinary: Box(row.data(column))
        case .uuid: Box(row.uuid(column))
        case .uri: URL(string: row.text(column)).map { Box($0) }
        case .transformable: StoredTransformable(row.data(column))
        case .undefined: PostgreSQLUntyped.value(row.jsonb(column)).map { Box<Any>($0) }
        default: nil
        }
    }
}
