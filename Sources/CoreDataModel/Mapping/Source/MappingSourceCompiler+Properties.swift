import CoreDataPredicates

extension MappingSourceCompiler {
    /// Gives an entity mapping the mappings of its properties, in the order of their names.
    func fillProperties(of mapping: NSEntityMapping, from object: MappingSourceObject) throws {
        let destinationEntity = mapping.destinationEntityName.flatMap(destination.entity(named:))
        let sourceEntity = mapping.sourceEntityName.flatMap(source.entity(named:))
        let attributes = try related(object, "attributemappings", MappingSourceObject.attributeMappingType)
        mapping.attributeMappings = try attributes.map { attribute in
            let (made, property) = try propertyMapping(attribute, of: destinationEntity, mapping)
            try made.valueExpression =
                expression(
                    attribute, "valueexpressiondata", entity: destinationEntity?.name, property: made.name)
                ?? Self.attributeSource(of: property, in: sourceEntity)
            return made
        }.sorted(by: Self.byName)
        let relationships = try related(object, "relationshipmappings", MappingSourceObject.relationshipMappingType)
        mapping.relationshipMappings = try relationships.map { relationship in
            let (made, property) = try propertyMapping(relationship, of: destinationEntity, mapping)
            try made.valueExpression =
                expression(
                    relationship, "valueexpressiondata", entity: destinationEntity?.name, property: made.name)
                ?? relationshipValue(relationship, property as? NSRelationshipDescription, from: sourceEntity)
            return made
        }.sorted(by: Self.byName)
    }

    private static func byName(_ left: NSPropertyMapping, _ right: NSPropertyMapping) -> Bool {
        (left.name ?? "").precedesBytewise(right.name ?? "")
    }

    private func propertyMapping(
        _ object: MappingSourceObject, of entity: NSEntityDescription?, _ mapping: NSEntityMapping
    ) throws -> (NSPropertyMapping, NSPropertyDescription?) {
        let entityName = entity?.name ?? mapping.sourceEntityName
        guard let name = object.text("name") else {
            throw corrupt(
                "a property mapping of '\(mapping.name ?? "")' has no name", object, entity: entityName, key: "name")
        }
        let property = entity?.property(named: name)
        guard entity == nil || property != nil else {
            let question = NearestNames.question(for: name, in: entity?.propertiesByName.keys.sorted() ?? [])
            throw corrupt(
                """
                the mapping '\(mapping.name ?? "")' maps '\(name)', which is no property of the destination entity \
                '\(entityName ?? "")'.\(question)
                """,
                object, entity: entityName, key: name)
        }
        let made = NSPropertyMapping()
        made.name = name
        made.userInfo = try userInfo(object, entity: entityName, property: name)
        return (made, property)
    }

    // MARK: Values that the editor left open

    /// `$source.name` for an attribute that the source entity has.
    private static func attributeSource(of property: NSPropertyDescription?, in entity: NSEntityDescription?)
        -> NSExpression?
    {
        guard let property, let found = counterpart(of: property, among: entity?.attributesByName ?? [:]) else {
            return nil
        }
        return MappingExpressions.sourceValue(at: found.name)
    }

    /// The property of the same name, or the one that has the same renaming identifier.
    private static func counterpart<Property: NSPropertyDescription>(
        of property: NSPropertyDescription, among properties: [String: Property]
    ) -> Property? {
        properties[property.name]
            ?? properties.values.filter { $0.renamingIdentifier == property.renamingIdentifier }
            .min { $0.name.precedesBytewise($1.name) }
    }

    private func relationshipValue(
        _ object: MappingSourceObject, _ relationship: NSRelationshipDescription?, from entity: NSEntityDescription?
    ) throws -> NSExpression? {
        guard let relationship else { return nil }
        let name = relationship.name
        let found = Self.counterpart(of: relationship, among: entity?.relationshipsByName ?? [:])
        let keyPath = try sourceKeyPath(object, relationship: name)
        guard let sources = keyPath ?? found.map({ MappingExpressions.sourceValue(at: $0.name) }) else {
            guard object.text("sourcemappingname") == nil else {
                // A mapping named without a key path: the relationship's own name is the path.
                return MappingExpressions.destinations(
                    ofMapping: try sourceMappingName(object, relationship: name) ?? "",
                    sources: MappingExpressions.sourceValue(at: name))
            }
            return nil
        }
        if let mapping = try sourceMappingName(object, relationship: name) {
            return MappingExpressions.destinations(ofMapping: mapping, sources: sources)
        }
        guard keyPath != nil || object.flag("autogenerateexpression", whenAbsent: true) else { return nil }
        return automaticValue(of: relationship, sourceName: found?.name ?? name, sources: sources)
    }

    /// By the one mapping that makes objects of the destination entity; where several do, the migration finds the right
    /// one.
    private func automaticValue(
        of relationship: NSRelationshipDescription, sourceName: String, sources: NSExpression
    ) -> NSExpression? {
        guard let target = relationship.destinationEntity?.name, let names = makers[target] else { return nil }
        return names.count == 1
            ? MappingExpressions.destinations(ofMapping: names[0], sources: sources)
            : MappingExpressions.destinations(ofSourceRelationship: sourceName, sources: sources)
    }

    private func sourceKeyPath(_ object: MappingSourceObject, relationship: String) throws -> NSExpression? {
        guard let text = object.text("sourcekeypath") else { return nil }
        do {
            return try NSExpression.parse(text)
        } catch {
            throw corrupt(
                "the source key path of '\(relationship)' is no expression: \(error)", object, key: relationship)
        }
    }

    private func sourceMappingName(_ object: MappingSourceObject, relationship: String) throws -> String? {
        guard let name = object.text("sourcemappingname") else { return nil }
        guard names.contains(name) else {
            let question = NearestNames.question(for: name, in: names)
            throw corrupt(
                """
                the relationship '\(relationship)' refers to the entity mapping '\(name)', which there \
                isn't.\(question)
                """,
                object, key: relationship)
        }
        return name
    }
}
