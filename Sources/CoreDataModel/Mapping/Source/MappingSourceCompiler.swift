// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Compiles a source mapping model. Values that the editor didn't save are computed from the two models.
struct MappingSourceCompiler {
    let url: URL
    let store: MappingSourceStore
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    /// All entity mappings in their order, with their compiled form.
    private var mappings: [(object: MappingSourceObject, made: NSEntityMapping)] = []
    /// The names of all entity mappings.
    private(set) var names: Set<String> = []
    /// The names of the mappings that make objects of an entity or its subentities, by the name of the entity.
    private(set) var mappingNamesByDestination: [String: [String]] = [:]
    /// One budget for all archives in the file.
    let budget = KeyedArchiveBudget()

    /// Compiles a mapping model.
    ///
    /// - Parameters:
    ///   - store: the objects of the file.
    ///   - url: the file, for messages and for finding the models.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file, entity and key if a part is missing or unknown.
    static func compile(_ store: MappingSourceStore, at url: URL) throws -> NSMappingModel {
        guard let root = store.models.first else {
            throw ModelFileError.corrupt(
                url, "it contains no mapping model (no object of type \(MappingSourceObject.modelType)).")
        }
        guard store.models.count == 1 else {
            throw ModelFileError.corrupt(
                url, "it contains \(store.models.count) mapping models instead of one", line: store.models[1].line)
        }
        let models = MappingSourceModels(url: url, object: root)
        var compiler = MappingSourceCompiler(
            url: url, store: store, source: try models.source(), destination: try models.destination())
        return try compiler.compile(root)
    }

    private mutating func compile(_ root: MappingSourceObject) throws -> NSMappingModel {
        let objects = try related(root, "entitymappings", MappingSourceObject.entityMappingType)
        let ordered = try objects.map { (number: try number($0), object: $0) }.enumerated()
            .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
        mappings = try ordered.map { ($0.element.object, try entityMapping($0.element.object)) }
        try collectNames()
        // Relationships refer to the mappings of other entities, so all entity mappings are made first.
        for (object, mapping) in mappings { try fillProperties(of: mapping, from: object) }
        let model = NSMappingModel()
        model.entityMappings = mappings.map(\.made)
        return model
    }

    private func number(_ object: MappingSourceObject) throws -> Int {
        guard let text = object.text("mappingnumber") else { return 0 }
        guard let number = Int(text) else {
            throw corrupt("the mapping number '\(text)' is not a number", object, key: "mappingnumber")
        }
        return number
    }

    private mutating func collectNames() throws {
        for (object, mapping) in mappings {
            let name: String = mapping.name
            guard names.insert(name).inserted else {
                throw corrupt(
                    "two entity mappings are named '\(name)'", object, entity: mapping.destinationEntityName,
                    key: "name")
            }
            var entity = mapping.destinationEntityName.flatMap(destination.entity(named:))
            while let current = entity {
                mappingNamesByDestination[current.name ?? "", default: []].append(name)
                entity = current.superentity
            }
        }
    }

    // MARK: Entities

