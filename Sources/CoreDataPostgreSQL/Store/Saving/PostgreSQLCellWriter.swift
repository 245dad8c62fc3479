// SPDX-License-Identifier: Apache-2.0

/// Writes cells of rows as values of the server: as parameters, or as elements of arrays.
enum PostgreSQLCellWriter {
    /// Appends the value of one cell. A reference to a new object gets the object's permanent key.
    ///
    /// A date is rounded to the precision that the server stores, in the cell too: the cells become the snapshot of the
    /// saved object.
    ///
    /// - Throws: `NSPersistentStoreSaveError` (134030) with the attribute for a value that the server can't store.
    @inline(__always)
    static func append<Writer: PostgreSQLValueWriter>(
        _ column: RowWritePlan.Column, _ cells: Cells, _ keys: PermanentKeys?, to writer: inout Writer
    ) throws {
        let cell = column.cell
        switch column.kind {
        case .boolean, .integer16:
            guard cells.isPresent(cell) else { return writer.writeNull(.int2) }
            writer.append(int16: Int16(truncatingIfNeeded: cells.integer(cell)))
        case .integer32:
            guard cells.isPresent(cell) else { return writer.writeNull(.int4) }
            writer.append(int32: Int32(truncatingIfNeeded: cells.integer(cell)))
        case .integer64:
            guard cells.isPresent(cell) else { return writer.writeNull(.int8) }
            writer.append(int64: cells.integer(cell))
        case .relationshipKey:
            guard cells.isPresent(cell) else { return writer.writeNull(.int8) }
            let key = cells.integer(cell)
            writer.append(int64: try key < 0 ? keys?.permanentKey(key) ?? key : key)
        case .double:
            guard cells.isPresent(cell), !cells.double(cell).isNaN else { return writer.writeNull(.float8) }
            writer.append(double: cells.double(cell))
        case .float:
            guard cells.isPresent(cell), !cells.double(cell).isNaN else { return writer.writeNull(.float4) }
            writer.append(float: Float(cells.double(cell)))
        case .date:
            guard cells.isPresent(cell) else { return writer.writeNull(.timestamptz) }
            let date = Date(timeIntervalSinceReferenceDate: cells.double(cell))
            guard PostgreSQLTimestamp.isStorable(date) else { throw unstorableDate(column) }
            writer.append(timestamp: date)
            let rounded = PostgreSQLTimestamp.rounded(date).timeIntervalSinceReferenceDate
            if rounded != cells.double(cell), rounded.isFinite { cells.setDouble(rounded, at: cell) }
        case .string:
            guard let text = cells.string(cell).pointee else { return writer.writeNull(.text) }
            try check(text, column)
            writer.append(text: text)
        default:
            try appendObject(column, cells, to: &writer)
        }
    }

    /// Appends the value of one cell, and for a reference whose entity has a column the number of the entity.
    static func append<Writer: PostgreSQLValueWriter>(
        _ column: RowWritePlan.Column, _ cells: Cells, _ keys: PermanentKeys?, _ mapping: LayoutMapping,
        to writer: inout Writer
    ) throws {
        try append(column, cells, keys, to: &writer)
        guard column.entityColumn != nil else { return }
        if let number = mapping.entityNumber(of: column, cells) {
            writer.append(int32: number)
        } else {
            writer.writeNull(.int4)
        }
    }

    @inline(never)
    private static func appendObject<Writer: PostgreSQLValueWriter>(
        _ column: RowWritePlan.Column, _ cells: Cells, to writer: inout Writer
    ) throws {
        let type = PostgreSQLType(column.kind)
        guard let object = cells.object(column.cell).pointee else { return writer.writeNull(type) }
        switch column.kind {
        case .decimal:
            guard let number = object as? NSDecimalNumber, !number.decimalValue.isNaN else {
                return writer.writeNull(type)
            }
            writer.append(numeric: number.decimalValue)
        case .binary, .externalBinary:
            writer.append(bytes: (object as? Box<Data>)?.value ?? Data())
        case .uuid:
            guard let uuid = (object as? Box<UUID>)?.value else { return writer.writeNull(type) }
            writer.append(uuid: uuid)
        case .uri:
            let text = (object as? Box<URL>)?.value.absoluteString ?? ""
            try check(text, column)
            writer.append(text: text)
        case .transformable:
            guard let data = try TransformableCoding.storedData(cells, column.slot) else {
                return writer.writeNull(type)
            }
            writer.append(bytes: data)
        case .objectID:
            writer.append(int64: (object as? NSManagedObjectID)?.key ?? 0)
        default:
            guard let value = column.slot.read(cells) else { return writer.writeNull(type) }
            guard let json = PostgreSQLUntyped.json(value) else {
                throw PostgreSQLStoreErrors.unstorable(
                    column.slot, "A value of the type \(Swift.type(of: value)) has no form in the database.")
            }
            try check(json, column)
            writer.append(jsonb: json)
        }
    }

    @inline(never)
    private static func unstorableDate(_ column: RowWritePlan.Column) -> NSError {
        PostgreSQLStoreErrors.unstorable(
            column.slot, "PostgreSQL has dates from 24 November 4714 BC to the end of the year 294276 alone.")
    }

    /// The server has no texts with the character NUL.
    @inline(__always)
    private static func check(_ text: String, _ column: RowWritePlan.Column) throws {
        guard text.containsNUL else { return }
        throw PostgreSQLStoreErrors.unstorable(
            column.slot, "The text contains the character NUL (U+0000), which PostgreSQL doesn\u{2019}t store.")
    }
}
