// SPDX-License-Identifier: Apache-2.0

/// An inconsistency that makes a model unusable. The readers of model files throw it; `freeze()` stops the program.
package struct ModelProblem {
    /// The entity concerned.
    let entityName: String?
    /// The property, configuration or other key concerned.
    let key: String?
    /// A complete sentence that contains both names.
    package let message: String
}

extension NSManagedObjectModel {
    /// The first inconsistency: missing or duplicate names; parents, destinations, inverses or indexed properties that
    /// don't exist; values of the wrong class.
    ///
    /// - Parameter isPartial: whether the model was made to archive one description. Then only inconsistencies that
    ///   prevent archiving count.
    package final func firstProblem(isPartial: Bool = false) -> ModelProblem? {
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
            if let problem = entity.firstProblem(in: self, isPartial: isPartial) { return problem }
        }
        return nil
    }
}

extension NSEntityDescription {
    fileprivate func firstProblem(in model: NSManagedObjectModel, isPartial: Bool) -> ModelProblem? {
        let name = nameStorage ?? ""
        if let parentName = superentityName, superentityStorage?.modelStorage !== model {
            return ModelProblem(
                entityName: name, key: "superentity",
                message: "the superentity '\(parentName)' of entity '\(name)' is not in the model.")
        }
        if !isWithinAncestorLimit {
            return ModelProblem(
                entityName: name, key: "superentity",
                message: "entity '\(name)' has more than \(NSEntityDescription.ancestorLimit) ancestors.")
        }
        for child in subentityStorage where child.modelStorage !== model {
            return ModelProblem(
                entityName: name, key: "subentities",
                message:
                    "the subentity '\(child.nameStorage ?? "")' of entity '\(name)' is not in the model's entities.")
        }
        var propertyNames: Set<String> = []
        for property in ownPropertyStorage {
            if property.nameStorage.isEmpty {
                return ModelProblem(
                    entityName: name, key: "name", message: "a property of entity '\(name)' has no name.")
            }
            if !propertyNames.insert(property.nameStorage).inserted {
                return ModelProblem(
                    entityName: name, key: property.nameStorage,
                    message: "two properties of entity '\(name)' are named '\(property.nameStorage)'.")
            }
            if let problem = (property as? NSRelationshipDescription)?.firstProblem(in: model, entityName: name)
                ?? (isPartial ? nil : (property as? NSAttributeDescription)?.firstProblem(entityName: name))
            {
                return problem
            }
        }
        if isPartial { return nil }
        if let problem = redeclarationProblem { return problem }
        return firstUnknownIndexedProperty.map { kind, propertyName in
            ModelProblem(
                entityName: name, key: propertyName,
                message: "\(kind) of entity '\(name)' names '\(propertyName)', which is not one of its properties.")
        }
    }

    private var isWithinAncestorLimit: Bool {
        var ancestor = superentityStorage
        for _ in 0..<NSEntityDescription.ancestorLimit {
            guard let current = ancestor else { return true }
            ancestor = current.superentityStorage
        }
        return ancestor == nil
    }

    /// The first name in an index or a constraint that is not a property of the entity, with the index or constraint.
    final var firstUnknownIndexedProperty: (kind: String, propertyName: String)? {
        func unknown(_ names: [String]) -> String? { names.first { property(named: $0) == nil } }
        for names in uniquenessConstraintNames {
            if let name = names.isEmpty ? "" : unknown(names) { return ("a uniqueness constraint", name) }
        }
        // The legacy form of a declared index repeats the index.
        let declared = Set(indexes.map { $0.elements.map { $0.propertyName ?? "" } })
        for names in compoundIndexNames where !declared.contains(names) {
            if let name = unknown(names) { return ("a compound index", name) }
        }
        for index in indexes {
            let columns = index.elements.filter { !($0.property is NSExpressionDescription) }
            if let name = unknown(columns.map { $0.propertyName ?? "" }) { return ("the index '\(index.name)'", name) }
        }
        return nil
    }
}

extension NSAttributeDescription {
    /// A default value of another class would stop the program when an object is inserted.
    fileprivate func firstProblem(entityName: String) -> ModelProblem? {
        if let value = defaultValue, !attributeType.accepts(value) {
            return ModelProblem(
                entityName: entityName, key: name,
                message: """
                    the default value of attribute '\(name)' of entity '\(entityName)' is of the class \
                    \(Swift.type(of: value)), which is not \
                    \(attributeType.defaultValueClassName ?? "a value of its type").
                    """)
        }
        return (self as? NSCompositeAttributeDescription)?.firstElementProblem(entityName: entityName)
    }
}

extension NSCompositeAttributeDescription {
    /// Elements are identified by their names. A default value is a dictionary of values for them.
    fileprivate func firstElementProblem(entityName: String) -> ModelProblem? {
        func problem(_ what: String) -> ModelProblem {
            ModelProblem(
                entityName: entityName, key: name,
                message: "the composite attribute '\(name)' of entity '\(entityName)' has \(what).")
        }
        var elementsByName: [String: NSAttributeDescription] = [:]
        for element in elements {
            if element.name.isEmpty { return problem("an element without a name") }
            if elementsByName.updateValue(element, forKey: element.name) != nil {
                return problem("two elements named '\(element.name)'")
            }
            if element is NSDerivedAttributeDescription {
                return problem(
                    """
                    the derived element '\(element.name)', but stores compute derived values only for attributes of \
                    an entity
                    """
                )
            }
            if let problem = element.firstProblem(entityName: entityName) { return problem }
        }
        guard let values = defaultValue as? [String: Any] else { return nil }
        for key in values.keys.sorted() {
            guard let element = elementsByName[key] else {
                return problem("a default value for '\(key)', which is not one of its elements")
            }
            if let value = values[key], !element.attributeType.accepts(value) {
                return problem("a default value for '\(key)' of the class \(Swift.type(of: value))")
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
                    message: """
                        the inverse '\(inverseName)' of relationship '\(name)' of entity '\(entityName)' is not a \
                        relationship of its destination entity '\(destination.name ?? "")'.
                        """)
            }
        }
        return nil
    }
}
