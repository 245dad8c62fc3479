// SPDX-License-Identifier: Apache-2.0

/// The classes to generate for a model, with their properties.
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

    /// The name of the class to generate for an entity; nil if there is none.
    private mutating func classToGenerate(for entity: NSEntityDescription) -> String? {
        let setting = entity.sourceAttributes["codeGenerationType"]
        guard setting != nil || options.includesManual else { return nil }
        guard let className = EntityClassName(entity) else {
            if setting != nil {
                record(
                    .warning, entity, nil,
                    """
                    entity '\(entity.name ?? "")' has code generation but no class name, so its objects are plain \
                    NSManagedObjects
                    """)
            }
            return nil
        }
        if let module = className.module, let own = options.module, module != own {
            if setting != nil {
                record(
                    .warning, entity, nil,
                    """
                    the class '\(className.name)' of entity '\(entity.name ?? "")' is in module '\(module)', so it \
                    isn't generated for '\(own)'
                    """)
            }
            return nil
        }
        guard className.isLegal else {
            record(
                .error, entity, nil,
                """
                the class name '\(entity.explicitClassName ?? "")' of entity '\(entity.name ?? "")' is no valid name \
                of a Swift class
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
        // A class of an entity and of its subentities is generated for the topmost entity.
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
                    record(
                        .error, entity, property,
                        "the property '\(name)' of entity '\(entity.name ?? "")' has a name that Swift doesn't allow")
                    continue
                }
                // The class of a superentity declares the property.
                if let parent = entity.superentity, parent.property(named: name) != nil { continue }
                switch types.planned(property) {
                case .failure(let problem):
                    record(
                        .error, entity, property,
                        "the property '\(name)' of entity '\(entity.name ?? "")' \(problem.reason)")
                case .success(let new):
                    if let old = planned[name], old != new {
                        record(
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

    /// The superclass of an entity's class: the class of the nearest superentity with another class; nil for
    /// `NSManagedObject`.
    private func superclass(of entity: NSEntityDescription, named name: String) -> String? {
        var ancestor = entity.superentity
        while let current = ancestor {
            if let className = EntityClassName(current), className.name != name { return reference(to: current) }
            ancestor = current.superentity
        }
        return nil
    }

    /// The name of an entity's class in source code.
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

    private mutating func record(
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

    /// Whether a type is known to be hashable: `Identifiable` needs a hashable `id`.
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

/// The class name of an entity: `Class`, `.Class` or `Module.Class`.
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
