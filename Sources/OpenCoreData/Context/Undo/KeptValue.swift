/// The value of one cell, or of those of a composite attribute's elements, on its own.
enum KeptValue {
    case plain(Cell)
    case string(String?)
    case object(AnyObject?)
    /// In the order of the elements.
    case composite([KeptValue])

    /// Takes the value of a property out of cells that have one for it.
    init(_ slot: PropertySlot, _ cells: Cells) {
        switch slot.kind.family {
        case .string: self = .string(cells.string(slot.cell).pointee)
        case .object: self = .object(cells.object(slot.cell).pointee)
        case .composite: self = .composite(slot.elements.map { KeptValue($0, cells) })
        case .scalar, .reference, .none: self = .plain(cells[slot.cell])
        }
    }

    /// Puts the value into the cell of the property that it was taken from.
    func write(_ slot: PropertySlot, to cells: Cells) {
        switch self {
        case .plain(let cell): cells[slot.cell] = cell
        case .string(let string): cells.string(slot.cell).pointee = string
        case .object(let object): cells.object(slot.cell).pointee = object
        case .composite(let values):
            for (element, value) in zip(slot.elements, values) { value.write(element, to: cells) }
        }
    }
}
