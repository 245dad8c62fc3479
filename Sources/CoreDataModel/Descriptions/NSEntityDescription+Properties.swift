extension NSEntityDescription {
    /// All properties: the inherited ones first, then those that the entity declares, each in the order of declaration.
    ///
    /// Setting it sets the declared ones; inherited properties in the list are left out, and a property that belongs to
    /// an unrelated entity is copied.
    public final var properties: [NSPropertyDescription] {
        get { frozenState?.properties ?? collectProperties() }
        set {
            willModify("properties")
            adopt(newValue)
        }
    }

    /// The properties that this entity itself declares, in the order of declaration.
    package final var ownProperties: [NSPropertyDescription] { ownPropertyStorage }

    /// All properties, own and inherited, by name.
    public final var propertiesByName: [String: NSPropertyDescription] {
        frozenState?.propertiesByName ?? Self.byName(collectProperties())
    }

    /// All attributes, own and inherited, by name.
    public final var attributesByName: [String: NSAttributeDescription] {
        frozenState?.attributesByName ?? Self.byName(collectProperties().compactMap { $0 as? NSAttributeDescription })
    }

    /// All relationships, own and inherited, by name.
    public final var relationshipsByName: [String: NSRelationshipDescription] {
        frozenState?.relationshipsByName
            ?? Self.byName(collectProperties().compactMap { $0 as? NSRelationshipDescription })
    }

    /// All relationships, own and inherited, whose destination is the given entity.
    ///
    /// - Parameter entity: the destination; its own ancestors don't count.
    /// - Returns: the relationships in the order of `properties`.
    public final func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { property in
            guard let relationship = property as? NSRelationshipDescription else { return nil }
            return relationship.destinationEntity === entity ? relationship : nil
        }
    }

    /// A property, own or inherited, by name, without building a dictionary.
    package final func property(named name: String) -> NSPropertyDescription? {
        if let frozenState { return frozenState.propertiesByName[name] }
        var entity: NSEntityDescription? = self
        while let current = entity {
            if let property = current.ownPropertyStorage.last(where: { $0.nameStorage == name }) { return property }
            entity = current.superentityStorage
        }
        return nil
    }

    /// Takes the declared properties over, copying those that belong elsewhere.
    final func adopt(_ properties: [NSPropertyDescription]) {
        var adopted: [NSPropertyDescription] = []
        for property in properties {
            if let owner = property.entityStorage, owner !== self {
                if isKindOf(entity: owner) { continue }
                guard let copy = property.copy() as? NSPropertyDescription else { continue }
                adopted.append(copy)
            } else {
                adopted.append(property)
            }
        }
        for property in ownPropertyStorage where !adopted.contains(where: { $0 === property }) {
            property.entityStorage = nil
        }
        for property in adopted {
            property.entityStorage = self
            property.decodedModel = nil
        }
        ownPropertyStorage = adopted
    }

    /// A property that a subentity declares again takes the place of the inherited one.
    final func collectProperties() -> [NSPropertyDescription] {
        guard let superentityStorage else { return ownPropertyStorage }
        let ownNames = Set(ownPropertyStorage.map(\.nameStorage))
        return superentityStorage.properties.filter { !ownNames.contains($0.nameStorage) } + ownPropertyStorage
    }

    static func byName<Property: NSPropertyDescription>(_ properties: [Property]) -> [String: Property] {
        Dictionary(properties.map { ($0.nameStorage, $0) }, uniquingKeysWith: { $1 })
    }
}

extension NSEntityDescription: Sequence {
    /// Iterates over the properties, inherited ones included.
    public final func makeIterator() -> AnyIterator<Any> {
        var iterator = properties.makeIterator()
        return AnyIterator { iterator.next() }
    }
}