    private func entityMapping(_ object: MappingSourceObject) throws -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = object.text("name")
        let sourceEntity = try entity(object, "sourcename", in: source, "source")
        let destinationEntity = try entity(object, "destinationname", in: destination, "destination")
        guard sourceEntity != nil || destinationEntity != nil else {
            throw corrupt("an entity mapping has neither a source nor a destination entity", object, key: "sourcename")
        }
        mapping.sourceEntityName = sourceEntity?.name
        mapping.sourceEntityVersionHash = sourceEntity?.versionHash
        mapping.destinationEntityName = destinationEntity?.name
        mapping.destinationEntityVersionHash = destinationEntity?.versionHash
        mapping.entityMigrationPolicyClassName = object.text("migrationpolicyclassname")
        mapping.mappingType = Self.type(of: mapping)
        mapping.sourceExpression = try sourceExpression(object, sourceEntity?.name)
        mapping.userInfo = try userInfo(object, entity: mapping.destinationEntityName)
        return mapping
    }

    /// The type in the compiled form. The source contains "Undefined".
    private static func type(of mapping: NSEntityMapping) -> NSEntityMappingType {
        if mapping.entityMigrationPolicyClassName != nil { return .customEntityMappingType }
        if mapping.sourceEntityName == nil { return .addEntityMappingType }
        return mapping.destinationEntityName == nil ? .removeEntityMappingType : .copyEntityMappingType
    }

    private func entity(
        _ object: MappingSourceObject, _ key: String, in model: NSManagedObjectModel, _ role: String
    ) throws -> NSEntityDescription? {
        guard let name = object.text(key) else { return nil }
        guard let entity = model.entity(named: name) else {
            let question = NearestNames.suggestion(for: name, in: model.entitiesByName.keys)
            throw corrupt(
                "an entity mapping is for '\(name)', which is not an entity of the \(role) model.\(question)", object,
                entity: name, key: key)
        }
        return entity
    }

    private func sourceExpression(_ object: MappingSourceObject, _ sourceName: String?) throws -> NSExpression? {
        if let expression = try expression(object, "sourceexpressiondata", entity: sourceName) { return expression }
        guard let sourceName else { return nil }
        let filter = object.text("sourcefilterpredicatestring")
        if let filter {
            do {
                _ = try NSPredicate.parse(filter)
            } catch {
                throw corrupt(
                    "the filter of the mapping of '\(sourceName)' is not a predicate: \(error)", object,
                    entity: sourceName, key: "sourcefilterpredicatestring")
            }
        }
        return MappingExpressions.sourceObjects(ofEntity: sourceName, filter: filter ?? MappingExpressions.noFilter)
    }

    // MARK: Parts of objects

    /// The objects of a relationship, in its order.
    func related(_ object: MappingSourceObject, _ key: String, _ type: String) throws -> [MappingSourceObject] {
        var seen: Set<String> = []
        return try (object.relationships[key] ?? []).map { id in
            guard let target = store.objects[id], target.type == type else {
                throw corrupt(
                    "'\(key)' of object '\(object.id)' names '\(id)', which is not an object of type \(type)", object,
                    key: key)
            }
            guard seen.insert(id).inserted else {
                throw corrupt("'\(key)' of object '\(object.id)' names '\(id)' twice", object, key: key)
            }
            return target
        }
    }

    /// An expression that the editor archived; nil if there is none.
    func expression(_ object: MappingSourceObject, _ key: String, entity: String?, property: String? = nil) throws
        -> NSExpression?
    {
        try archived(object, key, entity: entity, property: property) { root in
            try PredicateUnarchiver(budget: budget).expression(root)
        }
    }

    func userInfo(_ object: MappingSourceObject, entity: String?, property: String? = nil) throws -> [AnyHashable: Any]?
    {
        try archived(object, "userinfodata", entity: entity, property: property) { root in
            try MappingModelUnarchiver().entries(root)
        }
    }

    private func archived<Value>(
        _ object: MappingSourceObject, _ key: String, entity: String?, property: String?,
        _ decode: (KeyedArchiveObject) throws -> Value
    ) throws -> Value? {
        guard let text = object.text(key) else { return nil }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !data.isEmpty else {
            throw corrupt(
                "'\(key)' of object '\(object.id)' is not Base64 data", object, entity: entity, key: property ?? key)
        }
        do {
            return try decode(KeyedArchiveReader(data).root())
        } catch let error as CocoaError {
            throw corrupt(
                "'\(key)' of object '\(object.id)' can't be read: \(ModelArchive.reason(error))", object,
                entity: entity,
                key: property ?? key)
        }
    }

    func corrupt(_ reason: String, _ object: MappingSourceObject, entity: String? = nil, key: String?) -> CocoaError {
        ModelFileError.corrupt(url, reason, entity: entity, key: key, line: object.line)
    }
}
