import CoreDataPredicates

/// Infers the property mappings of one entity.
struct PropertyInference {
    private let source: NSEntityDescription
    private let destination: NSEntityDescription
    /// Whether there may be objects to migrate: an abstract entity has none of its own.
    private let hasObjects: Bool

    init(from source: NSEntityDescription, to destination: NSEntityDescription) {
        self.source = source
        self.destination = destination
        hasObjects = !source.isAbstract && !destination.isAbstract
    }

    /// The properties that get a value in a migration, by name: transient ones are not stored, derived ones the store
    /// computes.
    static func mapped<Property: NSPropertyDescription>(_ properties: [String: Property]) -> [Property] {
        properties.values.filter { !$0.isTransient && !$0.isReadOnly }.sorted { $0.name.precedesBytewise($1.name) }
    }

    // MARK: Attributes

    func attributeMappings(note: (InferenceProblem) -> Void) -> [NSPropertyMapping] {
        let attributes = Self.mapped(destination.attributesByName)
        // A derived value is stored, so it may become a plain one.
        let candidates = source.attributesByName.filter { !$0.value.isTransient }
        let names = Self.sources(of: attributes, among: Array(candidates.values))
        return attributes.map { attribute in
            guard let found = names[attribute.name].flatMap({ candidates[$0] }) else {
                if let problem = missingValue(attribute, "a new attribute") { note(problem) }
                return NSPropertyMapping(name: attribute.name, valueExpression: nil)
            }
            if !Self.haveSameType(found, attribute) {
                note(
                    problem(
                        .attribute, attribute, "Source and destination attribute types are incompatible",
                        """
                        The type was \(SourceSpelling.name(of: found.attributeType)) and is \
                        \(SourceSpelling.name(of: attribute.attributeType)); give the attribute another name, or \
                        write a mapping model.
                        """
                    ))
            }
            let value = MappingExpressions.sourceValue(at: found.name)
            guard found.isOptional, !attribute.isOptional else {
                return NSPropertyMapping(name: attribute.name, valueExpression: value)
            }
            if let problem = missingValue(attribute, "an optional attribute that becomes required") { note(problem) }
            return NSPropertyMapping(
                name: attribute.name, valueExpression: Self.value(value, orDefault: attribute.defaultValue))
        }
    }

    private func missingValue(_ attribute: NSAttributeDescription, _ what: String) -> InferenceProblem? {
        guard hasObjects, !attribute.isOptional, attribute.defaultValue == nil else { return nil }
        return problem(
            .attribute, attribute, "Validation error missing attribute values on mandatory destination attribute",
            "It is \(what) without a default value; give it one, or make it optional.")
    }

    private static func haveSameType(_ source: NSAttributeDescription, _ destination: NSAttributeDescription) -> Bool {
        guard source.attributeType == destination.attributeType else { return false }
        guard let source = source as? NSCompositeAttributeDescription,
            let destination = destination as? NSCompositeAttributeDescription
        else { return true }
        let elements = Dictionary(source.elements.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        return destination.elements.allSatisfy { element in
            elements[element.name].map { haveSameType($0, element) } ?? true
        }
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

    /// - Parameter fits: whether all objects of a source entity and its subentities can be destinations of a
    ///   relationship to an entity.
    func relationshipMappings(
        fittingDestination fits: (NSEntityDescription, NSEntityDescription) -> Bool, note: (InferenceProblem) -> Void
    ) -> [NSPropertyMapping] {
        let relationships = Self.mapped(destination.relationshipsByName)
        let candidates = source.relationshipsByName.filter { !$0.value.isTransient }
        let names = Self.sources(of: relationships, among: Array(candidates.values))
        return relationships.map { relationship in
            guard let found = names[relationship.name].flatMap({ candidates[$0] }) else {
                if hasObjects, !relationship.isOptional {
                    note(
                        problem(
                            .relationship, relationship,
                            "Validation error missing values on mandatory destination relationship",
                            "It is a new relationship, empty in all objects that are migrated; make it optional."))
                }
                return NSPropertyMapping(name: relationship.name, valueExpression: nil)
            }
            if found.isToMany, !relationship.isToMany {
                note(
                    problem(
                        .relationship, relationship, "A to-many relationship can't become a to-one relationship",
                        "Which of its objects is to stay must be said: write a mapping model."))
            }
            if let before = found.destinationEntity, let after = relationship.destinationEntity, !fits(before, after) {
                note(
                    problem(
                        .relationship, relationship,
                        """
                        The objects of the source relationship's destination entity '\(before.name ?? "")' can't \
                        be destinations of 
                        """
                            + "the relationship, which leads to '\(after.name ?? "")'",
                        "Lead it to the same entity or a parent of it, give it another name, or write a mapping model.")
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
        let ordered = sources.sorted { $0.name.precedesBytewise($1.name) }
        return RenamingKey.sources(of: destinations.map { RenamingKey($0) }, among: ordered.map { RenamingKey($0) })
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
