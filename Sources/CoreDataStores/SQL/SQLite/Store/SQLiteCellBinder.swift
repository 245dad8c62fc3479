// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

/// Binds cells to the parameters of statements.
struct SQLiteCellBinder {
    let engine: SQLiteSaveEngine
    let keys: PermanentKeys?

    /// Binds one cell.
    ///
    /// - Returns: the next free parameter.
    @inline(__always)
    func bind(_ column: RowWritePlan.Column, _ cells: Cells, to statement: SQLiteStatement, at parameter: Int32)
        throws
        -> Int32
    {
        let cell = column.cell
        switch column.kind {
        case .boolean, .integer16, .integer32, .integer64:
            if cells.isPresent(cell) {
                try statement.bind(cells.integer(cell), at: parameter)
            } else {
                try statement.bindNull(at: parameter)
            }
            return parameter + 1
        case .double, .float, .date:
            if cells.isPresent(cell) {
                try statement.bind(cells.double(cell), at: parameter)
            } else {
                try statement.bindNull(at: parameter)
            }
            return parameter + 1
        case .string:
            if let text = cells.string(cell).pointee {
                try statement.bind(text, at: parameter)
            } else {
                try statement.bindNull(at: parameter)
            }
            return parameter + 1
        case .relationshipKey:
            return try bindReference(column, cells, to: statement, at: parameter)
        default:
            try bindObject(column, cells, to: statement, at: parameter)
            return parameter + 1
        }
    }

    private func bindReference(
        _ column: RowWritePlan.Column, _ cells: Cells, to statement: SQLiteStatement, at parameter: Int32
    ) throws -> Int32 {
        let cell = column.cell
        guard cells.isPresent(cell) else {
            try statement.bindNull(at: parameter)
            guard column.entityColumn != nil else { return parameter + 1 }
            try statement.bindNull(at: parameter + 1)
            return parameter + 2
        }
        var key = cells.integer(cell)
        if key < 0, let keys { key = try keys.permanentKey(key) }
        try statement.bind(key, at: parameter)
        guard column.entityColumn != nil else { return parameter + 1 }
        if let number = engine.plans.mapping.entity(layout: cells.referenceLayout(cell))?.number {
            try statement.bind(Int64(number), at: parameter + 1)
        } else {
            try statement.bindNull(at: parameter + 1)
        }
        return parameter + 2
    }

    @inline(never)
    private func bindObject(
        _ column: RowWritePlan.Column, _ cells: Cells, to statement: SQLiteStatement, at parameter: Int32
    ) throws {
        guard let object = cells.object(column.cell).pointee else { return try statement.bindNull(at: parameter) }
        switch column.kind {
        case .decimal:
            guard let decimal = object as? NSDecimalNumber else { return try statement.bindNull(at: parameter) }
            let whole = decimal.int64Value
            if NSDecimalNumber(value: whole).compare(decimal) == .orderedSame {
                try statement.bind(whole, at: parameter)
            } else {
                try statement.bind(decimal.decimalValue.nearestDouble, at: parameter)
            }
        case .binary:
            try statement.bind((object as? Box<Data>)?.value ?? Data(), at: parameter)
        case .externalBinary:
            let value = (object as? Box<Data>)?.value ?? Data()
            try statement.bind(try engine.externalFiles.column(for: value), at: parameter)
        case .uuid:
            guard let uuid = (object as? Box<UUID>)?.value else { return try statement.bindNull(at: parameter) }
            try withUnsafeBytes(of: uuid.uuid) { try statement.bind($0, at: parameter) }
        case .uri:
            try statement.bind((object as? Box<URL>)?.value.absoluteString ?? "", at: parameter)
        case .transformable:
            if let data = try TransformableCoding.storedData(cells, column.slot) {
                try statement.bind(data, at: parameter)
            } else {
                try statement.bindNull(at: parameter)
            }
        case .objectID:
            try statement.bind((object as? NSManagedObjectID)?.key ?? 0, at: parameter)
        default:
            try bindUntyped(column.slot.read(cells), to: statement, at: parameter)
        }
    }

    private func bindUntyped(_ value: Any?, to statement: SQLiteStatement, at parameter: Int32) throws {
        switch value {
        case let text as String: try statement.bind(text, at: parameter)
        case let data as Data: try statement.bind(data, at: parameter)
        case let date as Date: try statement.bind(date.timeIntervalSinceReferenceDate, at: parameter)
        case let number as NSNumber:
            let whole = number.int64Value
            if NSNumber(value: whole).isEqual(to: number) {
                try statement.bind(whole, at: parameter)
            } else {
                try statement.bind(number.doubleValue, at: parameter)
            }
        default: try statement.bindNull(at: parameter)
        }
    }
}
