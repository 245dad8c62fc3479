/// Writes properties as source elements.
struct SourcePropertyWriter {
    let entity: NSEntityDescription
    let dialect: SourceDialect
    /// Whether every old index flag is said, not only those that no index repeats.
    let keepsOldIndexForms: Bool

    private var entityName: String { entity.name ?? "" }

    func attribute(_ attribute: NSAttributeDescription, _ composites: inout SourceCompositeWriter) throws
        -> SourceElement
    {
        let compositeName = try (attribute as? NSCompositeAttributeDescription).map {
            try composites.define($0, writer: self)
        }
        let derivation = try self.derivation(of: attribute)
        let value = try defaultValue(of: attribute)
        let (limits, rules) = try validation(of: attribute)
        let type = attribute.attributeType
        let isTransformable = type == .transformableAttributeType
        // The texts beside a date's intervals are what the editor shows.
        let shown: (String) -> String? = { type == .dateAttributeType ? attribute.sourceAttributes[$0] : nil }
        let indexed =
            attribute.hasLegacyIndex && (keepsOldIndexForms || !entity.singleAttributeNames.contains(attribute.name))
        var children = rules + derivation.arguments
        if let element = value?.element { children.append(element) }
        let attributes: [(String, String?)] = [
            ("name", attribute.name),
            ("optional", yes(attribute.isOptional)),
            ("transient", yes(attribute.isTransient)),
            ("attributeType", type == .undefinedAttributeType ? nil : SourceSpelling.name(of: type)),
            ("composite", compositeName),
            ("derived", yes(attribute is NSDerivedAttributeDescription)),
            ("derivationExpression", derivation.text),
            ("derivationFilter", derivation.filter),
            ("minDateTimeInterval", limits[.minDateTimeInterval]),
            ("maxDateTimeInterval", limits[.maxDateTimeInterval]),
            ("minValueString", limits[.minValueString] ?? shown("minValueString")),
            ("maxValueString", limits[.maxValueString] ?? shown("maxValueString")),
            ("defaultDateTimeInterval", value?.interval),
            ("defaultValueString", value?.text ?? shown("defaultValueString")),
            ("regularExpressionString", limits[.regularExpressionString]),
            ("usesScalarValueType", attribute.sourceAttributes["usesScalarValueType"]),
            ("valueTransformerName", attribute.valueTransformerName),
            ("customClassName", isTransformable || dialect == .notation ? attribute.unimpliedValueClassName : nil),
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
            "attribute", attributes, children: children + (try userInfo(of: attribute)))
    }

