/// An entity with very many properties is slow to fetch.
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
