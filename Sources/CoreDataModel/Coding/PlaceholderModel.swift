// SPDX-License-Identifier: Apache-2.0

/// Makes a model for a description that belongs to none. Placeholder entities stand for the names that the description
/// refers to, and are removed after decoding.
enum PlaceholderModel {
    /// The placeholder for a missing name.
    private static let placeholderName = "(none)"

    // MARK: Writing

    /// A copy of an entity that has a name.
    static func entity(for entity: NSEntityDescription) -> NSEntityDescription {
        let copy = copied(entity)
        if (copy.name ?? "").isEmpty { copy.name = placeholderName }
        for property in copy.ownProperties where property.name.isEmpty { property.name = placeholderName }
        return copy
    }

    static func entity(containing property: NSPropertyDescription) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = placeholderName
        let copy = copied(property)
        if copy.name.isEmpty { copy.name = placeholderName }
        entity.properties = [copy]
        return entity
    }

    static func entity(containing index: NSFetchIndexDescription) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = placeholderName
        entity.indexes = [copied(index)]
        return entity
    }

    static func index(containing element: NSFetchIndexElementDescription) -> NSFetchIndexDescription {
        NSFetchIndexDescription(name: placeholderName, elements: [copied(element)])
    }

    /// A model that contains an entity, with placeholder entities and inverse relationships for the names that the
    /// entity refers to.
    static func model(containing entity: NSEntityDescription) -> NSManagedObjectModel {
        var others: [String: NSEntityDescription] = [:]
        func other(_ name: String) -> NSEntityDescription {
            if name == entity.name { return entity }
            let other = others[name] ?? NSEntityDescription()
            other.name = name
            others[name] = other
            return other
        }
        if let parent = entity.superentityName, parent != entity.name { _ = other(parent) }
        for case let relationship as NSRelationshipDescription in entity.ownProperties {
            let destination = other(relationship.destinationEntityName ?? placeholderName + placeholderName)
            relationship.destinationEntityName = destination.name
            guard let inverseName = relationship.inverseRelationshipName, destination !== entity,
                !destination.ownProperties.contains(where: { $0.name == inverseName })
            else { continue }
            let inverse = NSRelationshipDescription()
            inverse.name = inverseName
            inverse.destinationEntityName = entity.name
            destination.properties = destination.ownProperties + [inverse]
        }
        let model = NSManagedObjectModel()
        model.entities = [entity] + others.values
        return model
    }

    // MARK: Reading

    /// A copy of a description that belonged to no model, without placeholders.
    static func detached(_ part: any NSObject & NSCopying) -> AnyObject? {
        let copy = part.copy() as AnyObject
        switch copy {
        case let entity as NSEntityDescription:
            if entity.name == placeholderName { entity.name = nil }
            for property in entity.ownProperties { restore(property) }
        case let property as NSPropertyDescription: restore(property)
        case let index as NSFetchIndexDescription where index.name == placeholderName: index.name = ""
        default: break
        }
        return copy
    }

    private static func restore(_ property: NSPropertyDescription) {
        if property.name == placeholderName { property.name = "" }
        if let relationship = property as? NSRelationshipDescription,
            relationship.destinationEntityName == placeholderName + placeholderName
        {
            relationship.destinationEntityName = nil
        }
    }

    private static func copied<Part: NSObject & NSCopying>(_ part: Part) -> Part {
        guard let copy = part.copy() as? Part else {
            programmingError(
                """
                A copy of \(part) is of another class. Return an object of the same class from copy(with:) of \
                \(type(of: part)).
                """
            )
        }
        return copy
    }
}
