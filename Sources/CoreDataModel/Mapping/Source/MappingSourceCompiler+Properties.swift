// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension MappingSourceCompiler {
    /// Sets the property mappings of an entity mapping, sorted by name.
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
        }.sortedBytewise { $0.name ?? "" }
        let relationships = try related(object, "relationshipmappings", MappingSourceObject.relationshipMappingType)
        mapping.relationshipMappings = try relationships.map { relationship in
            let (made, property) = try propertyMapping(relationship, of: destinationEntity, mapping)
            try made.valueExpression =
                expression(
                    relationship, "valueexpressiondata", entity: destinationEntity?.name, property: made.name)
                ?? relationshipValue(relationship, property as? NSRelationshipDescription, from: sourceEntity)
            return made
        }.sortedBytewise { $0.name ?? "" }
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
            let question = NearestNames.suggestion(for: name, in: entity?.propertiesByName.keys.sorted() ?? [])
            throw corrupt(
                """
                the mapping '\(mapping.name ?? "")' maps '\(name)', which is not a property of the destination entity \
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

    /// `$source.name`, if the source entity has the attribute.
    private static func attributeSource(of property: NSPropertyDescription?, in entity: NSEntityDescription?)
        -> NSExpression?
    {
        guard let property, let found = counterpart(of: property, among: entity?.attributesByName ?? [:]) else {
            return nil
        }
        return MappingExpressions.sourceValue(at: found.name)
    }

    /// The property with the same name; otherwise the property with the same renaming identifier.
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
                // A mapping name without a key path: the relationship's name is the key path.
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

    /// The value from the only mapping that makes objects of the destination entity. If there are several, the
    /// migration selects one for each object.
    private func automaticValue(
        of relationship: NSRelationshipDescription, sourceName: String, sources: NSExpression
    ) -> NSExpression? {
        guard let target = relationship.destinationEntity?.name, let names = mappingNamesByDestination[target] else {
            return nil
        }
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
                "the source key path of '\(relationship)' is not an expression: \(error)", object, key: relationship)
        }
    }

    private func sourceMappingName(_ object: MappingSourceObject, relationship: String) throws -> String? {
        guard let name = object.text("sourcemappingname") else { return nil }
        guard names.contains(name) else {
            let question = NearestNames.suggestion(for: name, in: names)
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
