// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension ModelUnarchiver {
    /// Decodes a property without its references to other entities.
    func makeProperty(_ object: KeyedArchiveObject) throws -> NSPropertyDescription {
        let property: NSPropertyDescription
        switch object.className {
        case "NSAttributeDescription":
            property = try fill(NSAttributeDescription(), from: object)
        case "NSDerivedAttributeDescription":
            property = try derivedAttribute(object)
        case "NSCompositeAttributeDescription":
            property = try compositeAttribute(object, depth: 0)
        case "NSRelationshipDescription":
            property = try relationship(object)
        case "NSFetchedPropertyDescription":
            property = NSFetchedPropertyDescription()
        case "NSExpressionDescription":
            property = try expressionDescription(object)
        case "NSPropertyDescription":
            property = NSPropertyDescription()
        default:
            throw keyedArchiveError(
                "the class \"\(object.className)\" (object \(object.index)) is not a property class")
        }
        try fillCommonKeys(property, from: object)
        return property
    }

    private func fillCommonKeys(_ property: NSPropertyDescription, from object: KeyedArchiveObject) throws {
        let name = try object.requiredString("NSPropertyName")
        property.name = name
        property.isOptional = try object.flag("NSIsOptional")
        if !(property is NSFetchedPropertyDescription) { property.isTransient = try object.flag("NSIsTransient") }
        property.isIndexedBySpotlight = try object.flag("NSIndexedBySpotlight")
        property.setHasLegacyIndex(try object.flag("NSIsIndexed"))
        let summary = try object.integer("_P") ?? 0
        if try object.flag(ArchivedPropertySummary.externalRecordKey)
            || summary & ArchivedPropertySummary.externalRecord != 0
        {
            property.setStoredInExternalRecord(true)
        }
        property.versionHashModifier = try object.string("NSVersionHashModifier")
        let renaming = try object.string("NSRenamingIdentifier")
        if renaming != name { property.renamingIdentifier = renaming }
        property.userInfo = try userInfo(of: object)
        let predicates = try object.objects("NSValidationPredicates") ?? []
        let warnings = try object.elements("NSValidationWarnings") ?? []
        guard predicates.count == warnings.count else {
            throw keyedArchiveError(
                """
                the property "\(name)" has \(Wording.count(predicates.count, "predicate")) and \
                \(Wording.count(warnings.count, "warning"))
                """)
        }
        if !predicates.isEmpty {
            property.setValidation(
                predicates: try predicates.map(self.predicates.predicate),
                warnings: try warnings.map { try decode($0) ?? NSNull() })
        }
    }

    private func fill<Attribute: NSAttributeDescription>(
        _ attribute: Attribute, from object: KeyedArchiveObject
    ) throws -> Attribute {
        let type = try attributeType(object, "NSAttributeType")
        attribute.attributeType = type
        let valueClass = try object.string("NSAttributeValueClassName")
        if valueClass != type.defaultValueClassName { attribute.attributeValueClassName = valueClass }
        attribute.defaultValue = try decode(object.value("NSDefaultValue"))
        attribute.valueTransformerName = try object.string("NSValueTransformerName")
        let flags = try object.integer("NSFlagsKey") ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & ArchivedAttributeFlags.externalStorage != 0
        attribute.preservesValueInHistoryOnDeletion = flags & ArchivedAttributeFlags.preservedAfterDeletion != 0
        attribute.allowsCloudEncryption = try object.flag("NSAllowsCloudEncryption")
        return attribute
    }

    private func attributeType(_ object: KeyedArchiveObject, _ key: String) throws -> NSAttributeType {
        guard let raw = UInt(exactly: try object.integer(key) ?? 0), let type = NSAttributeType(rawValue: raw) else {
            throw object.typeMismatch(key, "the number of an attribute type")
        }
        return type
    }

    private func derivedAttribute(_ object: KeyedArchiveObject) throws -> NSDerivedAttributeDescription {
        let attribute = try fill(NSDerivedAttributeDescription(), from: object)
        attribute.derivationExpression = try object.object("NSDerivationExpression").map(predicates.expression)
        attribute.filteringPredicate = try object.object("NSFilteringPredicate").map(predicates.predicate)
        return attribute
    }

    /// Decodes a composite attribute.
    private func compositeAttribute(_ object: KeyedArchiveObject, depth: Int) throws -> NSCompositeAttributeDescription
    {
        guard depth < 32 else { throw keyedArchiveError("composite attributes are nested too deep") }
        let composite = try fill(NSCompositeAttributeDescription(), from: object)
        composite.elements = try (object.objects("NSCompositeElements") ?? []).map { element in
            let made =
                element.className == "NSCompositeAttributeDescription"
                ? try compositeAttribute(element, depth: depth + 1)
                : try fill(NSAttributeDescription(), from: element)
            try fillCommonKeys(made, from: element)
            return made
        }
        return composite
    }

    func expressionDescription(_ object: KeyedArchiveObject) throws -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.expression = try object.object("NSExpression").map(predicates.expression)
        description.expressionResultType = try attributeType(object, "NSExpressionType")
        return description
    }

    // MARK: Relationships

    private func relationship(_ object: KeyedArchiveObject) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.minCount = try object.integer("NSMinCount") ?? 0
        relationship.maxCount = try object.integer("NSMaxCount") ?? 0
        guard let raw = UInt(exactly: try object.integer("NSDeleteRule") ?? 1), let rule = NSDeleteRule(rawValue: raw)
        else {
            throw object.typeMismatch("NSDeleteRule", "a delete rule")
        }
        relationship.deleteRule = rule
        relationship.isOrdered = try object.flag("NSIsOrdered")
        relationships.append((object, relationship))
        return relationship
    }

    /// Connects destinations and inverses: by object if the archive has one, otherwise by name.
    func connectRelationships() throws {
        for (object, relationship) in relationships {
            if let destination = try object.object("NSDestinationEntity") {
                relationship.destinationEntity = try entity(destination)
            } else {
                relationship.destinationEntityName = try object.string("_NSDestinationEntityName")
            }
            if let archived = try object.object("NSInverseRelationship") {
                relationship.inverseRelationship = try inverse(archived, of: relationship)
            } else {
                relationship.inverseRelationshipName = try object.string("_NSInverseRelationshipName")
            }
        }
    }

    private func inverse(
        _ object: KeyedArchiveObject, of relationship: NSRelationshipDescription
    ) throws -> NSRelationshipDescription {
        let target = try underlying(object)
        if let made = (properties[object.index] ?? properties[target.index]) as? NSRelationshipDescription {
            return made
        }
        throw keyedArchiveError(
            "the inverse of the relationship \"\(relationship.name)\" is not a relationship of the model's entities")
    }
}
