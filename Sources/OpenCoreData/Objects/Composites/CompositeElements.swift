/// Gives the elements of a composite attribute their cells, those of composites in it included.
struct CompositeElements {
    let slots: [PropertySlot]
    /// The number of cells that the composite takes; one without elements takes a cell that stays empty, as every
    /// attribute has one.
    let cellCount: Int

    /// - Parameters:
    ///   - position: the position of the attribute of the entity that the elements are part of.
    ///   - firstCell: where the elements' cells begin.
    ///   - prefix: the key path of the composite, which its elements' begin with; nil for an attribute of the entity.
    ///   - entityName: the entity that declares the attribute; nil for an attribute of the entity.
    init(
        _ composite: NSCompositeAttributeDescription, position: Int, firstCell: Int, prefix: String? = nil,
        entityName: String? = nil
    ) {
        let prefix = prefix ?? composite.name
        let entityName = entityName ?? composite.owningEntity?.name ?? ""
        var slots: [PropertySlot] = []
        var cells = 0
        for element in composite.elements {
            let path = prefix + "." + element.name
            let inner = (element as? NSCompositeAttributeDescription).map {
                CompositeElements(
                    $0, position: position, firstCell: firstCell + cells, prefix: path, entityName: entityName)
            }
            slots.append(
                PropertySlot(
                    name: element.name, kind: StorageKind(element.attributeType), property: element, index: position,
                    cell: firstCell + cells, link: -1,
                    defaultValue: element.defaultValue, keyPath: path, entityName: entityName,
                    elements: inner?.slots ?? []))
            cells += inner?.cellCount ?? 1
        }
        self.slots = slots
        cellCount = max(cells, 1)
    }

    /// What a new object has: the composite's own default value, else those of its elements.
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
    /// The slots that hold the property's value: itself, or the elements of a composite, to any depth.
    var leaves: [PropertySlot] { kind == .composite ? elements.flatMap(\.leaves) : [self] }

    /// All cells that are the property's.
    var ownCells: [Int] {
        if cell < 0 { return [] }
        return elements.isEmpty ? [cell] : elements.flatMap(\.ownCells)
    }

    func element(named name: String) -> PropertySlot? { elements.first { $0.name == name } }
}
