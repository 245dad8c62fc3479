/// Something in a model that makes it unusable: found by the readers of model files (thrown) and by `freeze()` (stops).
package struct ModelProblem {
    /// The entity concerned.
    package let entityName: String?
    /// The property, configuration or other key concerned.
    package let key: String?
    /// The whole sentence, with both names in it.
    package let message: String
}

extension NSManagedObjectModel {
    /// The first inconsistency: nameless or doubled entities, dangling parents, destinations, inverses.
    package final func firstProblem() -> ModelProblem? {
        var names: Set<String> = []
        for entity in entityStorage {
            guard let name = entity.nameStorage, !name.isEmpty else {
                return ModelProblem(entityName: nil, key: "name", message: "an entity has no name.")
            }
            guard names.insert(name).inserted else {
                return ModelProblem(entityName: name, key: "name", message: "two entities are named '\(name)'.")
            }
        }
        for entity in entityStorage {
            if let problem = entity.firstProblem(in: self) { return problem }
        }
        return nil
    }
}

extension NSEntityDescription {
    fileprivate func firstProblem(in model: NSManagedObjectModel) -> ModelProblem? {
        let name = nameStorage ?? ""
        if let parentName = superentityName, superentityStorage?.modelStorage !== model {
            return ModelProblem(
                entityName: name, key: "superentity",
                message: "the superentity '\(parentName)' of entity '\(name)' is not in the model.")
        }
        for child in subentityStorage where child.modelStorage !== model {
            return ModelProblem(
                entityName: name, key: "subentities",
                message: "the subentity '\(child.nameStorage ?? "")' of entity '\(name)' is not in the model's entities.")
        }
        var propertyNames: Set<String> = []
        for property in ownPropertyStorage {
            if property.nameStorage.isEmpty {
                return ModelProblem(entityName: name, key: "name", message: "a property of entity '\(name)' has no name.")
            }
            if !propertyNames.insert(property.nameStorage).inserted {
                return ModelProblem(
                    entityName: name, key: property.nameStorage,
                    message: "two properties of entity '\(name)' are named '\(property.nameStorage)'.")
            }
            if let problem = (property as? NSRelationshipDescription)?.firstProblem(in: model, entityName: name) {
                return problem
            }
        }
        return nil
    }
}

extension NSRelationshipDescription {
    fileprivate func firstProblem(in model: NSManagedObjectModel, entityName: String) -> ModelProblem? {
        guard let destination = destinationEntity, destination.owningModel === model else {
            let named = destinationEntityName.map { "the destination entity '\($0)'" } ?? "the destination entity"
            return ModelProblem(
                entityName: entityName, key: name,
                message: "\(named) of relationship '\(name)' of entity '\(entityName)' is not in the model.")
        }
        if let inverseName = inverseRelationshipName {
            guard let inverse = inverseRelationship, inverse.owningEntity?.owningModel === model,
                destination.isKindOf(entity: inverse.entity) || inverse.entity.isKindOf(entity: destination)
            else {
                return ModelProblem(
                    entityName: entityName, key: name,
                    message: "the inverse '\(inverseName)' of relationship '\(name)' of entity '\(entityName)' "
                        + "is no relationship of its destination entity '\(destination.name ?? "")'.")
            }
        }
        return nil
    }
}
