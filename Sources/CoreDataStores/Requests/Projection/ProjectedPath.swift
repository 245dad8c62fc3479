// SPDX-License-Identifier: Apache-2.0

/// The destination of a key path in a dictionary fetch.
enum ProjectedPath {
    case attribute(PropertySlot)
    /// A text or number made of an attribute: `name.length`.
    case part(ProjectedType)
    case object(EntityLayout)
    /// A to-many relationship: the index of its key in the path, and the destination entity.
    case collection(index: Int, EntityLayout)

    /// Resolves the keys of a path from an entity on.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a key that has no value in a store.
    static func follow(_ keys: [String], from layout: EntityLayout) throws -> ProjectedPath {
        var current = layout
        for (index, key) in keys.enumerated() {
            guard let slot = current.slotHereOrBelow(named: key) else {
                if key == "self" || key == "SELF" || key == "objectID" { continue }
                throw ProjectionError.unknownKey(key, in: keys.joined(separator: "."), of: current)
            }
            if slot.isTransient || slot.kind == .fetched {
                throw ProjectionError.invalid(
                    keys.joined(separator: "."), layout,
                    because: """
                        \(current.name).\(key) is \(slot.kind == .fetched ? "a fetched property" : "transient"), \
                        so no store has a value for it
                        """
                )
            }
            switch slot.kind {
            case .toOne: current = current.model[slot.destination]
            case .toMany: return .collection(index: index, current.model[slot.destination])
            default: return try end(slot, Array(keys.dropFirst(index + 1)), keys, layout)
            }
        }
        return .object(current)
    }

    /// The end of a path after an attribute: `length` or a change of case for a text, an element for a composite
    /// attribute.
    private static func end(_ slot: PropertySlot, _ rest: [String], _ keys: [String], _ layout: EntityLayout) throws
        -> ProjectedPath
    {
        guard let key = rest.first, key != "self" || rest.count > 1 else { return .attribute(slot) }
        if let element = slot.element(named: key) { return try end(element, Array(rest.dropFirst()), keys, layout) }
        if slot.kind == .string, rest.count == 1 {
            switch key {
            case "length": return .part(.integer)
            case "lowercaseString", "uppercaseString": return .part(.text)
            default: break
            }
        }
        throw ProjectionError.invalid(
            keys.joined(separator: "."), layout, because: "the attribute '\(slot.name)' has no '\(key)'")
    }

    /// The type of the values.
    var type: ProjectedType {
        switch self {
        case .attribute(let slot): .value(slot.attribute?.attributeType ?? .undefinedAttributeType, slot)
        case .part(let type): type
        case .object(let layout), .collection(_, let layout): .object(layout)
        }
    }
}

extension EntityLayout {
    /// The property of that name, of the entity or of one of its subentities.
    package func slotHereOrBelow(named key: String) -> PropertySlot? {
        if let slot = slot(named: key) { return slot }
        guard span > 0 else { return nil }
        for number in (number + 1)...(number + span) {
            if let slot = model[number].slot(named: key) { return slot }
        }
        return nil
    }
}
