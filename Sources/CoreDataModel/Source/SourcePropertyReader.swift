// SPDX-License-Identifier: Apache-2.0

/// Reads the properties of an entity.
struct SourcePropertyReader {
    let context: SourceReadingContext
    let entityName: String

    /// The property that an element describes; nil for other elements.
    func read(_ element: SourceElement) throws -> NSPropertyDescription? {
        let property: NSPropertyDescription
        switch element.name {
        case "attribute": property = try attribute(element, depth: 0)
        case "relationship": property = try relationship(element)
        case "fetchedProperty": property = try fetchedProperty(element)
        default: return nil
        }
        return property
    }

    /// Reads the options that only the text notation can represent. Their validation predicates follow the predicates
    /// of the limits.
    private func readTextNotation(_ element: SourceElement, into property: NSPropertyDescription) throws {
        guard context.format == .textNotation else { return }
        let rules = element.children(named: "validation")
        if !rules.isEmpty {
            let subject = "property '\(property.name)' of entity '\(entityName)'"
            let predicates = try rules.map {
                try context.predicate(
                    $0["predicate"] ?? "", of: subject, $0, "predicate", entity: entityName, key: property.name)
            }
            property.setValidation(
                predicates: property.validationPredicates + predicates,
                warnings: property.validationWarnings + (try rules.map(context.value)))
        }
        guard let attribute = property as? NSAttributeDescription else { return }
        if let value = element.child(named: "defaultValue") { attribute.defaultValue = try context.value(value) }
        if let name = element.text("customClassName") { attribute.attributeValueClassName = name }
        if let derived = attribute as? NSDerivedAttributeDescription, let text = element.text("derivationFilter") {
            derived.filteringPredicate = try context.predicate(
                text, of: "attribute '\(attribute.name)' of entity '\(entityName)'", element, "derivationFilter",
                entity: entityName,
                key: attribute.name)
        }
    }

    private func readCommon(_ element: SourceElement, into property: NSPropertyDescription) throws {
        property.name = try context.required("name", of: element, entity: entityName, key: nil)
        property.sourceLine = element.line
        property.isOptional = element.isTrue("optional")
        if element.name != "fetchedProperty" {
            property.isTransient = element.isTrue("transient")
        } else if context.format == .textNotation {
            property.isTransient = element.isTrue("transient", whenAbsent: true)
        }
        property.setHasLegacyIndex(element.isTrue("indexed"))
        property.isIndexedBySpotlight = element.isTrue("spotlightIndexingEnabled")
        property.setStoredInExternalRecord(element.isTrue("storedInTruthFile"))
        property.versionHashModifier = element.text("versionHashModifier")
        property.renamingIdentifier = element.text("elementID")
        property.userInfo = try context.userInfo(element)
        for name in SourceEditorAttributes.property {
            if let value = element[name] { property.sourceAttributes[name] = value }
        }
    }

    private func attribute(_ element: SourceElement, depth: Int) throws -> NSAttributeDescription {
        let name = try context.required("name", of: element, entity: entityName, key: nil)
        let typeName = element.text("attributeType") ?? "Undefined"
        guard let type = SourceSpelling.attributeType(named: typeName) else {
            throw context.corrupt(
                "attribute '\(name)' of entity '\(entityName)' has the unknown type '\(typeName)'", element,
                entity: entityName, key: name)
        }
        let attribute: NSAttributeDescription
        if element.isTrue("derived") || element.text("derivationExpression") != nil {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpression = try derivation(element, name)
            attribute = derived
        } else if type == .compositeAttributeType {
            attribute = try composite(element, name: name, depth: depth)
        } else {
            attribute = NSAttributeDescription()
            attribute.defaultValue = SourceText.defaultValue(element, type)
        }
        attribute.attributeType = type
        try readCommon(element, into: attribute)
        if type == .transformableAttributeType { attribute.attributeValueClassName = element.text("customClassName") }
        attribute.valueTransformerName = element.text("valueTransformerName")
        attribute.allowsExternalBinaryDataStorage = element.isTrue("allowsExternalBinaryDataStorage")
        attribute.preservesValueInHistoryOnDeletion = element.isTrue("preserveAfterDeletion")
        attribute.allowsCloudEncryption = element.isTrue("allowsCloudEncryption")
        let limits = SourceLimits.read(element, type: type)
        attribute.setValidation(predicates: limits.map(\.predicate), warnings: limits.map { NSNumber(value: $0.code) })
        try readTextNotation(element, into: attribute)
        return attribute
    }

