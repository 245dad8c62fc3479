// SPDX-License-Identifier: Apache-2.0

extension NSEntityDescription {
    /// The properties that this entity itself declares, in the order of declaration.
    package final var ownProperties: [NSPropertyDescription] { ownPropertyStorage }

    /// A declared or inherited property by name. Builds no dictionary.
    package final func property(named name: String) -> NSPropertyDescription? {
        if let frozenState { return frozenState.propertiesByName[name] }
        var entity: NSEntityDescription? = self
        while let current = entity {
            if let property = current.ownProperty(named: name) { return property }
            entity = current.superentityStorage
        }
        return nil
    }

    /// A declared property by name.
    final func ownProperty(named name: String) -> NSPropertyDescription? {
        propertyNameIndex.element(named: name, in: ownPropertyStorage) { $0.nameStorage }
    }

    /// Assigns the declared properties. Properties that belong to another entity are copied.
    final func assignProperties(_ properties: [NSPropertyDescription]) {
        var assigned: [NSPropertyDescription] = []
        for property in properties {
            if let owner = property.entityStorage, owner !== self {
                if isKindOf(entity: owner) { continue }
                guard let copy = property.copy() as? NSPropertyDescription else { continue }
                assigned.append(copy)
            } else {
                assigned.append(property)
            }
        }
        let identifiers = Set(assigned.map(ObjectIdentifier.init))
        for property in ownPropertyStorage where !identifiers.contains(ObjectIdentifier(property)) {
            property.entityStorage = nil
        }
        for property in assigned {
            property.entityStorage = self
            property.decodedModel = nil
        }
        ownPropertyStorage = assigned
    }

    /// A property that a subentity redeclares replaces the inherited one.
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
    /// An iterator over all properties, declared and inherited.
    public final func makeIterator() -> AnyIterator<Any> {
        var iterator = properties.makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension NSEntityDescription {
    /// Whether a key path from an object of the entity contains a to-many relationship.
    package final func crossesToManyRelationship(_ path: ArraySlice<String>) -> Bool {
        var entity: NSEntityDescription? = self
        for key in path {
            guard let relationship = entity?.relationshipsByName[key] else { return false }
            if relationship.isToMany { return true }
            entity = relationship.destinationEntity
        }
        return false
    }
}
