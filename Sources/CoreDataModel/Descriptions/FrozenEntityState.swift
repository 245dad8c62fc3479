/// What follows from the definition of an entity, computed once when its model becomes immutable.
final class FrozenEntityState {
    let properties: [NSPropertyDescription]
    let propertiesByName: [String: NSPropertyDescription]
    let attributesByName: [String: NSAttributeDescription]
    let relationshipsByName: [String: NSRelationshipDescription]
    /// All ancestors; identities suffice, since the model keeps the entities alive.
    let ancestors: Set<ObjectIdentifier>
    let versionHash: Data

    init(of entity: NSEntityDescription) {
        properties = entity.collectProperties()
        propertiesByName = NSEntityDescription.byName(properties)
        attributesByName = NSEntityDescription.byName(properties.compactMap { $0 as? NSAttributeDescription })
        relationshipsByName = NSEntityDescription.byName(properties.compactMap { $0 as? NSRelationshipDescription })
        var ancestors: Set<ObjectIdentifier> = []
        var ancestor = entity.superentity
        while let current = ancestor {
            ancestors.insert(ObjectIdentifier(current))
            ancestor = current.superentity
        }
        self.ancestors = ancestors
        versionHash = entity.computeVersionHash()
    }
}