    private func derivation(_ element: SourceElement, _ name: String) throws -> NSExpression? {
        guard let text = element.text("derivationExpression") else { return nil }
        return try context.expression(
            text, of: "attribute '\(name)' of entity '\(entityName)'", element, entity: entityName, key: name)
    }

    private func composite(_ element: SourceElement, name: String, depth: Int) throws -> NSCompositeAttributeDescription
    {
        let composite = NSCompositeAttributeDescription()
        let typeName = try context.required("composite", of: element, entity: entityName, key: name)
        guard let definition = context.composites[typeName] else {
            throw context.corrupt(
                "the composite '\(typeName)' of attribute '\(name)' of entity '\(entityName)' is not in the model",
                element,
                entity: entityName, key: name)
        }
        guard depth < SourceReadingContext.compositeDepthLimit else {
            throw context.corrupt(
                "the composite '\(typeName)' of entity '\(entityName)' contains itself", element, entity: entityName,
                key: name)
        }
        composite.compositeName = typeName
        var names: Set<String> = []
        composite.elements = try definition.children(named: "attribute").map { child in
            do { try context.compositeBudget.spend() } catch {
                throw context.corrupt(
                    "the composite '\(typeName)' of entity '\(entityName)' has too many elements", element,
                    entity: entityName, key: name)
            }
            let element = try attribute(child, depth: depth + 1)
            guard names.insert(element.name).inserted else {
                throw context.corrupt(
                    "two elements of the composite '\(typeName)' are named '\(element.name)'", child,
                    entity: entityName, key: name)
            }
            return element
        }
        return composite
    }

    private func relationship(_ element: SourceElement) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        try readCommon(element, into: relationship)
        let name = relationship.name
        relationship.destinationEntityName = try context.required(
            "destinationEntity", of: element, entity: entityName, key: name)
        relationship.inverseRelationshipName = element.text("inverseName")
        relationship.maxCount = try count("maxCount", element, name) ?? (element.isTrue("toMany") ? 0 : 1)
        relationship.minCount = try count("minCount", element, name) ?? 0
        relationship.isOrdered = element.isTrue("ordered")
        let ruleName = element.text("deletionRule") ?? "Nullify"
        guard let rule = SourceSpelling.deleteRule(named: ruleName) else {
            throw context.corrupt(
                "relationship '\(name)' of entity '\(entityName)' has the unknown deletion rule '\(ruleName)'", element,
                entity: entityName, key: name)
        }
        relationship.deleteRule = rule
        try readTextNotation(element, into: relationship)
        return relationship
    }

    private func count(_ attribute: String, _ element: SourceElement, _ name: String) throws -> Int? {
        guard let text = element.text(attribute) else { return nil }
        guard let count = SourceText.count(text) else {
            throw context.corrupt(
                "\(attribute) '\(text)' of relationship '\(name)' of entity '\(entityName)' is not a number", element,
                entity: entityName, key: name)
        }
        return count
    }

    private func fetchedProperty(_ element: SourceElement) throws -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        try readCommon(element, into: property)
        if let request = element.child(named: "fetchRequest") {
            property.fetchRequest = try SourceFetchRequestReader(context: context).read(
                request, subject: "fetched property '\(property.name)' of entity '\(entityName)'", entity: entityName,
                key: property.name)
        }
        try readTextNotation(element, into: property)
        return property
    }
}
