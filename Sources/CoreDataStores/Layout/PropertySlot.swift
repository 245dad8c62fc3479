// SPDX-License-Identifier: Apache-2.0

/// One property of an entity layout: the position of its value, and the rules of the model.
///
/// The layouts of subentities share it. Immutable once the model's layouts are published, hence Sendable.
@usableFromInline package final class PropertySlot: @unchecked Sendable {
    package let name: String
    /// The name; of an element of a composite attribute its path, for example `location.city`.
    package let keyPath: String
    /// The entity that declares the property, for messages.
    package let entityName: String
    @usableFromInline package let kind: StorageKind
    package let property: NSPropertyDescription
    /// The position in the layout's list of properties; the same in all subentities.
    package let index: Int
    /// The position of the value's cell, -1 for to-many relationships and fetched properties. A composite attribute has
    /// a cell for each of its elements, and this is the first.
    package let cell: Int
    /// The elements of a composite attribute, which have no position in the layout; empty for other properties.
    package let elements: [PropertySlot]
    /// The position among the object's links, -1 for properties without a link.
    package let link: Int
    package let isTransient: Bool
    package let isOptional: Bool
    /// The value that a new object gets, nil without a default.
    package let defaultValue: Any?
    /// Whether the model restricts the property's values.
    package let hasRules: Bool
    package let isOrdered: Bool
    /// The derivation of a derived attribute.
    package let derivation: Derivation?
    package let attribute: NSAttributeDescription?
    package let relationship: NSRelationshipDescription?
    /// The rule of a relationship; no action for other properties.
    package let deleteRule: NSDeleteRule
    // Unchecked, as the next one: no thread writes after the layouts are published, and each change of a
    // relationship reads them.
    /// The position of the inverse in the destination's layout, -1 without inverse. Set before the layouts are
    /// published.
    @exclusivity(unchecked) package var inverse: Int = -1
    /// The number of the destination's layout. Set before the layouts are published.
    @exclusivity(unchecked) package var destination: UInt32 = 0

    init(
        name: String, kind: StorageKind, property: NSPropertyDescription, index: Int, cell: Int, link: Int,
        defaultValue: Any?,
        keyPath: String? = nil, entityName: String? = nil, elements: [PropertySlot] = []
    ) {
        self.name = name
        self.keyPath = keyPath ?? name
        self.entityName = entityName ?? property.owningEntity?.name ?? ""
        self.elements = elements
        self.kind = kind
        self.property = property
        self.index = index
        self.cell = cell
        self.link = link
        self.defaultValue = defaultValue
        isTransient = property.isTransient
        isOptional = property.isOptional
        attribute = property as? NSAttributeDescription
        relationship = property as? NSRelationshipDescription
        isOrdered = relationship?.isOrdered ?? false
        deleteRule = relationship?.deleteRule ?? .noActionDeleteRule
        let isCounted = kind == .toMany && (relationship.map { $0.minCount > 0 || $0.maxCount > 0 } ?? false)
        derivation = (property as? NSDerivedAttributeDescription)?.derivation
        hasRules =
            kind != .fetched
            && (!property.isOptional || !property.validationPredicates.isEmpty || isCounted
                || elements.contains(where: \.hasRules))
    }

    @inlinable package var isRelationship: Bool { kind == .toOne || kind == .toMany }

    /// Whether the cell has an integer outside the range of the attribute's type, a date that is no moment in time, or,
    /// for a required attribute, a value that is no number: files have nil in its place.
    package func containsInvalidValue(_ cells: Cells) -> Bool {
        switch kind {
        case .date: cells.isPresent(cell) && cells.double(cell).isNaN
        case .double, .float: !isOptional && cells.isPresent(cell) && cells.double(cell).isNaN
        case .decimal: !isOptional && (cells.object(cell).pointee as? NSDecimalNumber)?.decimalValue.isNaN == true
        case .composite: elements.contains { $0.containsInvalidValue(cells) }
        default: kind.integerRange.map { !$0.contains(cells.integer(cell)) } ?? false
        }
    }

    /// Whether `containsInvalidValue(_:)` can be true.
    package var mayContainInvalidValue: Bool {
        switch kind {
        case .date, .composite: true
        case .double, .float, .decimal: !isOptional
        default: kind.integerRange != nil
        }
    }
}

/// The kind and the cell of a property's value, as plain bytes.
@usableFromInline package struct CellLocation {
    package let kind: StorageKind
    package let cell: Int
}
