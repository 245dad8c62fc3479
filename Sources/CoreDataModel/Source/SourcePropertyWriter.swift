/// Writes properties as source elements.
struct SourcePropertyWriter {
    let entity: NSEntityDescription

    private var entityName: String { entity.name ?? "" }

    func attribute(_ attribute: NSAttributeDescription, _ composites: inout SourceCompositeWriter) throws -> SourceElement {
        let compositeName = try (attribute as? NSCompositeAttributeDescription).map {
            try composites.define($0, writer: self)
        }
        let derivation = (attribute as? NSDerivedAttributeDescription)?.derivationExpression.map(SourceDerivation.text)
        let value = try defaultValue(of: attribute)
        guard let limits = SourceLimits.write(attribute) else {
            throw ModelFileError.notExpressible(
                "a validation predicate of attribute '\(attribute.name)' of entity '\(entityName)' is more than a limit.",
                entity: entityName, key: attribute.name)
        }
        let type = attribute.attributeType
        let isTransformable = type == .transformableAttributeType
        // The texts beside a date's intervals are what the editor shows.
        let shown: (String) -> String? = { type == .dateAttributeType ? attribute.sourceAttributes[$0] : nil }
        let indexed = attribute.hasLegacyIndex && !entity.singleAttributeNames.contains(attribute.name)
        let attributes: [(String, String?)] = [
            ("name", attribute.name),
            ("optional", yes(attribute.isOptional)),
            ("transient", yes(attribute.isTransient)),
            ("attributeType", type == .undefinedAttributeType ? nil : SourceSpelling.name(of: type)),
            ("composite", compositeName),
            ("derived", yes(attribute is NSDerivedAttributeDescription)),
            ("derivationExpression", derivation),
            ("minDateTimeInterval", limits[.minDateTimeInterval]),
            ("maxDateTimeInterval", limits[.maxDateTimeInterval]),
            ("minValueString", limits[.minValueString] ?? shown("minValueString")),
            ("maxValueString", limits[.maxValueString] ?? shown("maxValueString")),
            ("defaultDateTimeInterval", value?.interval),
            ("defaultValueString", value?.text ?? shown("defaultValueString")),
            ("regularExpressionString", limits[.regularExpressionString]),
            ("usesScalarValueType", attribute.sourceAttributes["usesScalarValueType"]),
            ("valueTransformerName", attribute.valueTransformerName),
            ("customClassName", isTransformable ? attribute.explicitValueClassName : nil),
            ("allowsExternalBinaryDataStorage", yes(attribute.allowsExternalBinaryDataStorage)),
            ("allowsCloudEncryption", yes(attribute.allowsCloudEncryption)),
            ("spotlightIndexingEnabled", yes(attribute.isIndexedBySpotlight)),
            ("storedInTruthFile", yes(attribute.storesInExternalRecord)),
            ("indexed", yes(indexed)),
            ("elementID", attribute.explicitRenamingIdentifier),
            ("versionHashModifier", attribute.versionHashModifier),
            ("preserveAfterDeletion", yes(attribute.preservesValueInHistoryOnDeletion)),
            ("syncable", attribute.sourceAttributes["syncable"]),
        ]
        return SourceElement(
            "attribute", attributes, children: try SourceEntityWriter.userInfo(attribute.userInfo, entity: entityName, key: attribute.name))
    }

    func relationship(_ relationship: NSRelationshipDescription) throws -> SourceElement {
        let isToMany = relationship.isToMany
        let hasInverse = relationship.inverseRelationshipName != nil
        try refusePredicates(of: relationship)
        let attributes: [(String, String?)] = [
            ("name", relationship.name),
            ("optional", yes(relationship.isOptional)),
            ("transient", yes(relationship.isTransient)),
            ("toMany", yes(isToMany)),
            ("minCount", relationship.minCount == 0 ? nil : String(relationship.minCount)),
            ("maxCount", relationship.maxCount == 0 ? nil : String(relationship.maxCount)),
            ("deletionRule", SourceSpelling.name(of: relationship.deleteRule)),
            ("ordered", yes(relationship.isOrdered)),
            ("destinationEntity", relationship.destinationEntityName),
            ("inverseName", relationship.inverseRelationshipName),
            ("inverseEntity", hasInverse ? inverseEntityName(of: relationship) : nil),
            ("spotlightIndexingEnabled", yes(relationship.isIndexedBySpotlight)),
            ("storedInTruthFile", yes(relationship.storesInExternalRecord)),
            ("indexed", yes(relationship.hasLegacyIndex)),
            ("elementID", relationship.explicitRenamingIdentifier),
            ("versionHashModifier", relationship.versionHashModifier),
            ("syncable", relationship.sourceAttributes["syncable"]),
        ]
        return SourceElement(
            "relationship", attributes,
            children: try SourceEntityWriter.userInfo(relationship.userInfo, entity: entityName, key: relationship.name))
    }

    func fetchedProperty(_ property: NSFetchedPropertyDescription) throws -> SourceElement {
        try refusePredicates(of: property)
        var children = try property.fetchRequest.map {
            [try SourceFetchRequestWriter.element($0, name: "fetchedPropertyFetchRequest")]
        } ?? []
        children += try SourceEntityWriter.userInfo(property.userInfo, entity: entityName, key: property.name)
        return SourceElement(
            "fetchedProperty",
            [
                ("name", property.name), ("optional", yes(property.isOptional)),
                ("elementID", property.explicitRenamingIdentifier), ("syncable", property.sourceAttributes["syncable"]),
            ], children: children)
    }

    private func yes(_ flag: Bool) -> String? { flag ? "YES" : nil }

    private func defaultValue(of attribute: NSAttributeDescription) throws -> (text: String?, interval: String?)? {
        guard let value = attribute.defaultValue else { return nil }
        // The text that was read is kept as long as it still says the value: one number has many spellings.
        if let text = attribute.sourceAttributes["defaultValueString"], attribute.attributeType != .dateAttributeType,
            valuesAreEqual(
                SourceDefaultValue.read(SourceElement("attribute", [("defaultValueString", text)]), type: attribute.attributeType), value)
        {
            return (text, nil)
        }
        guard let texts = SourceDefaultValue.write(value, type: attribute.attributeType) else {
            throw ModelFileError.notExpressible(
                "the default value of attribute '\(attribute.name)' of entity '\(entityName)' has no text.", entity: entityName,
                key: attribute.name)
        }
        return texts
    }

    private func refusePredicates(of property: NSPropertyDescription) throws {
        if property.validationPredicates.isEmpty { return }
        throw ModelFileError.notExpressible(
            "'\(property.name)' of entity '\(entityName)' has validation predicates, and is no attribute.", entity: entityName,
            key: property.name)
    }

    /// The destination, or the entity that the source model named if it is another one of the inheritance chain.
    private func inverseEntityName(of relationship: NSRelationshipDescription) -> String? {
        let destination = relationship.destinationEntity
        if let name = relationship.sourceAttributes["inverseEntity"], let named = entity.owningModel?.entity(named: name),
            let destination, named.isKindOf(entity: destination) || destination.isKindOf(entity: named)
        {
            return name
        }
        return relationship.destinationEntityName
    }
}
