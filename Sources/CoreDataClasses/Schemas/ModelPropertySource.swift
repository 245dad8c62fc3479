// SPDX-License-Identifier: Apache-2.0

/// A property of a generated model.
struct ModelPropertySource {
    private let property: NSPropertyDescription
    private let entity: NSEntityDescription
    private let types: SchemaTypes
    private let access: ClassGenerationOptions.Access

    init(
        _ property: NSPropertyDescription, of entity: NSEntityDescription, _ types: SchemaTypes,
        _ access: ClassGenerationOptions.Access
    ) {
        self.property = property
        self.entity = entity
        self.types = types
        self.access = access
    }

    var name: String { SwiftName.spelled(property.name) }

    /// The type of a composite attribute.
    var composite: CompositeSource? {
        (property as? NSCompositeAttributeDescription).map {
            CompositeSource($0, named: CompositeSource.typeName($0.name), types, access.modifier)
        }
    }

    /// The type without the mark of an optional; nil for a property that a model can't have.
    private var baseType: String? {
        switch property {
        case is NSDerivedAttributeDescription: return nil
        case is NSCompositeAttributeDescription:
            return composite.map { "\(SwiftName.spelled(entity.name ?? "")).\(SwiftName.escaped($0.name))" }
        case let attribute as NSAttributeDescription:
            if attribute.attributeType == .transformableAttributeType {
                return types.collection(attribute) ?? types.standard("NSObject")
            }
            return types.plain(attribute.attributeType)
        case let relationship as NSRelationshipDescription:
            guard let destination = relationship.destinationEntity?.name else { return nil }
            let name = SwiftName.spelled(destination)
            return relationship.isToMany ? "[\(name)]" : name
        default: return nil
        }
    }

    /// The type; nil for a property that a model can't have.
    var type: String? { baseType.map { $0 + (property.isOptional ? "?" : "") } }

    /// The default value.
    private var defaultValue: String? {
        if property.isOptional { return literal }
        if let relationship = property as? NSRelationshipDescription { return relationship.isToMany ? "[]" : nil }
        return literal
    }

    private var literal: String? {
        guard let attribute = property as? NSAttributeDescription, composite == nil else { return nil }
        return types.literal(attribute.defaultValue, of: attribute.attributeType)
    }

    /// Whether an initializer has to set the value.
    var needsValue: Bool { !property.isOptional && defaultValue == nil }

    // MARK: Text

    /// The declaration.
    func text(indent: String) -> String {
        guard let type else { return "" }
        let macro = macro
        let value = defaultValue.map { " = \($0)" } ?? ""
        return "\(indent)\(macro)\(access.modifier)var \(name): \(type)\(value)\n"
    }

    private var macro: String {
        if let relationship = property as? NSRelationshipDescription { return Self.macro(of: relationship, types) }
        guard let attribute = property as? NSAttributeDescription else { return "" }
        let arguments = options(of: attribute) + common
        return arguments.isEmpty ? "" : "@Attribute(\(arguments.joined(separator: ", "))) "
    }

    private var common: [String] {
        var arguments: [String] = []
        if let earlier = property.explicitRenamingIdentifier, earlier != property.name {
            arguments.append("originalName: \(SwiftName.literal(earlier))")
        }
        if let modifier = property.versionHashModifier {
            arguments.append("hashModifier: \(SwiftName.literal(modifier))")
        }
        return arguments
    }

    private func options(of attribute: NSAttributeDescription) -> [String] {
        var options: [String] = []
        if entity.uniquenessConstraintNames.contains([attribute.name]) { options.append(".unique") }
        if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
        if attribute.isTransient { options.append(".ephemeral") }
        if attribute.preservesValueInHistoryOnDeletion { options.append(".preserveValueOnDeletion") }
        if attribute.isIndexedBySpotlight { options.append(".spotlight") }
        if attribute.allowsCloudEncryption { options.append(".allowsCloudEncryption") }
        if attribute.attributeType == .transformableAttributeType, types.collection(attribute) == nil {
            let name = attribute.valueTransformerName.flatMap { $0.isEmpty ? nil : $0 }
            options.append(
                ".transformable(by: \(SwiftName.literal(name ?? "NSSecureUnarchiveFromData")))")
        }
        return options
    }

    private static func macro(of relationship: NSRelationshipDescription, _ types: SchemaTypes) -> String {
        var arguments: [String] = []
        switch relationship.deleteRule {
        case .cascadeDeleteRule: arguments.append("deleteRule: .cascade")
        case .denyDeleteRule: arguments.append("deleteRule: .deny")
        case .noActionDeleteRule: arguments.append("deleteRule: .noAction")
        default: break
        }
        if relationship.minCount > 0 { arguments.append("minimumModelCount: \(relationship.minCount)") }
        if relationship.isToMany, relationship.maxCount > 0 {
            arguments.append("maximumModelCount: \(relationship.maxCount)")
        }
        if let earlier = relationship.explicitRenamingIdentifier, earlier != relationship.name {
            arguments.append("originalName: \(SwiftName.literal(earlier))")
        }
        if namesInverse(relationship), let inverse = relationship.inverseRelationship, let owner = inverse.owningEntity
        {
            arguments.append("inverse: \\\(SwiftName.spelled(owner.name ?? "")).\(SwiftName.spelled(inverse.name))")
        }
        if let modifier = relationship.versionHashModifier {
            arguments.append("hashModifier: \(SwiftName.literal(modifier))")
        }
        return arguments.isEmpty ? "" : "@Relationship(\(arguments.joined(separator: ", "))) "
    }

    /// Whether the relationship names its inverse. One side does: the compiler can't resolve a circle.
    private static func namesInverse(_ relationship: NSRelationshipDescription) -> Bool {
        guard let inverse = relationship.inverseRelationship else { return false }
        if relationship.isToMany != inverse.isToMany { return relationship.isToMany }
        let own = (relationship.owningEntity?.name ?? "", relationship.name)
        let other = (inverse.owningEntity?.name ?? "", inverse.name)
        return own <= other
    }

    // MARK: Findings

    var findings: [ModelFinding] {
        var findings: [ModelFinding] = []
        func record(_ severity: ModelFinding.Severity, _ text: String) {
            findings.append(
                ModelFinding(
                    severity, .generation, entity: entity.name, key: property.name,
                    "\(entity.name ?? "").\(property.name): \(text)"))
        }
        guard type != nil else {
            // Neither is part of the version hash.
            let isHashed =
                !property.isTransient && !(property is NSFetchedPropertyDescription)
                && !(property is NSExpressionDescription)
            record(
                isHashed ? .error : .warning,
                "SwiftData has no property of this kind\(isHashed ? "" : "; it is left out")")
            return findings
        }
        if let relationship = property as? NSRelationshipDescription {
            if relationship.isOrdered { record(.error, "SwiftData has no ordered relationships") }
            if relationship.isTransient {
                record(.warning, "the relationship is stored, as SwiftData has no transient ones")
            }
        }
        for problem in composite?.problems ?? [] { record(.error, problem) }
        for warning in composite?.warnings ?? [] { record(.warning, warning) }
        if let attribute = property as? NSAttributeDescription {
            if attribute.attributeType == .transformableAttributeType, types.collection(attribute) == nil {
                record(.warning, "the type is NSObject: write the type that the transformer makes")
            }
            if attribute.defaultValue != nil, composite == nil, literal == nil {
                record(.warning, "the default value is left out")
            }
        }
        if !property.validationPredicates.isEmpty { record(.warning, "the validation rules are left out") }
        return findings
    }
}
