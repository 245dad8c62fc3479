/// Makes a model of a tree of source elements: reads the entities, wires them by name, checks that nothing dangles.
package struct SourceModelReader {
    private var context: SourceReadingContext

    private init(url: URL, dialect: SourceDialect) { context = SourceReadingContext(url: url, dialect: dialect) }

    /// - Parameters:
    ///   - root: the element `model`.
    ///   - url: the file, for messages.
    ///   - dialect: the form of the file. Only the notation's elements say what Xcode's have no place for.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` naming file, entity and key if something is missing, unknown or
    ///   dangling.
    package static func read(
        _ root: SourceElement, from url: URL, dialect: SourceDialect = .xml
    ) throws -> NSManagedObjectModel {
        var reader = SourceModelReader(url: url, dialect: dialect)
        return try reader.read(root)
    }

    private mutating func read(_ root: SourceElement) throws -> NSManagedObjectModel {
        guard root.name == "model" else {
            throw context.corrupt(
                "it is XML but no model: its root element is <\(root.name)>", root, entity: nil, key: nil)
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
        if context.dialect == .notation { readNotation(root, into: model) }
        return model
    }

    /// What a model in text holds beyond one in XML.
    private func readNotation(_ root: SourceElement, into model: NSManagedObjectModel) {
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
            try wireRelationships(of: entity, element, in: model)
            try checkPropertyLists(of: entity, element)
            let keepsOldForms = context.dialect == .notation && element["legacyIndexes"] == "explicit"
            if !keepsOldForms { entity.addLegacyFormsOfIndexes() }
        }
        // The checks above name the element concerned. This one finds every other reason for which `freeze()` would
        // refuse the model.
        if let problem = model.firstProblem() {
            let element = problem.entityName.flatMap { elementsByName[$0] } ?? SourceElement("model")
            let part = element.children.first { $0["name"] == problem.key } ?? element
            throw context.corrupt(
                String(problem.message.dropLast()), part, entity: problem.entityName, key: problem.key)
        }
    }

    /// Every parent must be in the model, and no entity may inherit from itself.
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
                        Self.isCircle(from: name, parents)
                        ? "inherits from itself" : "has more than \(NSEntityDescription.ancestorLimit) ancestors"
                    throw context.corrupt("entity '\(name)' \(reason)", element, entity: name, key: "parentEntity")
                }
                ancestor = next
            }
        }
    }

    private static func isCircle(from name: String, _ parents: [String: String?]) -> Bool {
        var seen: Set<String> = []
        var current: String? = name
        while let entity = current {
            guard seen.insert(entity).inserted else { return true }
            current = parents[entity] ?? nil
        }
        return false
    }

    private func wireRelationships(
        of entity: NSEntityDescription, _ element: SourceElement, in model: NSManagedObjectModel
    ) throws {
        let entityName = entity.name ?? ""
        for child in element.children(named: "relationship") {
            guard let name = child["name"],
                let relationship = entity.ownProperties.first(where: { $0.name == name }) as? NSRelationshipDescription
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
            // The inverse may be declared by another entity of the destination's inheritance chain.
            let declaring = child.text("inverseEntity").flatMap(model.entity(named:)) ?? destination
            guard
                let inverse = (destination.property(named: inverseName) ?? declaring.property(named: inverseName))
                    as? NSRelationshipDescription
            else {
                throw context.corrupt(
                    """
                    the inverse '\(inverseName)' of relationship '\(name)' of entity '\(entityName)' is no \
                    relationship of entity 
                    """
                        + "'\(destinationName)'", child, entity: entityName, key: name)
            }
            guard destination.isKindOf(entity: inverse.entity) || inverse.entity.isKindOf(entity: destination) else {
                throw context.corrupt(
                    "the inverse '\(inverseName)' of relationship '\(name)' of entity '\(entityName)' is one of entity "
                        + """
                        '\(inverse.entity.name ?? "")', which is no relative of its destination '\(destinationName)'
                        """,
                    child,
                    entity: entityName, key: name)
            }
            relationship.inverseRelationship = inverse
        }
    }

    /// Indexes and constraints must name properties of their entity.
    private func checkPropertyLists(of entity: NSEntityDescription, _ element: SourceElement) throws {
        let name = entity.name ?? ""
        guard let (kind, propertyName) = entity.unknownListedProperty else { return }
        throw context.corrupt(
            "\(kind) of entity '\(name)' names '\(propertyName)', which is no property of it", element, entity: name,
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
