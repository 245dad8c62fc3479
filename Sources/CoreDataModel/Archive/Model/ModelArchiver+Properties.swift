// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension ModelArchiver {
    /// Writes a property of an entity, which declares or inherits it.
    func write(_ property: NSPropertyDescription, of entity: NSEntityDescription, at reference: PropertyListValue)
        throws
    {
        let owner = "the property \"\(property.name)\" of the entity \"\(entity.name ?? "")\""
        var entries = try commonEntries(of: property, entity: entity, owner: owner)
        let archivedClass: KeyedArchiveClass
        switch property {
        case let attribute as NSAttributeDescription:
            (archivedClass, entries) = try attributeEntries(of: attribute, after: entries, owner: owner)
        case let relationship as NSRelationshipDescription:
            archivedClass = KeyedArchiveClass("NSRelationshipDescription", "NSPropertyDescription")
            entries += relationshipEntries(of: relationship)
        case let fetched as NSFetchedPropertyDescription:
            archivedClass = KeyedArchiveClass("NSFetchedPropertyDescription", "NSPropertyDescription")
            let description = fetched.fetchRequest?.fetchDescription
            entries.append(
                ("NSFetchRequest", try description.map { try add($0, owner: owner) } ?? KeyedArchiveWriter.null))
            entries.append(("_NSFetchRequestEntityName", writer.add(string: description?.entityName)))
        case let expression as NSExpressionDescription:
            archivedClass = KeyedArchiveClass("NSExpressionDescription", "NSPropertyDescription")
            entries += try expressionEntries(of: expression, owner: owner)
        default:
            archivedClass = KeyedArchiveClass("NSPropertyDescription")
        }
        writer.fill(reference, class: archivedClass, entries)
    }

    /// Adds an expression description that belongs to no entity, but to an index or a fetch request.
    func add(_ expression: NSExpressionDescription, owner: String) throws -> PropertyListValue {
        let entries =
            try commonEntries(of: expression, entity: nil, owner: owner)
            + expressionEntries(of: expression, owner: owner)
        return writer.add(class: KeyedArchiveClass("NSExpressionDescription", "NSPropertyDescription"), entries)
    }

    private func commonEntries(
        of property: NSPropertyDescription, entity: NSEntityDescription?, owner: String
    ) throws -> [Entry] {
        var entries: [Entry] = [
            ("_P", .integer(Int64(ArchivedPropertySummary.bits(of: property)))),
            ("NSEntity", reference(to: entity)),
            ("NSPropertyName", writer.add(string: property.name)),
            ("NSRenamingIdentifier", writer.add(string: property.renamingIdentifier)),
        ]
        func flag(_ key: String, _ condition: Bool) { if condition { entries.append((key, .boolean(true))) } }
        flag("NSIsOptional", property.isOptional)
        flag("NSIsTransient", property.isTransient)
        flag("NSIsReadOnly", property.isReadOnly)
        flag("NSIsIndexed", isFlaggedAsIndexed(property, in: entity))
        flag("NSIndexedBySpotlight", property.isIndexedBySpotlight)
        flag(ArchivedPropertySummary.externalRecordKey, property.storesInExternalRecord)
        if let modifier = property.versionHashModifier {
            entries.append(("NSVersionHashModifier", writer.add(string: modifier)))
        }
        if let userInfo = property.userInfo, !userInfo.isEmpty {
            entries.append(("NSUserInfo", try add(userInfo: userInfo, owner: owner)))
        }
        if !property.validationPredicates.isEmpty {
            let archiver = PredicateArchiver(writer: writer, owner: owner)
            let predicates = try property.validationPredicates.map(archiver.add)
            let warnings = try property.validationWarnings.map {
                try writer.add(foundation: $0, what: "a warning of \(owner)")
            }
            entries.append(("NSValidationPredicates", writer.add(array: predicates, class: .array)))
            entries.append(("NSValidationWarnings", writer.add(array: warnings, class: .array)))
        }
        return entries
    }

    /// Whether the legacy index flag is written. The model compiler also sets it for an attribute that is the only
    /// element of an ascending index.
    private func isFlaggedAsIndexed(_ property: NSPropertyDescription, in entity: NSEntityDescription?) -> Bool {
        if property.hasLegacyIndex { return true }
        guard form == .compiled, property is NSAttributeDescription else { return false }
        return entity?.singleAttributeNames.contains(property.name) ?? false
    }

    private func attributeEntries(
        of attribute: NSAttributeDescription, after common: [Entry], owner: String
    ) throws -> (KeyedArchiveClass, [Entry]) {
        var entries =
            common + [
                ("NSAttributeType", .integer(Int64(attribute.attributeType.rawValue))),
                ("NSAttributeValueClassName", writer.add(string: attribute.attributeValueClassName)),
                (
                    "NSDefaultValue",
                    try writer.add(foundation: attribute.defaultValue, what: "the default value of \(owner)")
                ),
                ("NSValueTransformerName", writer.add(string: attribute.valueTransformerName)),
                ("NSFlagsKey", .integer(Int64(ArchivedAttributeFlags.bits(of: attribute)))),
            ]
        if attribute.allowsCloudEncryption { entries.append(("NSAllowsCloudEncryption", .boolean(true))) }
        switch attribute {
        case let derived as NSDerivedAttributeDescription:
            let archiver = PredicateArchiver(writer: writer, owner: owner)
            entries.append(("NSDerivationExpression", try archiver.add(derived.derivationExpression)))
            entries.append(("NSFilteringPredicate", try archiver.add(derived.filteringPredicate)))
            return (
                KeyedArchiveClass("NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription"),
                entries
            )
        case let composite as NSCompositeAttributeDescription:
            let elements = try composite.elements.map { try addElement($0, owner: owner) }
            entries.append(("NSCompositeElements", writer.add(array: elements, class: .mutableArray)))
            return (
                KeyedArchiveClass("NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription"),
                entries
            )
        default:
            return (KeyedArchiveClass("NSAttributeDescription", "NSPropertyDescription"), entries)
        }
    }

    private func addElement(_ element: NSAttributeDescription, owner: String) throws -> PropertyListValue {
        let common = try commonEntries(of: element, entity: nil, owner: owner)
        let (archivedClass, entries) = try attributeEntries(of: element, after: common, owner: owner)
        return writer.add(class: archivedClass, entries)
    }

    private func relationshipEntries(of relationship: NSRelationshipDescription) -> [Entry] {
        let inverse = relationship.inverseRelationship
        var entries: [Entry] = [
            ("NSDestinationEntity", reference(to: relationship.destinationEntity)),
            ("_NSDestinationEntityName", writer.add(string: relationship.destinationEntityName)),
            (
                "NSInverseRelationship",
                inverse.flatMap { inverse in inverse.owningEntity.map { reference(to: inverse, of: $0) } }
                    ?? KeyedArchiveWriter.null
            ),
            ("_NSInverseRelationshipName", writer.add(string: inverse?.name)),
            ("NSMaxCount", .integer(Int64(relationship.maxCount))),
            ("NSMinCount", .integer(Int64(relationship.minCount))),
            ("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
        ]
        if relationship.isOrdered { entries.append(("NSIsOrdered", .boolean(true))) }
        return entries
    }

    private func expressionEntries(of description: NSExpressionDescription, owner: String) throws -> [Entry] {
        [
            ("NSExpression", try PredicateArchiver(writer: writer, owner: owner).add(description.expression)),
            ("NSExpressionType", .integer(Int64(description.expressionResultType.rawValue))),
        ]
    }
}
