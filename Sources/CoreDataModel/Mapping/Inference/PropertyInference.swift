// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Infers the property mappings of one entity.
struct PropertyInference {
    private let source: NSEntityDescription
    private let destination: NSEntityDescription
    /// Whether there can be objects to migrate. An abstract entity has none.
    private let hasObjects: Bool

    init(from source: NSEntityDescription, to destination: NSEntityDescription) {
        self.source = source
        self.destination = destination
        hasObjects = !source.isAbstract && !destination.isAbstract
    }

    /// The properties that are migrated, sorted by name. Transient properties are not stored, and derived ones are
    /// computed.
    static func mapped<Property: NSPropertyDescription>(_ properties: [String: Property]) -> [Property] {
        properties.values.filter { !$0.isTransient && !$0.isReadOnly }.sortedBytewise { $0.name }
    }

    // MARK: Attributes

    /// The attributes of the source by the names of the destination's attributes that are migrated.
    func matchedAttributes() -> [String: NSAttributeDescription] {
        let candidates = source.attributesByName.filter { !$0.value.isTransient }
        return Self.sources(of: Self.mapped(destination.attributesByName), among: Array(candidates.values))
            .compactMapValues { candidates[$0] }
    }

    /// The relationships of the source by the names of the destination's relationships.
    func matchedRelationships() -> [String: NSRelationshipDescription] {
        let candidates = source.relationshipsByName.filter { !$0.value.isTransient }
        return Self.sources(of: Self.mapped(destination.relationshipsByName), among: Array(candidates.values))
            .compactMapValues { candidates[$0] }
    }

    func attributeMappings(record: (InferenceProblem) -> Void) -> [NSPropertyMapping] {
        let attributes = Self.mapped(destination.attributesByName)
        // A derived value is stored, so it can be migrated to an attribute that isn't derived.
        let candidates = source.attributesByName.filter { !$0.value.isTransient }
        let names = Self.sources(of: attributes, among: Array(candidates.values))
        recordConflicts(.attribute, attributes, Array(candidates.values), names, record)
        return attributes.map { attribute in
            guard let found = names[attribute.name].flatMap({ candidates[$0] }) else {
                if let problem = missingValue(attribute, "a new attribute") { record(problem) }
                return NSPropertyMapping(name: attribute.name, valueExpression: nil)
            }
            if let types = Self.incompatibleTypes(found, attribute) {
                record(
                    problem(
                        .attribute, attribute, "Source and destination attribute types are incompatible",
                        """
                        The type \(types.element.map { "of the element '\($0)' " } ?? "")was \
                        \(SourceSpelling.name(of: types.old)) and is \(SourceSpelling.name(of: types.new)); \
                        give the attribute another name, or write a mapping model.
                        """
                    ))
            }
            recordElementConflicts(found, attribute, record)
            let value = MappingExpressions.sourceValue(at: found.name)
            guard found.isOptional, !attribute.isOptional else {
                return NSPropertyMapping(name: attribute.name, valueExpression: value)
            }
            if let problem = missingValue(attribute, "an optional attribute that becomes required") { record(problem) }
            return NSPropertyMapping(
                name: attribute.name, valueExpression: Self.value(value, orDefault: attribute.defaultValue))
        }
    }

    private func missingValue(_ attribute: NSAttributeDescription, _ change: String) -> InferenceProblem? {
        guard hasObjects, !attribute.isOptional, attribute.defaultValue == nil else { return nil }
        return problem(
            .attribute, attribute, "Validation error missing attribute values on mandatory destination attribute",
            "It is \(change) without a default value; give it one, or make it optional.")
    }

