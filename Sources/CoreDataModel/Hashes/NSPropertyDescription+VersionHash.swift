extension NSPropertyDescription {
    /// Whether the property enters its entity's hash: transient ones, fetched properties and expressions don't.
    final var entersEntityVersionHash: Bool {
        !isTransientStorage && !(self is NSFetchedPropertyDescription) && !(self is NSExpressionDescription)
    }

    /// The hash of a property, by its kind.
    final func computeVersionHash() -> Data {
        switch self {
        case let derived as NSDerivedAttributeDescription:
            // Name, type and the rest don't enter: only the derivation counts.
            return Data(SHA256.hash((derived.derivationExpression.map(DerivationHashText.text) ?? "").utf8))
        case let attribute as NSAttributeDescription:
            return Data(SHA256.hash(baseHash + Self.attributeBytes(attribute)))
        case let relationship as NSRelationshipDescription:
            return Data(SHA256.hash(baseHash + Self.relationshipBytes(relationship)))
        default:
            return Data(baseHash)
        }
    }

    private var baseHash: [UInt8] {
        var bytes = Array(nameStorage.utf8)
        bytes.append(isOptionalStorage ? 1 : 0)
        bytes.append(isTransientStorage ? 1 : 0)
        if let versionHashModifierStorage { bytes.append(contentsOf: versionHashModifierStorage.utf8) }
        return SHA256.hash(bytes)
    }

    private static func attributeBytes(_ attribute: NSAttributeDescription) -> [UInt8] {
        var bytes = littleEndian(Int(attribute.attributeTypeStorage.rawValue))
        if attribute.allowsExternalStorage { bytes.append(1) }
        if attribute.preservesValueStorage { bytes.append(1) }
        return bytes
    }

    private static func relationshipBytes(_ relationship: NSRelationshipDescription) -> [UInt8] {
        var bytes = Array((relationship.destinationEntityName ?? "").utf8)
        if let inverseName = relationship.inverseRelationshipName, relationship.inverseRelationship !== relationship {
            bytes.append(contentsOf: inverseName.utf8)
        }
        bytes.append(contentsOf: littleEndian(relationship.maxCount))
        bytes.append(contentsOf: littleEndian(relationship.minCount))
        if relationship.isOrdered { bytes.append(contentsOf: [1, 0]) }
        return bytes
    }

    /// The low 32 bits, least significant byte first.
    private static func littleEndian(_ value: Int) -> [UInt8] {
        let bits = UInt32(truncatingIfNeeded: value)
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
    }
}
