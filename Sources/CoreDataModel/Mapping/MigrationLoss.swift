// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The data that a migration deletes: the objects of entities that the new model doesn't have, and the values of
/// properties that it doesn't have.
///
/// A step with a mapping model loses the objects of entities that no entity mapping takes. The mapping model doesn't
/// tell which values its expressions and policies use.
package struct MigrationLoss {
    package struct Item {
        /// The entity, in the model of the store; for a property the entity that declares it.
        package let entity: NSEntityDescription
        /// Nil for the objects of the entity.
        package let property: NSPropertyDescription?
        /// The entities whose objects are concerned.
        package let entities: [NSEntityDescription]
    }

    /// Objects first, then values; each sorted by name.
    package let items: [Item]
    /// Whether the new model has none of the store's entities. Then it probably belongs to another store.
    package let isWhole: Bool

    /// The entities whose objects are deleted, in a sentence or two; nil if there are none.
    package var objectsText: String? {
        let names = items.filter { $0.property == nil }.compactMap(\.entity.name)
        guard !names.isEmpty else { return nil }
        if isWhole {
            return """
                The model has no entity of the store: it is probably the model of another store. A migration would \
                delete all objects.
                """
        }
        return """
            A migration would delete all objects of \(names.joined(separator: ", ")): check that this is the model of \
            the store.
            """
    }

    /// One entity of the store, on its way.
    private struct Passage {
        let entity: NSEntityDescription
        /// The entities that get its objects.
        var present: Set<String>
        /// The names in the store by the present names; nil after a step with a mapping model.
        var properties: [String: String]?
    }

    /// - Parameter route: the way of the migration.
    package init(of route: MigrationRoute) {
        var passages = (route.steps.first?.source.entities ?? []).filter { !$0.isAbstract }.map { entity in
            Passage(
                entity: entity, present: [entity.name ?? ""],
                properties: Dictionary(
                    uniqueKeysWithValues: entity.propertiesByName.filter { Self.hasValues($0.value) }.keys.map {
                        ($0, $0)
                    }))
        }
        let count = passages.count
        var lostObjects: [NSEntityDescription] = []
        var lostValues: [[String]: (NSPropertyDescription, [NSEntityDescription])] = [:]
        func lose(_ name: String, of entity: NSEntityDescription) {
            guard let property = entity.propertiesByName[name] else { return }
            lostValues[[Self.owner(of: name, entity).name ?? "", name], default: (property, [])].1.append(entity)
        }
        for step in route.steps {
            passages = passages.compactMap { passage in
                var passage = passage
                let before = passage.properties
                step.move(&passage.present, &passage.properties)
                if passage.present.isEmpty {
                    lostObjects.append(passage.entity)
                    return nil
                }
                let kept = Set(passage.properties.map(\.values) ?? before?.values ?? [:].values)
                for name in (before ?? [:]).values.sorted() where !kept.contains(name) {
                    lose(name, of: passage.entity)
                }
                return passage
            }
        }
        let removed = Set(lostObjects.map(ObjectIdentifier.init))
        let values = lostValues.values.filter { property, _ in
            Self.isCounted(property, among: lostValues.keys, removed)
        }.map { property, entities in
            Item(entity: Self.owner(of: property.name, entities[0]), property: property, entities: entities)
        }
        items =
            lostObjects.sortedBytewise { $0.name ?? "" }.map { Item(entity: $0, property: nil, entities: [$0]) }
            + values.sortedBytewise { "\($0.entity.name ?? "").\($0.property?.name ?? "")" }
        isWhole = count > 0 && lostObjects.count == count
    }

    /// Whether a store has values of a property that can't be computed again.
    private static func hasValues(_ property: NSPropertyDescription) -> Bool {
        !property.isTransient && !(property is NSFetchedPropertyDescription)
            && !(property is NSDerivedAttributeDescription)
    }

    /// The entity that declares a property.
    private static func owner(of name: String, _ entity: NSEntityDescription) -> NSEntityDescription {
        var owner = entity
        while let parent = owner.superentity, parent.propertiesByName[name] != nil { owner = parent }
        return owner
    }

    /// Of two sides of a relationship one is counted; a relationship to objects that are removed isn't.
    private static func isCounted(
        _ property: NSPropertyDescription, among lost: some Collection<[String]>, _ removed: Set<ObjectIdentifier>
    ) -> Bool {
        guard let relationship = property as? NSRelationshipDescription else { return true }
        if let destination = relationship.destinationEntity, removed.contains(ObjectIdentifier(destination)) {
            return false
        }
        guard let inverse = relationship.inverseRelationship, inverse !== relationship,
            lost.contains([inverse.entity.name ?? "", inverse.name])
        else { return true }
        if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
        return (relationship.entity.name ?? "", relationship.name) < (inverse.entity.name ?? "", inverse.name)
    }
}

extension MigrationRoute.Step {
    /// Follows the objects of an entity through the step.
    ///
    /// - Parameters:
    ///   - entities: the names of the entities of the objects, before and after the step.
    ///   - properties: the names of the objects' properties as keys, before and after the step.
    fileprivate func move(_ entities: inout Set<String>, _ properties: inout [String: String]?) {
        switch way {
        case .mappingModel(let known):
            let mappings: [NSEntityMapping] = known.model.entityMappings
            entities = Set(
                mappings.filter { entities.contains($0.sourceEntityName ?? "") }.compactMap(\.destinationEntityName))
            properties = nil
        case .inferred:
            guard let mapping = try? LightweightMapping(from: source, to: destination) else { return }
            let moved = mapping.entities.values.filter { $0.source.map { entities.contains($0.name ?? "") } ?? false }
            entities = Set(moved.compactMap(\.destination.name))
            guard let before = properties, let entity = moved.first else { return }
            var after: [String: String] = [:]
            for (name, attribute) in entity.attributes { after[name] = before[attribute.name] }
            for (name, relationship) in entity.relationships { after[name] = before[relationship.name] }
            properties = after
        }
    }
}
