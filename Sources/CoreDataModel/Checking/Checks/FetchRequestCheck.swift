/// The keys in the predicates of templates, fetched properties, partial indexes and derivations must lead somewhere.
enum FetchRequestCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        let templates = model.fetchRequestTemplatesByName.sorted { $0.key.precedesBytewise($1.key) }.flatMap {
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

    /// What is wrong with the key paths in expressions that are evaluated for objects of an entity.
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
            guard let here = current else {
                if key == "length" { return nil }
                return "names '\(path)', but '\(key)' leads on from a value that is no object"
            }
            let candidates = reachable(from: here)
            guard let property = candidates.first(where: { $0.name == key }) else {
                let question = NearestNames.hint(for: key, in: candidates.map(\.name))
                return "names '\(path)', but entity '\(here.name ?? "")' has no property '\(key)'" + question
            }
            switch property {
            case let relationship as NSRelationshipDescription: current = relationship.destinationEntity
            // The parts of composites, and what hangs on a transformable value, are not the model's.
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

    /// A predicate on an entity may name what only its subentities have.
    private static func reachable(from entity: NSEntityDescription) -> [NSPropertyDescription] {
        var properties = entity.properties
        var entities = entity.subentities
        while let descendant = entities.popLast() {
            properties += descendant.ownProperties
            entities += descendant.subentities
        }
        return properties
    }
}
