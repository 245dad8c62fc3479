/// An abstract entity without children has no objects at all.
enum AbstractEntityCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.entitiesByNameOrder.filter { $0.isAbstract && $0.subentities.isEmpty }.map { entity in
            ModelFinding(.warning, .abstract, entity, "\(entity.name ?? "") is an abstract entity that has no children")
        }
    }
}
