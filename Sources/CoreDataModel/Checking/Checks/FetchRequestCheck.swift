// SPDX-License-Identifier: Apache-2.0

/// The keys in the predicates of templates, fetched properties, partial indexes and derivations must exist.
enum FetchRequestCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        let templates = model.fetchRequestTemplatesByName.sortedBytewise { $0.key }.flatMap {
            name, request in
            problems(of: request.predicate?.expressions ?? [], from: request.entityName.flatMap(model.entity(named:)))
                .map {
                    ModelFinding(
                        .warning, .fetchRequest, entity: request.entityName, key: name,
                        "the fetch request '\(name)' \($0)")
                }
        }
        let properties = model.flatMapOwnProperties { (entity, property: NSPropertyDescription) in
            problems(of: property, in: entity, model).map {
                ModelFinding(.warning, .fetchRequest, entity, property, $0)
            }
        }
        let indexes = model.entitiesByNameOrder.flatMap { entity in
            entity.indexes.flatMap { index in
                problems(of: index.partialIndexPredicate?.expressions ?? [], from: entity).map {
                    ModelFinding(
                        .warning, .fetchRequest, entity, key: index.name,
                        "the index '\(index.name)' of entity '\(entity.name ?? "")' \($0)")
                }
            }
        }
        return properties + indexes + templates
    }

    private static func problems(
        of property: NSPropertyDescription, in entity: NSEntityDescription, _ model: NSManagedObjectModel
    ) -> [String] {
        switch property {
        case let fetched as NSFetchedPropertyDescription:
            guard let request = fetched.fetchRequest else { return ["has no fetch request"] }
            return problems(
                of: request.predicate?.expressions ?? [], from: request.entityName.flatMap(model.entity(named:)))
        case let derived as NSDerivedAttributeDescription:
            return problems(of: derived.derivationExpression.map { [$0] } ?? [], from: entity)
        default: return []
        }
    }

    /// The problems of key paths in expressions that are evaluated with objects of an entity.
    private static func problems(of expressions: [NSExpression], from entity: NSEntityDescription?) -> [String] {
        guard let entity else { return [] }
        return expressions.flatMap { expression -> [String] in
            guard expression.expressionType == .keyPath else {
                return problems(of: expression.node.children, from: entity)
            }
            return problem(of: expression.keyPath, from: entity).map { [$0] } ?? []
        }
    }

    private static func problem(of path: String, from entity: NSEntityDescription) -> String? {
        var current: NSEntityDescription? = entity
        for key in path.split(separator: ".").map(String.init) {
            if key.hasPrefix("@") || ["self", "entity", "objectID"].contains(key) { return nil }
            guard let owner = current else {
                if key == "length" { return nil }
                return "names '\(path)', but '\(key)' follows a value that is not an object"
            }
            let candidates = propertiesIncludingSubentities(from: owner)
            guard let property = candidates.first(where: { $0.name == key }) else {
                let suggestion = NearestNames.findingSuggestion(for: key, in: candidates)
                return "names '\(path)', but entity '\(owner.name ?? "")' has no property '\(key)'" + suggestion
            }
            switch property {
            case let relationship as NSRelationshipDescription: current = relationship.destinationEntity
            // The model doesn't describe the keys of composite and transformable values.
            case let attribute as NSAttributeDescription
            where [.compositeAttributeType, .transformableAttributeType, .undefinedAttributeType].contains(
                attribute.attributeType):
                return nil
            case is NSFetchedPropertyDescription: return nil
            default: current = nil
            }
        }
        return nil
    }

    /// The properties of an entity and its subentities. A predicate can use all of them.
    private static func propertiesIncludingSubentities(from entity: NSEntityDescription) -> [NSPropertyDescription] {
        var properties = entity.properties
        var entities = entity.subentities
        while let descendant = entities.popLast() {
            properties += descendant.ownProperties
            entities += descendant.subentities
        }
        return properties
    }
}