    /// The types whose values convert among each other.
    private static let numberTypes: Set<NSAttributeType> = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
        .doubleAttributeType, .floatAttributeType, .booleanAttributeType,
    ]

    /// Two types whose values don't convert into each other.
    private struct IncompatibleTypes {
        let old: NSAttributeType
        let new: NSAttributeType
        /// The path of the element of a composite attribute; nil for the attribute itself.
        var element: String?
    }

    /// The types of two attributes; nil if they have the same type, or are numbers, and their elements, too.
    private static func incompatibleTypes(_ source: NSAttributeDescription, _ destination: NSAttributeDescription)
        -> IncompatibleTypes?
    {
        if source.attributeType != destination.attributeType {
            return numberTypes.isSuperset(of: [source.attributeType, destination.attributeType])
                ? nil : IncompatibleTypes(old: source.attributeType, new: destination.attributeType)
        }
        guard let source = source as? NSCompositeAttributeDescription,
            let destination = destination as? NSCompositeAttributeDescription
        else { return nil }
        let elements = Dictionary(source.elements.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let names = destination.sourcesOfElements(in: source)
        for element in destination.elements {
            guard let found = names[element.name].flatMap({ elements[$0] }),
                var types = incompatibleTypes(found, element)
            else { continue }
            types.element = types.element.map { "\(element.name).\($0)" } ?? element.name
            return types
        }
        return nil
    }

    /// `TERNARY($source.name == nil, "default", $source.name)`
    private static func value(_ value: NSExpression, orDefault defaultValue: Any?) -> NSExpression {
        guard let defaultValue else { return value }
        let isMissing = NSComparisonPredicate(
            leftExpression: value, rightExpression: NSExpression(forConstantValue: nil), modifier: .direct,
            type: .equalTo)
        return NSExpression(
            forConditional: isMissing, trueExpression: NSExpression(forConstantValue: defaultValue),
            falseExpression: value)
    }

    // MARK: Relationships

    /// Infers the mappings of the relationships.
    ///
    /// - Parameters:
    ///   - canMove: whether all objects of a source entity and its subentities can be destinations of a relationship to
    ///     an entity.
    ///   - record: receives the problems.
    func relationshipMappings(
        compatibleDestination canMove: (NSEntityDescription, NSEntityDescription) -> Bool,
        record: (InferenceProblem) -> Void
    ) -> [NSPropertyMapping] {
        let relationships = Self.mapped(destination.relationshipsByName)
        let candidates = source.relationshipsByName.filter { !$0.value.isTransient }
        let names = Self.sources(of: relationships, among: Array(candidates.values))
        recordConflicts(.relationship, relationships, Array(candidates.values), names, record)
        return relationships.map { relationship in
            guard let found = names[relationship.name].flatMap({ candidates[$0] }) else {
                // If it is required, the migration fails where there are objects.
                return NSPropertyMapping(name: relationship.name, valueExpression: nil)
            }
            if found.isToMany, !relationship.isToMany {
                record(
                    problem(
                        .relationship, relationship, "A to-many relationship can't become a to-one relationship",
                        "Core Data can't choose the object that remains. Write a mapping model."))
            }
            if let before = found.destinationEntity, let after = relationship.destinationEntity, !canMove(before, after)
            {
                record(
                    problem(
                        .relationship, relationship,
                        """
                        The objects of the source relationship's destination entity '\(before.name ?? "")' can't be \
                        destinations of the relationship, whose destination is '\(after.name ?? "")'
                        """,
                        """
                        Use the same destination entity or a parent of it, rename the relationship, or write a \
                        mapping model.
                        """
                    )
                )
            }
            return NSPropertyMapping(
                name: relationship.name,
                valueExpression: MappingExpressions.destinations(
                    ofSourceRelationship: found.name, sources: MappingExpressions.sourceValue(at: found.name)))
        }
    }

    // MARK: Both

    private static func sources(of destinations: [NSPropertyDescription], among sources: [NSPropertyDescription])
        -> [String: String]
    {
        let ordered = sources.sortedBytewise { $0.name }
        return RenamingKey.sources(of: destinations.map { RenamingKey($0) }, among: ordered.map { RenamingKey($0) })
    }

    /// Records the destinations of one source.
    private func recordConflicts(
        _ kind: InferenceProblem.Kind, _ destinations: [NSPropertyDescription], _ sources: [NSPropertyDescription],
        _ names: [String: String], _ record: (InferenceProblem) -> Void
    ) {
        let conflicts = RenamingKey.conflicts(
            of: destinations.map { RenamingKey($0) }, among: sources.map { RenamingKey($0) }, names)
        for conflict in conflicts {
            guard let property = destinations.first(where: { $0.name == conflict.name }) else { continue }
            // An attribute of another type is a new one, which has the name of the renamed one.
            if let attribute = property as? NSAttributeDescription, attribute.renamingIdentifier == attribute.name,
                let source = sources.first(where: { $0.name == conflict.source }) as? NSAttributeDescription,
                Self.incompatibleTypes(source, attribute) != nil
            {
                continue
            }
            record(problem(kind, property, conflict.reason, conflict.remedy))
        }
    }

    private func recordElementConflicts(
        _ source: NSAttributeDescription, _ destination: NSAttributeDescription, _ record: (InferenceProblem) -> Void
    ) {
        guard let source = source as? NSCompositeAttributeDescription,
            let destination = destination as? NSCompositeAttributeDescription
        else { return }
        let names = destination.sourcesOfElements(in: source)
        let conflicts = RenamingKey.conflicts(
            of: destination.elements.map { RenamingKey($0) }, among: source.elements.map { RenamingKey($0) }, names)
        for conflict in conflicts { record(problem(.attribute, destination, conflict.reason, conflict.remedy)) }
        for element in destination.elements {
            guard let former = source.elements.first(where: { $0.name == names[element.name] }) else { continue }
            recordElementConflicts(former, element, record)
        }
    }

    private func problem(
        _ kind: InferenceProblem.Kind, _ property: NSPropertyDescription, _ reason: String, _ remedy: String
    ) -> InferenceProblem {
        InferenceProblem(
            kind: kind, entityName: property.owningEntity?.name ?? destination.name ?? "", propertyName: property.name,
            reason: reason,
            remedy: remedy)
    }
}
