// SPDX-License-Identifier: Apache-2.0

/// Gives SQLite the values of cells: binds them to parameters of statements, or returns them from virtual tables.
struct SQLiteCellBinder {
    let engine: SQLiteSaveEngine
    let keys: PermanentKeys?

    /// Binds one cell, and the entity of a reference where the column has one.
    ///
    /// - Returns: the next free parameter.
    @inline(__always)
    func bind(_ column: RowWritePlan.Column, _ cells: Cells, to statement: SQLiteStatement, at parameter: Int32)
        throws
        -> Int32
    {
        try set(column, cells, to: SQLiteParameter(statement, parameter))
        guard column.entityColumn != nil else { return parameter + 1 }
        try setEntity(column, cells, to: SQLiteParameter(statement, parameter + 1))
        return parameter + 2
    }

    /// Sets a target to the value of a cell. A target that gets no value is NULL.
    @inline(__always)
    func set(_ column: RowWritePlan.Column, _ cells: Cells, to target: some SQLiteValueTarget) throws {
        let cell = column.cell
        switch column.kind {
        case .boolean, .integer16, .integer32, .integer64:
            if cells.isPresent(cell) { try target.set(cells.integer(cell)) } else { try target.setNull() }
        case .double, .float, .date:
            if cells.isPresent(cell) { try target.set(cells.double(cell)) } else { try target.setNull() }
        case .string:
            if let text = cells.string(cell).pointee { try target.set(text) } else { try target.setNull() }
        case .relationshipKey:
            guard cells.isPresent(cell) else { return try target.setNull() }
            var key = cells.integer(cell)
            if key < 0, let keys { key = try keys.permanentKey(key) }
            try target.set(key)
        default:
            try setObject(column, cells, to: target)
        }
    }

    /// Sets a target to the number of the entity that a reference leads to.
    func setEntity(_ column: RowWritePlan.Column, _ cells: Cells, to target: some SQLiteValueTarget) throws {
        guard cells.isPresent(column.cell),
            let number = engine.plans.mapping.entity(layout: cells.referenceLayout(column.cell))?.number
        else { return try target.setNull() }
        try target.set(Int64(number))
    }

    @inline(never)
    private func setObject(
        _ column: RowWritePlan.Column, _ cells: Cells, to target: some SQLiteValueTarget
    ) throws {
        guard let object = cells.object(column.cell).pointee else { return try target.setNull() }
        switch column.kind {
        case .decimal:
            guard let decimal = object as? NSDecimalNumber else { return try target.setNull() }
            let whole = decimal.int64Value
            if NSDecimalNumber(value: whole).compare(decimal) == .orderedSame {
                try target.set(whole)
            } else {
                try target.set(decimal.decimalValue.nearestDouble)
            }
        case .binary:
            try target.set((object as? Box<Data>)?.value ?? Data())
        case .externalBinary:
            let value = (object as? Box<Data>)?.value ?? Data()
            try target.set(try engine.externalFiles.column(for: value))
        case .uuid:
            guard let uuid = (object as? Box<UUID>)?.value else { return try target.setNull() }
            try withUnsafeBytes(of: uuid.uuid) { try target.set($0) }
        case .uri:
            try target.set((object as? Box<URL>)?.value.absoluteString ?? "")
        case .transformable:
            if let data = try TransformableCoding.storedData(cells, column.slot) {
                try target.set(data)
            } else {
                try target.setNull()
            }
        case .objectID:
            try target.set((object as? NSManagedObjectID)?.key ?? 0)
        default:
            try setUntyped(column.slot.read(cells), to: target)
        }
    }

    private func setUntyped(_ value: Any?, to target: some SQLiteValueTarget) throws {
        switch value {
        case let text as String: try target.set(text)
        case let data as Data: try target.set(data)
        case let date as Date: try target.set(date.timeIntervalSinceReferenceDate)
        case let number as NSNumber:
            let whole = number.int64Value
            if NSNumber(value: whole).isEqual(to: number) {
                try target.set(whole)
            } else {
                try target.set(number.doubleValue)
            }
        default: try target.setNull()
        }
    }
}
