// SPDX-License-Identifier: Apache-2.0

import Digests

extension NSEntityDescription {
    /// The hash of an entity: its name, whether it is abstract, its parent, all stored properties in the order of their
    /// names, the modifier, and the uniqueness constraints.
    final func computeVersionHash() -> Data {
        var bytes = Array((nameStorage ?? "").utf8)
        bytes.append(isAbstract ? 1 : 0)
        if let superentityStorage { bytes.append(contentsOf: superentityStorage.versionHash) }
        let hashed = properties.filter(\.isPartOfEntityVersionHash).sortedBytewise { $0.nameStorage }
        for property in hashed { bytes.append(contentsOf: property.versionHash) }
        if let versionHashModifier { bytes.append(contentsOf: versionHashModifier.utf8) }
        // The properties of one constraint keep their order. The constraints are sorted by their joined names.
        let constraints = uniquenessConstraintNames.map { $0.joined(separator: ".") }.sortedBytewise()
        for constraint in constraints { bytes.append(contentsOf: constraint.utf8) }
        return Data(SHA256.hash(bytes))
    }
}

extension NSPropertyDescription {
    /// Whether the property is part of the hash of its entity. Transient properties, fetched properties and expressions
    /// are not.
    final var isPartOfEntityVersionHash: Bool {
        !isTransient && !(self is NSFetchedPropertyDescription) && !(self is NSExpressionDescription)
    }

    /// The hash of a property, which depends on its kind.
    final func computeVersionHash() -> Data {
        switch self {
        case let derived as NSDerivedAttributeDescription:
            // The derivation alone is hashed, without name and type.
            return Data(SHA256.hash((derived.derivationExpression.map(DerivationText.text) ?? "").utf8))
        case let composite as NSCompositeAttributeDescription:
            // The elements alone are hashed, in the order of their names.
            return Data(SHA256.hash(composite.elements.sortedBytewise { $0.name }.flatMap(\.versionHash)))
        case let attribute as NSAttributeDescription:
            return Data(SHA256.hash(commonHash + Self.attributeBytes(attribute)))
        case let relationship as NSRelationshipDescription:
            return Data(SHA256.hash(commonHash + Self.relationshipBytes(relationship)))
        default:
            return Data(commonHash)
        }
    }

    private var commonHash: [UInt8] {
        var bytes = Array(nameStorage.utf8)
        bytes.append(isOptional ? 1 : 0)
        bytes.append(isTransient ? 1 : 0)
        if let versionHashModifier { bytes.append(contentsOf: versionHashModifier.utf8) }
        return SHA256.hash(bytes)
    }

    private static func attributeBytes(_ attribute: NSAttributeDescription) -> [UInt8] {
        var bytes = littleEndian(Int(attribute.attributeType.rawValue))
        if attribute.allowsExternalBinaryDataStorage { bytes.append(1) }
        if attribute.preservesValueInHistoryOnDeletion { bytes.append(1) }
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

/// The text of a derivation in the version hash: the functions have colons, as in the descriptions of Apple's
/// expressions.
enum DerivationText {
    static func text(_ expression: NSExpression) -> String {
        guard expression.expressionType == .function, let call = expression.node as? FunctionNode, call.target == nil
        else {
            return expression.description
        }
        return call.selector + "(" + call.arguments.map(text).joined(separator: ", ") + ")"
    }
}
