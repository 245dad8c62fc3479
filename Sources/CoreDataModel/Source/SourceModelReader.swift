// SPDX-License-Identifier: Apache-2.0

/// Makes a model from a tree of source elements: reads the entities, connects them by name, and validates the model.
package struct SourceModelReader {
    private var context: SourceReadingContext

    private init(url: URL, format: SourceFormat) { context = SourceReadingContext(url: url, format: format) }

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - root: the element `model`.
    ///   - url: the file, for messages.
    ///   - format: the format of the file. Only the text notation has elements that XML lacks.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file, entity and key if a part is missing or unknown.
    package static func read(
        _ root: SourceElement, from url: URL, format: SourceFormat = .xml
    ) throws -> NSManagedObjectModel {
        var reader = SourceModelReader(url: url, format: format)
        return try reader.read(root)
    }

    private mutating func read(_ root: SourceElement) throws -> NSManagedObjectModel {
        guard root.name == "model" else {
            throw context.corrupt(
                "it is XML but not a model: its root element is <\(root.name)>", root, entity: nil, key: nil)
        }
        for composite in root.children(named: "composite") {
            context.composites[try context.required("name", of: composite, entity: nil, key: nil)] = composite
        }
        let model = NSManagedObjectModel()
        if let identifier = root["userDefinedModelVersionIdentifier"] { model.versionIdentifiers = [identifier] }
        for name in SourceEditorAttributes.model {
            if let value = root[name] { model.sourceAttributes[name] = value }
        }
        try readEntities(root.children(named: "entity"), into: model)
        try readTemplates(root, into: model)
        try readConfigurations(root, into: model)
        if context.format == .textNotation { readTextNotation(root, into: model) }
        return model
    }

    /// Reads the parts of a model that only the text notation can represent.
    private func readTextNotation(_ root: SourceElement, into model: NSManagedObjectModel) {
        let identifiers = root.children(named: "versionIdentifier").compactMap { $0["value"] }
        if !identifiers.isEmpty { model.versionIdentifiers = Set(identifiers) }
        guard let localization = root.child(named: "localization") else { return }
        model.localizationDictionary = Dictionary(
            localization.children.map { ($0["key"] ?? "", $0["value"] ?? "") }, uniquingKeysWith: { $1 })
    }

    private func readEntities(_ elements: [SourceElement], into model: NSManagedObjectModel) throws {
        let reader = SourceEntityReader(context: context)
        var elementsByName: [String: SourceElement] = [:]
        let entities = try elements.map { element -> NSEntityDescription in
            let entity = try reader.read(element)
            guard elementsByName.updateValue(element, forKey: entity.name ?? "") == nil else {
                throw context.corrupt(
                    "two entities are named '\(entity.name ?? "")'", element, entity: entity.name, key: "name")
            }
            return entity
        }
        try checkInheritance(entities, elementsByName)
        model.entities = entities
        for entity in entities {
            guard let element = elementsByName[entity.name ?? ""] else { continue }
            try connectRelationships(of: entity, element, in: model)
            try checkIndexesAndConstraints(of: entity, element)
            let keepsOldForms = context.format == .textNotation && element["legacyIndexes"] == "explicit"
            if !keepsOldForms { entity.addLegacyIndexes() }
        }
        // The checks above report the element concerned. This check finds all other inconsistencies, for which
        // `freeze()` would stop the program.
        if let problem = model.firstProblem() {
            let element = problem.entityName.flatMap { elementsByName[$0] } ?? SourceElement("model")
            let part = element.children.first { $0["name"] == problem.key } ?? element
            throw context.corrupt(
                String(problem.message.dropLast()), part, entity: problem.entityName, key: problem.key)
        }
    }

    /// Each parent must exist, and an entity can't inherit from itself.
    private func checkInheritance(_ entities: [NSEntityDescription], _ elements: [String: SourceElement]) throws {
        let parents = Dictionary(
            entities.map { ($0.name ?? "", $0.superentityName) }, uniquingKeysWith: { $1 })
        for (name, parent) in parents.sorted(by: { $0.key < $1.key }) {
            let element = elements[name] ?? SourceElement("entity")
            var ancestor = parent
            var steps = 0
            while let current = ancestor {
                guard let next = parents[current] else {
                    throw context.corrupt(
                        "the parent '\(current)' of entity '\(name)' is not in the model", element, entity: name,
                        key: "parentEntity")
                }
                steps += 1
                guard steps <= NSEntityDescription.ancestorLimit else {
                    let reason =
                        Self.isCycle(from: name, parents)
                        ? "inherits from itself" : "has more than \(NSEntityDescription.ancestorLimit) ancestors"
                    throw context.corrupt("entity '\(name)' \(reason)", element, entity: name, key: "parentEntity")
                }
                ancestor = next
            }
        }
    }

    private static func isCycle(from name: String, _ parents: [String: String?]) -> Bool {
        var seen: Set<String> = []
        var current: String? = name
        while let entity = current {
            guard seen.insert(entity).inserted else { return true }
            current = parents[entity] ?? nil
        }
        return false
    }

    private func connectRelationships(
        of entity: NSEntityDescription, _ element: SourceElement, in model: NSManagedObjectModel
    ) throws {
        let entityName = entity.name ?? ""
        for child in element.children(named: "relationship") {
            guard let name = child["name"],
                let relationship = entity.ownProperty(named: name) as? NSRelationshipDescription
            else { continue }
            let destinationName = relationship.destinationEntityName ?? ""
            guard let destination = model.entity(named: destinationName) else {
                throw context.corrupt(
                    """
                    the destination entity '\(destinationName)' of relationship '\(name)' of entity \
                    '\(entityName)' is not in the model
                    """,
                    child, entity: entityName, key: name)
            }
            relationship.destinationEntity = destination
            guard let inverseName = relationship.inverseRelationshipName else { continue }
            // Another entity in the hierarchy of the destination can declare the inverse.
            let declaring = child.text("inverseEntity").flatMap(model.entity(named:)) ?? destination
            guard
                let inverse = (destination.property(named: inverseName) ?? declaring.property(named: inverseName))
                    as? NSRelationshipDescription
            else {
                throw context.corrupt(
                    """
                    the inverse '\(inverseName)' of relationship '\(name)' of entity '\(entityName)' is not a \
                    relationship of entity '\(destinationName)'
                    """, child, entity: entityName, key: name)
            }
            guard destination.isKindOf(entity: inverse.entity) || inverse.entity.isKindOf(entity: destination) else {
                throw context.corrupt(
                    """
                    the inverse '\(inverseName)' of relationship '\(name)' of entity '\(entityName)' is one of \
                    entity '\(inverse.entity.name ?? "")', which is neither its destination nor related to it by \
                    inheritance: '\(destinationName)'
                    """,
                    child,
                    entity: entityName, key: name)
            }
            relationship.inverseRelationship = inverse
        }
    }

    /// Indexes and constraints must refer to properties of their entity.
    private func checkIndexesAndConstraints(of entity: NSEntityDescription, _ element: SourceElement) throws {
        let name = entity.name ?? ""
        guard let (kind, propertyName) = entity.firstUnknownIndexedProperty else { return }
        throw context.corrupt(
            "\(kind) of entity '\(name)' names '\(propertyName)', which is not one of its properties", element,
            entity: name,
            key: propertyName)
    }

    private func readTemplates(_ root: SourceElement, into model: NSManagedObjectModel) throws {
        let reader = SourceFetchRequestReader(context: context)
        for element in root.children(named: "fetchRequest") {
            let name = try context.required("name", of: element, entity: nil, key: nil)
            let request = try reader.read(element, subject: "fetch request '\(name)'", entity: nil, key: name)
            guard let entity = request.entityName.flatMap(model.entity(named:)) else {
                throw context.corrupt(
                    "the entity '\(request.entityName ?? "")' of fetch request '\(name)' is not in the model", element,
                    entity: request.entityName, key: name)
            }
            request.entity = entity
            model.setFetchRequestTemplate(request, forName: name)
        }
        for entity in model.entities {
            for case let property as NSFetchedPropertyDescription in entity.ownProperties {
                guard let request = property.fetchRequest, let name = request.entityName else { continue }
                guard let target = model.entity(named: name) else {
                    throw context.corrupt(
                        """
                        the entity '\(name)' of fetched property '\(property.name)' of entity \
                        '\(entity.name ?? "")' is not in the model
                        """,
                        root, entity: entity.name, key: property.name)
                }
                request.entity = target
            }
        }
    }

    private func readConfigurations(_ root: SourceElement, into model: NSManagedObjectModel) throws {
        for element in root.children(named: "configuration") {
            let name = try context.required("name", of: element, entity: nil, key: nil)
            let members = try element.children(named: "memberEntity").map { member -> NSEntityDescription in
                let entityName = try context.required("name", of: member, entity: nil, key: name)
                guard let entity = model.entity(named: entityName) else {
                    throw context.corrupt(
                        "the member '\(entityName)' of configuration '\(name)' is not in the model", member,
                        entity: entityName, key: name)
                }
                return entity
            }
            model.setEntities(members, forConfigurationName: name)
        }
    }
}