    func relationship(_ relationship: NSRelationshipDescription) throws -> SourceElement {
        let isToMany = relationship.isToMany
        let hasInverse = relationship.inverseRelationshipName != nil
        let rules = try rules(of: relationship)
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
            "relationship", attributes, children: rules + (try userInfo(of: relationship)))
    }

    func fetchedProperty(_ property: NSFetchedPropertyDescription) throws -> SourceElement {
        var children = try rules(of: property)
        if let request = property.fetchRequest {
            let element = try SourceFetchRequestWriter.element(
                request, name: "fetchedPropertyFetchRequest", dialect: dialect)
            guard dialect == .xml || element["entity"] != nil else {
                throw ModelFileError.notExpressible(
                    "the request of fetched property '\(property.name)' of entity '\(entityName)' has no entity.",
                    entity: entityName,
                    key: property.name)
            }
            children.insert(element, at: 0)
        }
        children += try userInfo(of: property)
        var attributes: [(String, String?)] = [
            ("name", property.name), ("optional", yes(property.isOptional)),
            ("elementID", property.explicitRenamingIdentifier), ("syncable", property.sourceAttributes["syncable"]),
        ]
        if dialect == .notation {
            attributes += [
                ("transient", property.isTransient ? nil : "NO"),
                ("spotlightIndexingEnabled", yes(property.isIndexedBySpotlight)),
                ("storedInTruthFile", yes(property.storesInExternalRecord)),
                ("indexed", yes(property.hasLegacyIndex)),
                ("versionHashModifier", property.versionHashModifier),
            ]
        }
        return SourceElement("fetchedProperty", attributes, children: children)
    }

    private func yes(_ flag: Bool) -> String? { flag ? "YES" : nil }

    private func userInfo(of property: NSPropertyDescription) throws -> [SourceElement] {
        try SourceEntityWriter.userInfo(property.userInfo, entity: entityName, key: property.name, dialect: dialect)
    }

    private func check(_ property: NSPropertyDescription) -> SourceTextCheck {
        SourceTextCheck(entity: entityName, key: property.name, isExact: dialect == .notation)
    }

    private func derivation(
        of attribute: NSAttributeDescription
    ) throws -> (text: String?, filter: String?, arguments: [SourceElement]) {
        guard let derived = attribute as? NSDerivedAttributeDescription else { return (nil, nil, []) }
        let text = try check(attribute).expression(derived.derivationExpression)
        if dialect == .xml { return (text, nil, []) }
        let filter = try check(attribute).predicate(derived.filteringPredicate, "derivationFilter")
        return (text, filter.text, filter.arguments)
    }

    private func defaultValue(
        of attribute: NSAttributeDescription
    ) throws -> (text: String?, interval: String?, element: SourceElement?)? {
        guard let value = attribute.defaultValue else { return nil }
        // The text that was read is kept as long as it still says the value: one number has many spellings.
        if let text = attribute.sourceAttributes["defaultValueString"], attribute.attributeType != .dateAttributeType,
            valuesAreEqual(
                SourceDefaultValue.read(
                    SourceElement("attribute", [("defaultValueString", text)]), type: attribute.attributeType), value)
        {
            return (text, nil, nil)
        }
        if let texts = SourceDefaultValue.write(value, type: attribute.attributeType),
            dialect == .xml || gives(texts, value, attribute)
        {
            return (texts.text, texts.interval, nil)
        }
        guard dialect == .notation, let element = SourceValue.element("defaultValue", value) else {
            throw ModelFileError.notExpressible(
                "the default value of attribute '\(attribute.name)' of entity '\(entityName)' has no text.",
                entity: entityName,
                key: attribute.name)
        }
        return (nil, nil, element)
    }

    /// Whether the attributes that say a default give it again.
    private func gives(_ texts: (text: String?, interval: String?), _ value: Any, _ attribute: NSAttributeDescription)
        -> Bool
    {
        let element = SourceElement(
            "attribute", [("defaultValueString", texts.text), ("defaultDateTimeInterval", texts.interval)])
        return valuesAreEqual(SourceDefaultValue.read(element, type: attribute.attributeType), value)
    }

    /// The limits of an attribute, and for the notation the other predicates that follow them.
    private func validation(
        of attribute: NSAttributeDescription
    ) throws -> (limits: [SourceLimits.Attribute: String], rules: [SourceElement]) {
        if dialect == .xml {
            guard let limits = SourceLimits.write(attribute) else {
                throw ModelFileError.notExpressible(
                    """
                    a validation predicate of attribute '\(attribute.name)' of entity '\(entityName)' is more than \
                    a limit.
                    """,
                    entity: entityName, key: attribute.name)
            }
            return (limits, [])
        }
        let all = Array(zip(attribute.validationPredicates, attribute.validationWarnings)).map {
            (predicate: $0, warning: $1)
        }
        // As many as possible are limits, as long as these give the same predicates in the same order.
        for count in stride(from: all.count, through: 1, by: -1) {
            guard let limits = SourceLimits.write(Array(all[..<count]), type: attribute.attributeType) else { continue }
            let element = SourceElement("attribute", limits.map { ($0.key.rawValue, $0.value) })
            let again = SourceLimits.read(element, type: attribute.attributeType)
            let isSame =
                again.count == count
                && zip(again, all).allSatisfy { limit, rule in
                    limit.predicate.structurallyEquals(rule.predicate)
                        && valuesAreEqual(NSNumber(value: limit.code), rule.warning)
                }
            if isSame { return (limits, try all[count...].map { try rule($0.predicate, $0.warning, attribute) }) }
        }
        return ([:], try all.map { try rule($0.predicate, $0.warning, attribute) })
    }

    private func rule(_ predicate: NSPredicate, _ warning: Any, _ property: NSPropertyDescription) throws
        -> SourceElement
    {
        guard let element = SourceValue.element("validation", warning) else {
            throw check(property).refusal("a validation warning")
        }
        let (text, arguments) = try check(property).predicate(predicate, "predicate")
        return SourceElement(
            "validation", [("predicate", text)] + element.attributes.map { ($0.name, $0.value) },
            children: element.children + arguments)
    }

    /// The predicates of a property that is no attribute.
    private func rules(of property: NSPropertyDescription) throws -> [SourceElement] {
        if property.validationPredicates.isEmpty { return [] }
        if dialect == .notation {
            return try zip(property.validationPredicates, property.validationWarnings).map {
                try rule($0, $1, property)
            }
        }
        throw ModelFileError.notExpressible(
            "'\(property.name)' of entity '\(entityName)' has validation predicates, and is no attribute.",
            entity: entityName,
            key: property.name)
    }

    /// The destination, or the entity that the source model named if it is another one of the inheritance chain.
    private func inverseEntityName(of relationship: NSRelationshipDescription) -> String? {
        let destination = relationship.destinationEntity
        if let name = relationship.sourceAttributes["inverseEntity"],
            let named = entity.owningModel?.entity(named: name),
            let destination, named.isKindOf(entity: destination) || destination.isKindOf(entity: named)
        {
            return name
        }
        return relationship.destinationEntityName
    }
}
