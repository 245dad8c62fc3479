/// Everything that a fetch request says, apart from its result type in Swift: what contexts and stores work with.
package struct FetchDescription {
    package var entity: NSEntityDescription?
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

    package var entityName: String? { entity?.name ?? entityNameStorage }
}
