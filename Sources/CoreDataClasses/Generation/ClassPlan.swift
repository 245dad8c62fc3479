/// Which classes a model asks for, and what is in each.
struct ClassPlan {
    private(set) var classes: [PlannedClass] = []
    private(set) var findings: [ModelFinding] = []
    private let options: ClassGenerationOptions
    private let model: NSManagedObjectModel

    init(model: NSManagedObjectModel, options: ClassGenerationOptions) {
        self.model = model
        self.options = options
        var entitiesByClass: [String: [NSEntityDescription]] = [:]
        for entity in model.entities.sortedBytewise(by: { $0.name ?? "" }) {
            guard let name = classToGenerate(for: entity) else { continue }
            entitiesByClass[name, default: []].append(entity)
        }
        let hiding = Set(model.entities.compactMap { EntityClassName($0)?.name }).intersection(
            PropertyTypes.standardTypes)
        for (name, entities) in entitiesByClass.sortedBytewise(by: { $0.key }) {
            classes.append(plannedClass(name, entities, hiding: hiding))
        }
    }

    /// The name of the class that is to be generated for an entity; nil if there is none.
    private mutating func classToGenerate(for entity: NSEntityDescription) -> String? {
        let setting = entity.sourceAttributes["codeGenerationType"]
        guard setting != nil || options.includesManual else { return nil }
        guard let className = EntityClassName(entity) else {
            if setting != nil {
                note(
                    .warning, entity, nil,
                    "entity '\(entity.name ?? "")' asks for a generated class but names none, so its objects are "
                        + "plain NSManagedObjects")
            }
            return nil
        }
        if let module = className.module, let own = options.module, module != own {
            if setting != nil {
                note(
                    .warning, entity, nil,
                    """
                    the class '\(className.name)' of entity '\(entity.name ?? "")' is in module '\(module)', so it \
                    isn't 
                    """
                        + "generated for '\(own)'")
            }
            return nil
        }
        guard className.isLegal else {
            note(
                .error, entity, nil,
                """
                the class name '\(entity.explicitClassName ?? "")' of entity '\(entity.name ?? "")' is no name of \
                a Swift class
                """
            )
            return nil
        }
        return className.name
    }

    private mutating func plannedClass(_ name: String, _ entities: [NSEntityDescription], hiding: Set<String>)
        -> PlannedClass
    {
        let types = PropertyTypes(hiding: hiding, className: reference)
        // A class that stands for an entity and its subentities belongs to the topmost.
        let top = entities.first { candidate in entities.allSatisfy { $0.isKindOf(entity: candidate) } }
        let first = top ?? entities[0]
        let parent = superclass(of: first, named: name)
        let settings = entities.map { $0.sourceAttributes["codeGenerationType"] }
        let properties = plannedProperties(entities, types)
        let identifier = properties.first { $0.name == "id" }
        return PlannedClass(
            name: name, superclass: parent ?? "NSManagedObject", hasDeclaration: settings.contains { $0 != "category" },
            hasProperties: true,
            fetchedEntityName: top?.name, properties: properties,
            isIdentifiable: parent == nil && (identifier.map { Self.isHashable($0.type) } ?? true),
            needsFoundation: !hiding.isEmpty)
    }

    private mutating func plannedProperties(_ entities: [NSEntityDescription], _ types: PropertyTypes)
        -> [PlannedProperty]
    {
        var planned: [String: PlannedProperty] = [:]
        var names: [String] = []
        for entity in entities {
            for property in entity.ownProperties.sorted(by: Self.precedes) {
                let name = property.name
                guard SwiftName.isIdentifier(name) else {
                    note(
                        .error, entity, property,
                        "the property '\(name)' of entity '\(entity.name ?? "")' has a name that Swift doesn't allow")
                    continue
                }
                // What the class of an ancestor declares already is inherited.
                if let parent = entity.superentity, parent.property(named: name) != nil { continue }
                switch types.planned(property) {
                case .failure(let problem):
                    note(
                        .error, entity, property,
                        "the property '\(name)' of entity '\(entity.name ?? "")' \(problem.reason)")
                case .success(let new):
                    if let old = planned[name], old != new {
                        note(
                            .error, entity, property,
                            "the property '\(name)' of entity '\(entity.name ?? "")' has the type \(new.type), but "
                                + "\(old.type) in another entity of the same class")
                    } else if planned.updateValue(new, forKey: name) == nil {
                        names.append(name)
                    }
                }
            }
        }
        return names.compactMap { planned[$0] }
    }

    /// The class above an entity's: that of the nearest ancestor with a class of its own; nil for `NSManagedObject`.
    private func superclass(of entity: NSEntityDescription, named name: String) -> String? {
        var ancestor = entity.superentity
        while let current = ancestor {
            if let className = EntityClassName(current), className.name != name { return reference(to: current) }
            ancestor = current.superentity
        }
        return nil
    }

    /// An entity's class in source text.
    private func reference(to entity: NSEntityDescription) -> String {
        var candidate: NSEntityDescription? = entity
        while let current = candidate {
            if let className = EntityClassName(current), className.isLegal {
                guard let module = className.module, let own = options.module, module != own else {
                    return className.name
                }
                return "\(module).\(className.name)"
            }
            candidate = current.superentity
        }
        return "NSManagedObject"
    }

    private mutating func note(
        _ severity: ModelFinding.Severity, _ entity: NSEntityDescription, _ property: NSPropertyDescription?,
        _ message: String
    ) {
        findings.append(
            ModelFinding(
                severity, .generation, entity: entity.name, key: property?.name,
                line: property?.sourceLine ?? entity.sourceLine, message))
    }

    /// Attributes, then relationships, then fetched properties, each by name.
    private static func precedes(_ left: NSPropertyDescription, _ right: NSPropertyDescription) -> Bool {
        let leftRank = rank(left)
        let rightRank = rank(right)
        return leftRank == rightRank ? left.name.precedesBytewise(right.name) : leftRank < rightRank
    }

    private static func rank(_ property: NSPropertyDescription) -> Int {
        property is NSAttributeDescription ? 0 : property is NSRelationshipDescription ? 1 : 2
    }

    /// `Identifiable` needs a hashable `id`; of classes that only the model names nothing is known.
    private static func isHashable(_ type: String) -> Bool {
        [
            "Int16", "Int32", "Int64", "Double", "Float", "Bool", "TimeInterval", "NSNumber?", "NSDecimalNumber?",
            "String?", "Date?", "Data?",
            "UUID?", "URL?", "NSObject?", "NSSet?", "NSOrderedSet?",
        ].contains(
            type.replacingOccurrences(of: "Swift.", with: "")
                .replacingOccurrences(of: "Foundation.", with: ""))
    }
}

/// The class that an entity names: `Class`, `.Class` or `Module.Class`.
struct EntityClassName {
    let module: String?
    let name: String
    let isLegal: Bool

    /// Nil if the entity's objects are plain `NSManagedObject`s.
    init?(_ entity: NSEntityDescription) {
        guard let text = entity.explicitClassName, !text.isEmpty, text != "NSManagedObject" else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        name = parts.last ?? ""
        module = parts.count == 2 && !parts[0].isEmpty ? parts[0] : nil
        isLegal =
            SwiftName.isIdentifier(name) && !SwiftName.isKeyword(name) && parts.count <= 2
            && (module.map(SwiftName.isIdentifier) ?? true)
    }
}
