/// Everything that a fetch request says, apart from its result type in Swift: what contexts and stores work with.
package struct FetchDescription {
    /// The entity whose objects are fetched; nil if only the name is known, or if the entity no longer exists.
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
    /// Whether the request keeps its entity alive. False for the request of a fetched property, which the entity itself
    /// or a related one owns: a strong reference would be a retain cycle.
    package var retainsEntity = true {
        didSet { if retainsEntity != oldValue { entity = entity } }
    }
    private var entityReference = EntityReference.none
    /// The name given instead of an entity; looked up in the model when the request is executed.
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

    /// The name of the entity, which is also known after an unretained entity was freed.
    package var entityName: String? {
        if let entity { return entity.name }
        if case .unretained(_, let name?) = entityReference { return name }
        return entityNameStorage
    }

    private enum EntityReference {
        case none
        case retained(NSEntityDescription)
        case unretained(BackReference<NSEntityDescription>, name: String?)
    }
}
