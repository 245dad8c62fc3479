/// A fetch request made ready: its entity is the context's own, and objects in its predicate have become IDs.
struct FetchPlan {
    let description: FetchDescription
    var query: StoreQuery
    /// The predicate as given, for unsaved objects.
    let predicate: NSPredicate?
    let affectedStores: [NSPersistentStore]?

    init(_ description: FetchDescription, context: NSManagedObjectContext, affectedStores: [NSPersistentStore]?) throws {
        self.description = description
        self.affectedStores = affectedStores
        let layouts = try context.requireCoordinator().layouts
        guard let name = description.entityName else {
            programmingError(
                "A fetch request must have an entity.", remedy: "Use NSFetchRequest(entityName:), or set its entity.")
        }
        guard let layout = layouts.byName[name] else {
            programmingError(
                "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'.",
                remedy: "The model has: \(layouts.byName.keys.sorted().joined(separator: ", ")).")
        }
        predicate = description.predicate
        query = StoreQuery(layout: layout)
        query.includesSubentities = description.includesSubentities
        query.predicate = description.predicate.map(PredicateObjects.replacingObjects)
        query.sortDescriptors = description.sortDescriptors ?? []
        query.limit = description.fetchLimit
        query.offset = description.fetchOffset
        query.returnsDistinctResults = description.returnsDistinctResults
        query.projection = try ProjectionBuilder.projection(of: description, layout: layout)
    }

    private func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard query.layout.span > 0 else { return SortedObjects.sort(objects, by: query.sortDescriptors) }
        // A subentity may lack the key that another one is sorted by.
        return SortedObjects.sort(objects.map(PendingObject.init), by: query.sortDescriptors).map(\.object)
    }

    /// Sorts, then takes the part that offset and limit name.
    func arrange(_ objects: [NSManagedObject], isSorted: Bool) -> [NSManagedObject] {
        var objects = objects
        if !isSorted && !query.sortDescriptors.isEmpty { objects = sorted(objects) }
        if query.offset > 0 { objects = Array(objects.dropFirst(query.offset)) }
        if query.limit > 0 { objects = Array(objects.prefix(query.limit)) }
        return objects
    }
}
