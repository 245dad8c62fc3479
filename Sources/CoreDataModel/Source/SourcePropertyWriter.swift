// SPDX-License-Identifier: Apache-2.0

/// Writes properties as source elements.
struct SourcePropertyWriter {
    let entity: NSEntityDescription
    let format: SourceFormat
    /// Whether every legacy index flag is written, including flags that a fetch index repeats.
    let writesAllLegacyIndexes: Bool

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
        // The texts beside the intervals of a date are displayed by the editor.
        let displayed: (String) -> String? = { type == .dateAttributeType ? attribute.sourceAttributes[$0] : nil }
        // A reader sets the flag of an attribute that has a fetch index. An element of a composite attribute may have
        // the same name.
        let isImplied =
            !writesAllLegacyIndexes && entity.singleAttributeNames.contains(attribute.name)
            && entity.ownProperties.contains { $0 === attribute }
        let indexed = attribute.hasLegacyIndex && !isImplied
        var children = rules + derivation.arguments
        if let element = value?.element { children.append(element) }
        let attributes: [(String, String?)] = [
            ("name", attribute.name),
            ("optional", yesOrNil(attribute.isOptional)),
            ("transient", yesOrNil(attribute.isTransient)),
            ("attributeType", type == .undefinedAttributeType ? nil : SourceSpelling.name(of: type)),
            ("composite", compositeName),
            ("derived", yesOrNil(attribute is NSDerivedAttributeDescription)),
            ("derivationExpression", derivation.text),
            ("derivationFilter", derivation.filter),
            ("minDateTimeInterval", limits[.minDateTimeInterval]),
            ("maxDateTimeInterval", limits[.maxDateTimeInterval]),
            ("minValueString", limits[.minValueString] ?? displayed("minValueString")),
            ("maxValueString", limits[.maxValueString] ?? displayed("maxValueString")),
            ("defaultDateTimeInterval", value?.interval),
            ("defaultValueString", value?.text ?? displayed("defaultValueString")),
            ("regularExpressionString", limits[.regularExpressionString]),
            ("usesScalarValueType", attribute.sourceAttributes["usesScalarValueType"]),
            ("valueTransformerName", attribute.valueTransformerName),
            ("customClassName", isTransformable || format == .textNotation ? attribute.nondefaultValueClassName : nil),
            ("allowsExternalBinaryDataStorage", yesOrNil(attribute.allowsExternalBinaryDataStorage)),
            ("allowsCloudEncryption", yesOrNil(attribute.allowsCloudEncryption)),
            ("spotlightIndexingEnabled", yesOrNil(attribute.isIndexedBySpotlight)),
            ("storedInTruthFile", yesOrNil(attribute.storesInExternalRecord)),
            ("indexed", yesOrNil(indexed)),
            ("elementID", attribute.explicitRenamingIdentifier),
            ("versionHashModifier", attribute.versionHashModifier),
            ("preserveAfterDeletion", yesOrNil(attribute.preservesValueInHistoryOnDeletion)),
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
            ("optional", yesOrNil(relationship.isOptional)),
            ("transient", yesOrNil(relationship.isTransient)),
            ("toMany", yesOrNil(isToMany)),
            ("minCount", relationship.minCount == 0 ? nil : String(relationship.minCount)),
            ("maxCount", relationship.maxCount == 0 ? nil : String(relationship.maxCount)),
            ("deletionRule", SourceSpelling.name(of: relationship.deleteRule)),
            ("ordered", yesOrNil(relationship.isOrdered)),
            ("destinationEntity", relationship.destinationEntityName),
            ("inverseName", relationship.inverseRelationshipName),
            ("inverseEntity", hasInverse ? inverseEntityName(of: relationship) : nil),
            ("spotlightIndexingEnabled", yesOrNil(relationship.isIndexedBySpotlight)),
            ("storedInTruthFile", yesOrNil(relationship.storesInExternalRecord)),
            ("indexed", yesOrNil(relationship.hasLegacyIndex)),
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
                request, name: "fetchedPropertyFetchRequest", format: format)
            guard format == .xml || element["entity"] != nil else {
                throw ModelFileError.notExpressible(
                    "the request of fetched property '\(property.name)' of entity '\(entityName)' has no entity.",
                    entity: entityName,
                    key: property.name)
            }
            children.insert(element, at: 0)
        }
        children += try userInfo(of: property)
        var attributes: [(String, String?)] = [
            ("name", property.name), ("optional", yesOrNil(property.isOptional)),
            ("elementID", property.explicitRenamingIdentifier), ("syncable", property.sourceAttributes["syncable"]),
        ]
        if format == .textNotation {
            attributes += [
                ("transient", property.isTransient ? nil : "NO"),
                ("spotlightIndexingEnabled", yesOrNil(property.isIndexedBySpotlight)),
                ("storedInTruthFile", yesOrNil(property.storesInExternalRecord)),
                ("indexed", yesOrNil(property.hasLegacyIndex)),
                ("versionHashModifier", property.versionHashModifier),
            ]
        }
        return SourceElement("fetchedProperty", attributes, children: children)
    }

    private func yesOrNil(_ flag: Bool) -> String? { flag ? "YES" : nil }

    private func userInfo(of property: NSPropertyDescription) throws -> [SourceElement] {
        try SourceEntityWriter.userInfo(property.userInfo, entity: entityName, key: property.name, format: format)
    }

    private func check(_ property: NSPropertyDescription) -> SourceTextRoundTrip {
        SourceTextRoundTrip(entity: entityName, key: property.name, isExact: format == .textNotation)
    }

    private func derivation(
        of attribute: NSAttributeDescription
    ) throws -> (text: String?, filter: String?, arguments: [SourceElement]) {
        guard let derived = attribute as? NSDerivedAttributeDescription else { return (nil, nil, []) }
        let text = try check(attribute).expression(derived.derivationExpression)
        if format == .xml { return (text, nil, []) }
        let filter = try check(attribute).predicate(derived.filteringPredicate, "derivationFilter")
        return (text, filter.text, filter.arguments)
    }

    private func defaultValue(
        of attribute: NSAttributeDescription
    ) throws -> (text: String?, interval: String?, element: SourceElement?)? {
        guard let value = attribute.defaultValue else { return nil }
        let type = attribute.attributeType
        func isRead(_ text: String) -> Bool { valuesAreEqual(SourceText.value(of: text, type: type), value) }
        // The text that was read is written back if it still has the same value, because a number can be written in
        // several ways.
        if type != .dateAttributeType, let text = attribute.sourceAttributes["defaultValueString"], isRead(text) {
            return (text, nil, nil)
        }
        if let text = SourceText.text(of: value, type: type), format == .xml || isRead(text) {
            return type == .dateAttributeType ? (nil, text, nil) : (text, nil, nil)
        }
        guard format == .textNotation, let element = SourceValue.element("defaultValue", value) else {
            throw ModelFileError.notExpressible(
                "the default value of attribute '\(attribute.name)' of entity '\(entityName)' has no text form.",
                entity: entityName,
                key: attribute.name)
        }
        return (nil, nil, element)
    }

    /// The limits of an attribute. In the text notation also the predicates that follow them.
    private func validation(
        of attribute: NSAttributeDescription
    ) throws -> (limits: [SourceLimits.Attribute: String], rules: [SourceElement]) {
        if format == .xml {
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
        // As many predicates as possible are written as limits, if these are read as the same predicates in the same
        // order.
        for count in stride(from: all.count, through: 1, by: -1) {
            guard let limits = SourceLimits.write(Array(all[..<count]), type: attribute.attributeType) else { continue }
            let element = SourceElement("attribute", limits.map { ($0.key.rawValue, $0.value) })
            let again = SourceLimits.read(element, type: attribute.attributeType)
            let isEqual =
                again.count == count
                && zip(again, all).allSatisfy { limit, rule in
                    limit.predicate.structurallyEquals(rule.predicate)
                        && valuesAreEqual(NSNumber(value: limit.code), rule.warning)
                }
            if isEqual { return (limits, try all[count...].map { try rule($0.predicate, $0.warning, attribute) }) }
        }
        return ([:], try all.map { try rule($0.predicate, $0.warning, attribute) })
    }

    private func rule(_ predicate: NSPredicate, _ warning: Any, _ property: NSPropertyDescription) throws
        -> SourceElement
    {
        guard let element = SourceValue.element("validation", warning) else {
            throw check(property).notRepresentable("a validation warning")
        }
        let (text, arguments) = try check(property).predicate(predicate, "predicate")
        return SourceElement(
            "validation", [("predicate", text)] + element.attributes.map { ($0.name, $0.value) },
            children: element.children + arguments)
    }

    /// The predicates of a property that is not an attribute.
    private func rules(of property: NSPropertyDescription) throws -> [SourceElement] {
        if property.validationPredicates.isEmpty { return [] }
        if format == .textNotation {
            return try zip(property.validationPredicates, property.validationWarnings).map {
                try rule($0, $1, property)
            }
        }
        throw ModelFileError.notExpressible(
            "'\(property.name)' of entity '\(entityName)' has validation predicates, but is not an attribute.",
            entity: entityName,
            key: property.name)
    }

    /// The destination, or the entity of the same hierarchy that the source model named.
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
