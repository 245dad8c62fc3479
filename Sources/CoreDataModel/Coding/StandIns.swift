/// A model for parts that belong to none: what they refer to by name is stood in for, and taken away again after
/// reading.
enum StandIns {
    /// Stands for a name that isn't there.
    private static let nameless = "(none)"

    // MARK: Writing

    /// A copy of an entity, with a name.
    static func entity(for entity: NSEntityDescription) -> NSEntityDescription {
        let copy = copied(entity)
        if (copy.name ?? "").isEmpty { copy.name = nameless }
        for property in copy.ownProperties where property.name.isEmpty { property.name = nameless }
        return copy
    }

    static func entity(holding property: NSPropertyDescription) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = nameless
        let copy = copied(property)
        if copy.name.isEmpty { copy.name = nameless }
        entity.properties = [copy]
        return entity
    }

    static func entity(holding index: NSFetchIndexDescription) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = nameless
        entity.indexes = [copied(index)]
        return entity
    }

    static func index(holding element: NSFetchIndexElementDescription) -> NSFetchIndexDescription {
        NSFetchIndexDescription(name: nameless, elements: [copied(element)])
    }

    /// A model of an entity that is in none, with entities and inverse relationships for the names in it.
    static func model(around entity: NSEntityDescription) -> NSManagedObjectModel {
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
            let destination = other(relationship.destinationEntityName ?? nameless + nameless)
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

    /// A copy of a part that belonged to no model, without what stood in.
    static func detached(_ part: any NSObject & NSCopying) -> AnyObject? {
        let copy = part.copy() as AnyObject
        switch copy {
        case let entity as NSEntityDescription:
            if entity.name == nameless { entity.name = nil }
            for property in entity.ownProperties { restore(property) }
        case let property as NSPropertyDescription: restore(property)
        case let index as NSFetchIndexDescription where index.name == nameless: index.name = ""
        default: break
        }
        return copy
    }

    private static func restore(_ property: NSPropertyDescription) {
        if property.name == nameless { property.name = "" }
        if let relationship = property as? NSRelationshipDescription,
            relationship.destinationEntityName == nameless + nameless
        {
            relationship.destinationEntityName = nil
        }
    }

    private static func copied<Part: NSObject & NSCopying>(_ part: Part) -> Part {
        guard let copy = part.copy() as? Part else {
            programmingError(
                "A copy of \(part) is of another class. Let copy(with:) of \(type(of: part)) give the same class.")
        }
        return copy
    }
}
