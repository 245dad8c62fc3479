// SPDX-License-Identifier: Apache-2.0

/// The options of a fetch request without its result type. Contexts and stores work with this value.
package struct FetchDescription {
    /// The entity whose objects are fetched; nil if only its name is known, and after an unretained entity was freed.
    package var entity: NSEntityDescription? {
        get {
            switch entityReference {
            case .none: nil
            case .retained(let entity): entity
            case .unretained(let reference, _): reference.target
            }
        }
        set {
            guard let newValue else {
                entityReference = .none
                return
            }
            entityReference =
                retainsEntity ? .retained(newValue) : .unretained(newValue.backReference, name: newValue.name)
        }
    }
    /// Whether the request retains its entity. False for the request of a fetched property: an entity owns its fetched
    /// properties, so a strong reference back to it would form a retain cycle.
    var retainsEntity = true {
        didSet { if retainsEntity != oldValue { entity = entity } }
    }
    private var entityReference = EntityReference.none
    /// The name given instead of an entity. It is resolved in the model when the request is executed.
    package var entityNameStorage: String?
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor]?
    package var fetchLimit = 0
    package var fetchOffset = 0
    package var fetchBatchSize = 0
    package var resultType: NSFetchRequestResultType = .managedObjectResultType
    package var includesSubentities = true
    package var includesPropertyValues = true
    package var includesPendingChanges = true
    package var returnsObjectsAsFaults = true
    package var returnsDistinctResults = false
    package var shouldRefreshRefetchedObjects = false
    /// Property descriptions or names.
    package var propertiesToFetch: [Any]?
    /// Property descriptions or names.
    package var propertiesToGroupBy: [Any]?
    package var havingPredicate: NSPredicate?
    package var relationshipKeyPathsForPrefetching: [String]?

    package init() {}

    /// The name of the entity, which is still known after an unretained entity was freed.
    package var entityName: String? {
        if let entity { return entity.name }
        if case .unretained(_, let name?) = entityReference { return name }
        return entityNameStorage
    }

    /// A list of properties with the descriptions of the entity in place of names. Key paths and other names stay.
    func resolved(_ properties: [Any]?) -> [Any]? {
        guard let entity, let properties else { return properties }
        return properties.map { property in
            (property as? String).flatMap { entity.propertiesByName[$0] } ?? property
        }
    }

    private enum EntityReference {
        case none
        case retained(NSEntityDescription)
        case unretained(BackReference<NSEntityDescription>, name: String?)
    }
}
