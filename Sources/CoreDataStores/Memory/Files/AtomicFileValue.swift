// SPDX-License-Identifier: Apache-2.0

/// Converts the values of cells to property-list values in files, and back.
enum AtomicFileValue {
    private static let posix = Locale(identifier: "en_US_POSIX")

    /// The value of a cell; nil for nil.
    ///
    /// - Throws: `NSPersistentStoreSaveError` (134030) for a value of an attribute without a type that property lists
    ///   don't have.
    static func value(of slot: PropertySlot, in cells: Cells, path: String) throws -> PropertyListValue? {
        if slot.isNil(cells) { return nil }
        switch slot.kind {
        case .integer16, .integer32, .integer64: return .integer(cells.integer(slot.cell))
        case .boolean: return .boolean(cells.integer(slot.cell) != 0)
        case .double, .float: return .real(cells.double(slot.cell))
        case .date: return .date(cells.double(slot.cell))
        case .string: return cells.string(slot.cell).pointee.map { .string($0) }
        case .decimal: return (slot.read(cells) as? NSDecimalNumber).map { .string(text(of: $0.decimalValue)) }
        case .data: return (slot.read(cells) as? Data).map { .data($0) }
        case .uuid: return (slot.read(cells) as? UUID).map { .string($0.uuidString) }
        case .uri: return (slot.read(cells) as? URL).map { .string($0.absoluteString) }
        case .transformable:
            return (cells.object(slot.cell).pointee as? StoredTransformable).map { .data($0.data) }
        case .undefined: return try untypedValue(slot, cells, path)
        case .objectID, .composite, .toOne, .toMany, .fetched: return nil
        }
    }

    private static func text(of decimal: Decimal) -> String {
        decimal.isNaN ? "NaN" : NSDecimalNumber(decimal: decimal).description(withLocale: posix)
    }

    private static func untypedValue(_ slot: PropertySlot, _ cells: Cells, _ path: String) throws -> PropertyListValue?
    {
        switch slot.read(cells) {
        case let value as String: return .string(value)
        case let value as Data: return .data(value)
        case let value as Date: return .date(value.timeIntervalSinceReferenceDate)
        case let value as NSNumber:
            let isReal = ["d", "f"].contains(String(cString: value.objCType))
            return isReal ? .real(value.doubleValue) : .integer(value.int64Value)
        case let value:
            throw AtomicFileErrors.error(
                NSPersistentStoreSaveError, path, .saving,
                reason: """
                    The attribute \(slot.entityName).\(slot.keyPath) has no type in the model, and its value has \
                    the type \(value.map { "\(type(of: $0))" } ?? "nil").
                    """,
                suggestion: "Give the attribute a type.")
        }
    }

    /// Writes a value of a file into a cell.
    ///
    /// - Returns: false for a value that doesn't fit the attribute.
    static func write(_ value: PropertyListValue, to slot: PropertySlot, _ cells: Cells, trust: ArchiveTrust)
        -> Bool
    {
        switch (slot.kind, value) {
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
            guard slot.kind.integerRange?.contains(number) ?? true else { return false }
            cells.setInteger(number, at: slot.cell)
        case (.boolean, _):
            guard let flag = value.booleanValue else { return false }
            cells.setInteger(flag ? 1 : 0, at: slot.cell)
        case (.double, _):
            guard let number = value.realValue else { return false }
            cells.setDouble(number, at: slot.cell)
        case (.float, _):
            guard let number = value.realValue else { return false }
            cells.setDouble(Double(Float(number)), at: slot.cell)
        case (.date, .date(let seconds)):
            guard !seconds.isNaN else { return false }
            cells.setDouble(seconds, at: slot.cell)
        case (.string, .string(let text)):
            cells.string(slot.cell).pointee = text
        case (.undefined, _):
            guard let object = value.foundationValue else { return false }
            cells.object(slot.cell).pointee = Box<Any>(object)
        default:
            guard let object = object(value, slot.kind, trust) else { return false }
            cells.object(slot.cell).pointee = object
        }
        return true
    }

    private static func object(_ value: PropertyListValue, _ kind: StorageKind, _ trust: ArchiveTrust) -> AnyObject? {
        switch (kind, value) {
        case (.decimal, .string(let text)):
            if text == "NaN" { return HashableDecimalNumber(decimal: .nan) }
            return Decimal(string: text, locale: posix).map { HashableDecimalNumber(decimal: $0) }
        case (.data, .data(let data)): return Box(data)
        case (.uuid, .string(let text)): return UUID(uuidString: text).map { Box($0) }
        case (.uri, .string(let text)): return URL(string: text).map { Box($0) }
        case (.transformable, .data(let data)): return StoredTransformable(data, trust: trust)
        default: return nil
        }
    }
}
