// SPDX-License-Identifier: Apache-2.0

/// Reads an entity with its properties, indexes and constraints. Other entities are known by name only.
struct SourceEntityReader {
    let context: SourceReadingContext

    func read(_ element: SourceElement) throws -> NSEntityDescription {
        let entity = NSEntityDescription()
        let name = try context.required("name", of: element, entity: nil, key: nil)
        entity.name = name
        entity.sourceLine = element.line
        entity.managedObjectClassName = element.text("representedClassName")
        entity.superentityName = element.text("parentEntity")
        entity.isAbstract = element.isTrue("isAbstract")
        entity.renamingIdentifier = element.text("elementID")
        entity.versionHashModifier = element.text("versionHashModifier")
        entity.userInfo = try context.userInfo(element)
        if let text = element.text("coreSpotlightDisplayNameExpression") {
            entity.coreSpotlightDisplayNameExpression = try context.expression(
                text, of: "the display name of entity '\(name)'", element, entity: name,
                key: "coreSpotlightDisplayNameExpression")
        }
        for attribute in SourceEditorAttributes.entity {
            if let value = element[attribute] { entity.sourceAttributes[attribute] = value }
        }
        let reader = SourcePropertyReader(context: context, entityName: name)
        entity.properties = try properties(element, reader)
        entity.uniquenessConstraints = lists(element, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        entity.setLegacyCompoundIndexes(lists(element, "compoundIndexes", "compoundIndex", "index"))
        entity.indexes = try element.children(named: "fetchIndex").map { try index($0, entityName: name) }
        return entity
    }

    private func properties(_ element: SourceElement, _ reader: SourcePropertyReader) throws -> [NSPropertyDescription]
    {
        var names: Set<String> = []
        return try element.children.compactMap { child in
            guard let property = try reader.read(child) else { return nil }
            guard names.insert(property.name).inserted else {
                throw context.corrupt(
                    "two properties of entity '\(reader.entityName)' are named '\(property.name)'", child,
                    entity: reader.entityName,
                    key: property.name)
            }
            return property
        }
    }

    private func lists(_ element: SourceElement, _ outer: String, _ inner: String, _ item: String) -> [[Any]] {
        element.children(named: outer).flatMap { $0.children(named: inner) }
            .map { list in list.children(named: item).compactMap { $0.text("value") } }
            .filter { !$0.isEmpty }
    }

    private func index(_ element: SourceElement, entityName: String) throws -> NSFetchIndexDescription {
        let name = try context.required("name", of: element, entity: entityName, key: nil)
        var number = 0
        let elements = try element.children(named: "fetchIndexElement").map { child -> NSFetchIndexElementDescription in
            let type: NSFetchIndexElementType = child["type"]?.lowercased() == "rtree" ? .rTree : .binary
            let described: NSFetchIndexElementDescription
            if let text = child.text("expression") {
                number += 1
                described = NSFetchIndexElementDescription(
                    property: try expression(text, number, child, entityName: entityName, indexName: name),
                    collationType: type)
            } else {
                let propertyName = try context.required("property", of: child, entity: entityName, key: name)
                described = NSFetchIndexElementDescription(propertyName: propertyName, collationType: type)
            }
            described.isAscending = child["order"] != "descending"
            return described
        }
        let index = NSFetchIndexDescription(name: name, elements: elements)
        if let text = element.text("partialIndexPredicate") {
            index.partialIndexPredicate = try context.predicate(
                text, of: "index '\(name)' of entity '\(entityName)'", element, "partialIndexPredicate",
                entity: entityName, key: name)
        }
        return index
    }

    private func expression(
        _ text: String, _ number: Int, _ element: SourceElement, entityName: String, indexName: String
    ) throws -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name =
            (context.format == .textNotation ? element.text("expressionName") : nil) ?? "expression\(number)"
        description.expression = try context.expression(
            text, of: "index '\(indexName)' of entity '\(entityName)'", element, entity: entityName, key: indexName)
        let typeName = element.text("expressionType") ?? "Undefined"
        guard let type = SourceSpelling.attributeType(named: typeName) else {
            throw context.corrupt(
                "index '\(indexName)' of entity '\(entityName)' has the unknown type '\(typeName)'", element,
                entity: entityName,
                key: indexName)
        }
        description.expressionResultType = type
        return description
    }
}
