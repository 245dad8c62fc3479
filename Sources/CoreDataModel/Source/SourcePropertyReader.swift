/// Reads the properties of an entity.
struct SourcePropertyReader {
    let context: SourceReadingContext
    let entityName: String

    /// The property that an element describes; nil if the element is no property.
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

    private func readCommon(_ element: SourceElement, into property: NSPropertyDescription) throws {
        property.name = try context.required("name", of: element, entity: entityName, key: nil)
        property.sourceLine = element.line
        property.isOptional = element.isTrue("optional")
        if element.name != "fetchedProperty" { property.isTransient = element.isTrue("transient") }
        property.setHasLegacyIndex(element.isTrue("indexed"))
        property.isIndexedBySpotlight = element.isTrue("spotlightIndexingEnabled")
        property.setStoredInExternalRecord(element.isTrue("storedInTruthFile"))
        property.versionHashModifier = element.text("versionHashModifier")
        property.renamingIdentifier = element.text("elementID")
        property.userInfo = context.userInfo(element)
        for name in SourceEditorAttributes.property {
            if let value = element[name] { property.sourceAttributes[name] = value }
        }
    }

    private func attribute(_ element: SourceElement, depth: Int) throws -> NSAttributeDescription {
        let name = try context.required("name", of: element, entity: entityName, key: nil)
        let typeName = element.text("attributeType") ?? "Undefined"
        guard let type = SourceSpelling.attributeType(named: typeName) else {
            throw context.corrupt(
                "attribute '\(name)' of entity '\(entityName)' has the unknown type '\(typeName)'", element, entity: entityName, key: name)
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
            attribute.defaultValue = SourceDefaultValue.read(element, type: type)
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
        return attribute
    }

    private func derivation(_ element: SourceElement, _ name: String) throws -> NSExpression? {
        guard let text = element.text("derivationExpression") else { return nil }
        do {
            return try SourceDerivation.read(text)
        } catch {
            throw context.corrupt(
                "the derivation '\(text)' of attribute '\(name)' of entity '\(entityName)' is no expression: \(error)", element,
                entity: entityName, key: name)
        }
    }

    private func composite(_ element: SourceElement, name: String, depth: Int) throws -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        let typeName = try context.required("composite", of: element, entity: entityName, key: name)
        guard let definition = context.composites[typeName] else {
            throw context.corrupt(
                "the composite '\(typeName)' of attribute '\(name)' of entity '\(entityName)' is not in the model", element,
                entity: entityName, key: name)
        }
        guard depth < SourceReadingContext.compositeDepthLimit else {
            throw context.corrupt(
                "the composite '\(typeName)' of entity '\(entityName)' contains itself", element, entity: entityName, key: name)
        }
        composite.compositeName = typeName
        composite.elements = try definition.children(named: "attribute").map { try attribute($0, depth: depth + 1) }
        return composite
    }

    private func relationship(_ element: SourceElement) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        try readCommon(element, into: relationship)
        let name = relationship.name
        relationship.destinationEntityName = try context.required("destinationEntity", of: element, entity: entityName, key: name)
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
        return relationship
    }

    private func count(_ attribute: String, _ element: SourceElement, _ name: String) throws -> Int? {
        guard let text = element.text(attribute) else { return nil }
        guard let count = SourceNumber.count(text) else {
            throw context.corrupt(
                "\(attribute) '\(text)' of relationship '\(name)' of entity '\(entityName)' is no number", element,
                entity: entityName, key: name)
        }
        return count
    }

    private func fetchedProperty(_ element: SourceElement) throws -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        try readCommon(element, into: property)
        if let request = element.child(named: "fetchRequest") {
            property.fetchRequest = try SourceFetchRequestReader(context: context).read(
                request, subject: "fetched property '\(property.name)' of entity '\(entityName)'", entity: entityName, key: property.name)
        }
        return property
    }
}
