// SPDX-License-Identifier: Apache-2.0

/// An abstract entity without subentities can't have objects.
enum AbstractEntityCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.entitiesByNameOrder.filter { $0.isAbstract && $0.subentities.isEmpty }.map { entity in
            ModelFinding(.warning, .abstract, entity, "\(entity.name ?? "") is an abstract entity that has no children")
        }
    }
}

/// Objects of an entity with many properties are slow to fetch.
enum PropertyCountCheck: ModelCheck {
    private static let limit = 100

    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.entitiesByNameOrder.filter { $0.properties.count > limit }.map { entity in
            ModelFinding(
                .warning, .propertyCount, entity,
                """
                \(entity.name ?? "") has \(entity.properties.count) properties; more than \(limit) are many for \
                one entity
                """
            )
        }
    }
}
