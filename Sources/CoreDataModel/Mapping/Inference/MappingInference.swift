// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Infers the mapping model between two models.
struct MappingInference {
    private let sourceEntities: [String: NSEntityDescription]
    private let destinationEntities: [String: NSEntityDescription]
    /// The source entity by the name of its destination entity.
    private let sources: [String: NSEntityDescription]
    /// The destination entity by the name of its source entity.
    private let destinations: [String: NSEntityDescription]
    /// The source entities by the names of their ancestors and of themselves.
    private let entitiesByAncestor: [String: [NSEntityDescription]]
    /// A mutable model computes its hashes at each access.
    private let sourceHashes: [String: Data]
    private let destinationHashes: [String: Data]
    private let conflicts: [RenamingKey.Conflict]
    private(set) var problems: [InferenceProblem] = []

    init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        sourceEntities = source.entitiesByName
        destinationEntities = destination.entitiesByName
        sourceHashes = source.entityVersionHashesByName
        destinationHashes = destination.entityVersionHashesByName
        let keys = Self.sorted(destinationEntities).map { RenamingKey($0) }
        let sourceKeys = Self.sorted(sourceEntities).map { RenamingKey($0) }
        let names = RenamingKey.sources(of: keys, among: sourceKeys)
        conflicts = RenamingKey.conflicts(of: keys, among: sourceKeys, names)
        var sources: [String: NSEntityDescription] = [:]
        var destinations: [String: NSEntityDescription] = [:]
        for (name, sourceName) in names {
            sources[name] = sourceEntities[sourceName]
            destinations[sourceName] = destinationEntities[name]
        }
        var entitiesByAncestor: [String: [NSEntityDescription]] = [:]
        for entity in Self.sorted(sourceEntities) {
            var ancestor: NSEntityDescription? = entity
            while let current = ancestor {
                entitiesByAncestor[current.name ?? "", default: []].append(entity)
                ancestor = current.superentity
            }
        }
        self.sources = sources
        self.destinations = destinations
        self.entitiesByAncestor = entitiesByAncestor
    }

    mutating func infer() throws -> NSMappingModel {
        checkHierarchies()
        for conflict in conflicts {
            record(
                InferenceProblem(
                    kind: .entity, entityName: conflict.name, propertyName: nil, reason: conflict.reason,
                    remedy: conflict.remedy))
        }
        var mappings: [NSEntityMapping] = []
        for entity in Self.sorted(destinationEntities) {
            if let source = sources[entity.name ?? ""] {
                mappings.append(mapping(from: source, to: entity))
            } else {
                mappings.append(addition(of: entity))
            }
        }
        for entity in Self.sorted(sourceEntities) where destinations[entity.name ?? ""] == nil {
            mappings.append(removal(of: entity))
        }
        guard problems.isEmpty else { throw InferenceProblem.error(problems) }
        let model = NSMappingModel()
        model.entityMappings = mappings
        return model
    }

    /// The entities of the destination with their sources. Call it after ``infer()``, which finds the problems.
    func matchedEntities() -> [String: LightweightMapping.Entity] {
        destinationEntities.mapValues { entity in
            guard let source = sources[entity.name ?? ""] else {
                return LightweightMapping.Entity(
                    destination: entity, source: nil, attributes: [:], relationships: [:])
            }
            let properties = PropertyInference(from: source, to: entity)
            return LightweightMapping.Entity(
                destination: entity, source: source, attributes: properties.matchedAttributes(),
                relationships: properties.matchedRelationships())
        }
    }

    /// Records a problem once. Subentities have the problems of inherited properties too.
    mutating func record(_ problem: InferenceProblem) {
        if !problems.contains(problem) { problems.append(problem) }
    }

    private static func sorted(_ entities: [String: NSEntityDescription]) -> [NSEntityDescription] {
        entities.sortedBytewise { $0.key }.map(\.value)
    }

    // MARK: Entities

    private mutating func mapping(from source: NSEntityDescription, to destination: NSEntityDescription)
        -> NSEntityMapping
    {
        let isCopy = sourceHashes[source.name ?? ""] == destinationHashes[destination.name ?? ""]
        let mapping = NSEntityMapping()
        mapping.name = "IEM_\(isCopy ? "Copy" : "Transform")_\(destination.name ?? "")"
        mapping.mappingType = isCopy ? .copyEntityMappingType : .transformEntityMappingType
        set(source: source, of: mapping)
        set(destination: destination, of: mapping)
        let properties = PropertyInference(from: source, to: destination)
        mapping.attributeMappings = properties.attributeMappings { record($0) }
        mapping.relationshipMappings = properties.relationshipMappings(
            compatibleDestination: Self.canMove(entitiesByAncestor, destinations)
        ) { record($0) }
        return mapping
    }

    private func addition(of destination: NSEntityDescription) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = "IEM_Add_\(destination.name ?? "")"
        mapping.mappingType = .addEntityMappingType
        set(destination: destination, of: mapping)
        mapping.attributeMappings = PropertyInference.mapped(destination.attributesByName).map {
            NSPropertyMapping(name: $0.name, valueExpression: nil)
        }
        mapping.relationshipMappings = PropertyInference.mapped(destination.relationshipsByName).map {
            NSPropertyMapping(name: $0.name, valueExpression: nil)
        }
        return mapping
    }

    private func removal(of source: NSEntityDescription) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = "IEM_Remove_\(source.name ?? "")"
        mapping.mappingType = .removeEntityMappingType
        set(source: source, of: mapping)
        mapping.attributeMappings = []
        mapping.relationshipMappings = []
        return mapping
    }

    private func set(source: NSEntityDescription, of mapping: NSEntityMapping) {
        mapping.sourceEntityName = source.name
        mapping.sourceEntityVersionHash = sourceHashes[source.name ?? ""]
        mapping.sourceExpression = MappingExpressions.sourceObjects(ofEntity: source.name ?? "")
    }

    private func set(destination: NSEntityDescription, of mapping: NSEntityMapping) {
        mapping.destinationEntityName = destination.name
        mapping.destinationEntityVersionHash = destinationHashes[destination.name ?? ""]
    }

    // MARK: Hierarchies

    /// The entities of a hierarchy share a table. Entities of several hierarchies can't move into one.
    private mutating func checkHierarchies() {
        var origins: [String: (root: NSEntityDescription, entity: NSEntityDescription)] = [:]
        for entity in Self.sorted(destinationEntities) {
            guard let source = sources[entity.name ?? ""] else { continue }
            let root = entity.rootEntity.name ?? ""
            let sourceRoot = source.rootEntity
            guard let known = origins[root] else {
                origins[root] = (sourceRoot, entity)
                continue
            }
            if known.root !== sourceRoot {
                record(
                    InferenceProblem(
                        kind: .entity, entityName: entity.name ?? "", propertyName: nil,
                        reason: """
                            Source entities without a common parent can't have one in the destination: \
                            '\(source.name ?? "")' and '\(sources[known.entity.name ?? ""]?.name ?? "")' are in two \
                            hierarchies, '\(entity.name ?? "")' and '\(known.entity.name ?? "")' are both in that of \
                            '\(root)'
                            """,
                        remedy: "Keep the hierarchies separate, or write a mapping model."))
            }
        }
    }

    /// Whether all destination objects of a source relationship can be destination objects of the migrated
    /// relationship. Objects of removed entities don't count.
    private static func canMove(
        _ entitiesByAncestor: [String: [NSEntityDescription]], _ destinations: [String: NSEntityDescription]
    ) -> (NSEntityDescription, NSEntityDescription) -> Bool {
        { source, destination in
            (entitiesByAncestor[source.name ?? ""] ?? []).allSatisfy { entity in
                guard !entity.isAbstract, let target = destinations[entity.name ?? ""] else { return true }
                return target.isKindOf(entity: destination)
            }
        }
    }
}
