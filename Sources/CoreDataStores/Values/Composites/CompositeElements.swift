// SPDX-License-Identifier: Apache-2.0

/// Assigns cells to the elements of a composite attribute, and to the elements of nested composites.
struct CompositeElements {
    let slots: [PropertySlot]
    /// The first cell of the composite. A composite without elements has one cell, which stays empty: every attribute
    /// has a cell.
    let cell: Int

    /// - Parameters:
    ///   - composite: the composite attribute.
    ///   - position: the position of the entity's attribute that contains the elements.
    ///   - cells: assigns the cells of the elements.
    ///   - prefix: the key path of the composite, in front of the names of its elements; nil for an attribute of the
    ///     entity.
    ///   - entityName: the entity that declares the attribute; nil for an attribute of the entity.
    init(
        _ composite: NSCompositeAttributeDescription, position: Int, cells: inout CellAssignment, prefix: String? = nil,
        entityName: String? = nil
    ) {
        let prefix = prefix ?? composite.name
        let entityName = entityName ?? composite.owningEntity?.name ?? ""
        var slots: [PropertySlot] = []
        for element in composite.elements {
            let path = prefix + "." + element.name
            let kind = StorageKind(element.attributeType)
            let inner = (element as? NSCompositeAttributeDescription).map {
                CompositeElements($0, position: position, cells: &cells, prefix: path, entityName: entityName)
            }
            slots.append(
                PropertySlot(
                    name: element.name, kind: kind, property: element, index: position,
                    cell: inner?.cell ?? cells.next(kind), link: -1,
                    defaultValue: element.defaultValue, keyPath: path, entityName: entityName,
                    elements: inner?.slots ?? []))
        }
        self.slots = slots
        cell = slots.first?.cell ?? cells.next(.composite)
    }

    /// The value of a new object: the composite's default value, or else the default values of its elements.
    static func defaultValue(of composite: NSCompositeAttributeDescription) -> Any? {
        if let value = composite.defaultValue { return value }
        var values: [String: Any] = [:]
        for element in composite.elements {
            values[element.name] =
                (element as? NSCompositeAttributeDescription).map(defaultValue) ?? element.defaultValue
        }
        return values.isEmpty ? nil : values
    }
}

extension PropertySlot {
    /// The slots with cells: the property itself, or the elements of a composite, to any depth.
    var leaves: [PropertySlot] { kind == .composite ? elements.flatMap(\.leaves) : [self] }

    /// All cells of the property.
    var ownCells: [Int] {
        if cell < 0 { return [] }
        return elements.isEmpty ? [cell] : elements.flatMap(\.ownCells)
    }

    package func element(named name: String) -> PropertySlot? { elements.first { $0.name == name } }
}
