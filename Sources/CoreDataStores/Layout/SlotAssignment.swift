// SPDX-License-Identifier: Apache-2.0

/// Assigns the slots of an entity's properties. The slots of the superentity come first, and keep their positions.
struct SlotAssignment {
    private(set) var slots: [PropertySlot]
    /// The positions by name.
    private(set) var positions: [String: Int] = [:]
    private(set) var linkCount: Int
    private var cells: CellAssignment
    private let inheritedCount: Int

    /// The size of the cells of an object.
    var wordCount: Int { cells.wordCount }

    init(_ entity: NSEntityDescription, after superlayout: EntityLayout?) {
        slots = superlayout?.properties ?? []
        for slot in slots { positions[slot.name] = slot.index }
        cells = CellAssignment(after: superlayout?.wordCount ?? 0)
        linkCount = superlayout?.linkCount ?? 0
        inheritedCount = slots.count
        for property in entity.properties.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            add(property)
        }
    }

    private mutating func add(_ property: NSPropertyDescription) {
        guard let kind = Self.kind(of: property) else { return }
        let composite = property as? NSCompositeAttributeDescription
        let defaultValue =
            composite.map { CompositeElements.defaultValue(of: $0) }
            ?? (property as? NSAttributeDescription)?.defaultValue
        if let position = positions[property.name], position < inheritedCount {
            // An inherited property keeps its position; a redeclaration may only refine it.
            let earlier = slots[position]
            var same = CellAssignment(after: earlier.cell)
            let elements = composite.map { CompositeElements($0, position: position, cells: &same).slots } ?? []
            let isSame = elements.flatMap(\.leaves).map(\.kind) == earlier.elements.flatMap(\.leaves).map(\.kind)
            slots[position] = PropertySlot(
                name: property.name, kind: earlier.kind, property: property, index: position, cell: earlier.cell,
                link: earlier.link, defaultValue: defaultValue, elements: isSame ? elements : earlier.elements)
            return
        }
        let elements = composite.map { CompositeElements($0, position: slots.count, cells: &cells) }
        // The result of a fetched property and a decoded transformable value are stored in a link, as the objects of a
        // relationship are.
        let hasLink = kind == .toOne || kind == .toMany || kind == .fetched || kind == .transformable
        positions[property.name] = slots.count
        slots.append(
            PropertySlot(
                name: property.name, kind: kind, property: property, index: slots.count,
                cell: elements?.cell ?? (kind.family == .none ? -1 : cells.next(kind)), link: hasLink ? linkCount : -1,
                defaultValue: defaultValue, elements: elements?.slots ?? []))
        if hasLink { linkCount += 1 }
    }

    /// The kind of a property; nil for a property that objects don't have.
    private static func kind(of property: NSPropertyDescription) -> StorageKind? {
        switch property {
        case is NSCompositeAttributeDescription: .composite
        case let attribute as NSAttributeDescription: StorageKind(attribute.attributeType)
        case let relationship as NSRelationshipDescription: relationship.isToMany ? .toMany : .toOne
        case is NSFetchedPropertyDescription: .fetched
        default: nil
        }
    }
}
