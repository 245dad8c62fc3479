// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Unarchives a model in two passes: first all entities and properties, then the references between them.
final class ModelUnarchiver {
    let root: KeyedArchiveObject
    private let budget = KeyedArchiveBudget()
    let predicates: PredicateUnarchiver
    /// The decoded entities by their position in the archive.
    var entities: [Int: NSEntityDescription] = [:]
    /// The archived entities, in the byte order of their names.
    private var archivedEntities: [(name: String, object: KeyedArchiveObject)] = []
    /// The decoded properties by their position in the archive. Copies and proxies of inherited properties have entries
    /// too.
    var properties: [Int: NSPropertyDescription] = [:]
    /// The archived relationships with their decoded descriptions.
    var relationships: [(object: KeyedArchiveObject, made: NSRelationshipDescription)] = []
    /// Whether the archive is a model cache, which repeats inherited properties in each subentity.
    private let repeatsInheritedProperties: Bool

    init(_ root: KeyedArchiveObject) throws {
        self.root = root
        predicates = PredicateUnarchiver(budget: budget)
        repeatsInheritedProperties = try root.requiredObject("NSEntities").className.hasPrefix("NSKnownKeysDictionary")
    }

    /// Creates an unarchiver for a fetch request that was archived without its model.
    init(request root: KeyedArchiveObject) {
        self.root = root
        predicates = PredicateUnarchiver(budget: budget, isUntrusted: true)
        repeatsInheritedProperties = false
    }

    func model(isPartial: Bool) throws -> NSManagedObjectModel {
        try makeEntities()
        try connectInheritance()
        for (_, object) in parentsFirst() { try makeProperties(of: object) }
        // The model must retain the entities, because relationships and requests don't.
        let model = NSManagedObjectModel()
        model.entities = archivedEntities.compactMap { entities[$0.object.index] }
        try connectRelationships()
        for (_, object) in archivedEntities { try fillIndexes(of: object) }
        for (_, object) in archivedEntities { try fillFetchedProperties(of: object) }
        if let problem = model.firstProblem(isPartial: isPartial) { throw keyedArchiveError(problem.message) }
        try fillModel(model)
        return model
    }

    func entity(_ object: KeyedArchiveObject) throws -> NSEntityDescription {
        guard let entity = entities[object.index] else {
            throw keyedArchiveError("object \(object.index) of class \(object.className) is not an entity of the model")
        }
        return entity
    }

    /// Decodes a Foundation object. An object of another class stays undecoded.
    func decode(_ value: KeyedArchiveValue) throws -> Any? {
        try KeyedArchiveFoundationDecoder.decodeOrPreserve(value, budget: budget)
    }

    // MARK: Entities

    private func makeEntities() throws {
        for (key, value) in try root.requiredObject("NSEntities").entries() {
            guard let object = value.object, object.className == "NSEntityDescription" else {
                throw keyedArchiveError("the entity \"\(key)\" is not an NSEntityDescription")
            }
            guard entities[object.index] == nil else {
                throw keyedArchiveError("the entity \"\(key)\" is listed twice")
            }
            let entity = NSEntityDescription()
            let name = try object.requiredString("NSEntityName")
            entity.name = name
            entity.managedObjectClassName = try className(of: object)
            entity.isAbstract = try object.flag("NSIsAbstract")
            entity.versionHashModifier = try object.string("NSVersionHashModifier")
            let renaming = try object.string("NSRenamingIdentifier")
            if renaming != name { entity.renamingIdentifier = renaming }
            entity.userInfo = try userInfo(of: object)
            entity.uniquenessConstraints = try nameLists(object, "NSUniqueTuples")
            if let expression = try object.object("NSCoreSpotlightDisplayNameExpression") {
                entity.displayNameExpressionStorage = try predicates.expression(expression)
            }
            entities[object.index] = entity
            archivedEntities.append((name, object))
        }
        archivedEntities = archivedEntities.sortedBytewise { $0.name }
    }

    private func className(of object: KeyedArchiveObject) throws -> String? {
        let name = try object.string("NSClassNameForEntity")
        return name == "NSManagedObject" ? nil : name
    }

    /// Decodes lists of property names. Older model caches contain the properties, or proxies of them, instead.
    func nameLists(_ object: KeyedArchiveObject, _ key: String) throws -> [[String]] {
        try object.objects(key)?.map { list in
            try list.elements().map { element in
                switch element {
                case .plain(.string(let name)): return name
                case .object(let property): return try underlying(property).requiredString("NSPropertyName")
                default: throw object.typeMismatch(key, "lists of property names")
                }
            }
        } ?? []
    }

    private func connectInheritance() throws {
        var parents: [Int: KeyedArchiveObject] = [:]
        for (_, object) in archivedEntities {
            if let parent = try object.object("NSSuperentity") { parents[object.index] = parent }
        }
        for (_, object) in archivedEntities {
            for (_, child) in try object.entries("NSSubentities") ?? [] {
                if let child = child.object, parents[child.index] == nil { parents[child.index] = object }
            }
        }
        for (name, object) in archivedEntities {
            var depth = 0
            var current = object
            while let parent = parents[current.index] {
                depth += 1
                guard depth <= NSEntityDescription.ancestorLimit else {
                    throw keyedArchiveError("the entity \"\(name)\" inherits from itself, or has too many ancestors")
                }
                current = parent
            }
        }
        var children: [Int: [NSEntityDescription]] = [:]
        for (_, object) in archivedEntities {
            guard let parent = parents[object.index], let entity = entities[object.index] else { continue }
            guard entities[parent.index] != nil else {
                throw keyedArchiveError("the superentity of \"\(entity.name ?? "")\" is not an entity of the model")
            }
            children[parent.index, default: []].append(entity)
        }
        for (index, list) in children { entities[index]?.subentities = list }
    }

    private func parentsFirst() -> [(name: String, object: KeyedArchiveObject)] {
        func depth(_ entity: NSEntityDescription?) -> Int {
            var depth = 0
            var current = entity?.superentity
            while let parent = current {
                depth += 1
                current = parent.superentity
            }
            return depth
        }
        let depths = archivedEntities.map { depth(entities[$0.object.index]) }
        return archivedEntities.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }.map { archivedEntities[$0] }
    }

    private func makeProperties(of object: KeyedArchiveObject) throws {
        let entity = try entity(object)
        var own: [NSPropertyDescription] = []
        for (_, value) in try object.entries("NSProperties") ?? [] {
            guard let archived = value.object else { throw object.typeMismatch("NSProperties", "properties") }
            let target = try underlying(archived)
            let name = try target.requiredString("NSPropertyName")
            let inherited = entity.superentity?.property(named: name)
            if let inherited, repeatsInheritedProperties || target.index != archived.index,
                try !redeclares(target, inherited)
            {
                if properties[archived.index] == nil { properties[archived.index] = inherited }
                if properties[target.index] == nil { properties[target.index] = inherited }
                continue
            }
            guard properties[target.index] == nil else {
                throw keyedArchiveError("the property \"\(name)\" belongs to two entities")
            }
            let property = try makeProperty(target)
            properties[target.index] = property
            own.append(property)
        }
        own = own.sortedBytewise { $0.name }
        entity.properties = own
    }

    /// Whether an attribute in a model cache is a redeclaration, not a copy of the inherited attribute.
    private func redeclares(_ object: KeyedArchiveObject, _ inherited: NSPropertyDescription) throws -> Bool {
        guard repeatsInheritedProperties, object.className == "NSAttributeDescription" else { return false }
        return try makeProperty(object).versionHash != inherited.versionHash
    }

    /// The property that a proxy stands for. Older model caches repeat inherited properties by proxies.
    func underlying(_ object: KeyedArchiveObject) throws -> KeyedArchiveObject {
        var current = object
        var steps = 0
        while current.className == "_NSPropertyDescriptionProxy" {
            steps += 1
            guard steps <= NSEntityDescription.ancestorLimit else {
                throw keyedArchiveError("a property proxy refers to itself")
            }
            current = try current.requiredObject("NSUnderlyingProperty")
        }
        return current
    }

    // MARK: The model's own keys

    private func fillModel(_ model: NSManagedObjectModel) throws {
        model.versionIdentifiers = Set(
            try root.elements("NSVersionIdentifiers")?.compactMap { element in
                try decode(element) as? AnyHashable
            } ?? [])
        for (name, value) in try root.entries("NSConfigurations") ?? [] {
            guard let members = try value.object?.elements() else {
                throw root.typeMismatch("NSConfigurations", "sets of entities")
            }
            let list = try members.map { member in
                guard let object = member.object else {
                    throw root.typeMismatch("NSConfigurations", "sets of entities")
                }
                return try entity(object)
            }
            model.setEntities(
                list.sortedBytewise { $0.name ?? "" }, forConfigurationName: name)
        }
        for (name, value) in try root.entries("NSFetchRequestTemplates") ?? [] {
            guard let object = value.object else {
                throw root.typeMismatch("NSFetchRequestTemplates", "fetch requests")
            }
            model.setFetchRequestTemplate(try fetchRequest(object), forName: name)
        }
    }

    /// Decodes a user info. Values of classes that only the application knows stay undecoded.
    func userInfo(of object: KeyedArchiveObject) throws -> [AnyHashable: Any]? {
        guard let dictionary = try object.object("NSUserInfo") else { return nil }
        var result: [AnyHashable: Any] = [:]
        for (key, value) in try dictionary.pairs() {
            guard let key = try decode(key) as? AnyHashable else {
                throw object.typeMismatch("NSUserInfo", "a dictionary with keys")
            }
            result[key] = try decode(value) ?? NSNull()
        }
        return result.isEmpty ? nil : result
    }
}
