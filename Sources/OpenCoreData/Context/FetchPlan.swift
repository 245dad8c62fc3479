/// A fetch request made ready: its entity is the context's own, and objects in its predicate have become IDs.
struct FetchPlan {
    let description: FetchDescription
    var query: StoreQuery
    /// The predicate as given, for unsaved objects.
    let predicate: NSPredicate?
    let affectedStores: [NSPersistentStore]?
    /// What the stores are read from, and the query generation that is part of.
    private(set) var sources: [any SnapshotSource]
    private(set) var generation: QueryGeneration?
    /// What is read together with objects.
    let prefetch: Prefetch?
    /// How many objects are read at once when one of them needs its values; 0 if all are read with the fetch.
    let batchSize: Int
    /// Positions of the properties whose values come with faults; nil for all, and where objects don't come as faults.
    let partialProperties: Set<Int>?
    /// Whether the stores are asked for keys alone.
    let fetchesKeysOnly: Bool

    init(_ description: FetchDescription, context: NSManagedObjectContext, affectedStores: [NSPersistentStore]?) throws
    {
        context.applyPermanentKeys()
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
        let sources = try context.sources(for: layout, among: affectedStores)
        self.sources = sources
        generation = context.pinnedGeneration
        predicate = description.predicate
        query = StoreQuery(layout: layout)
        query.includesSubentities = description.includesSubentities
        query.predicate = try description.predicate.map { predicate in
            PredicateObjects.replacingObjects(
                try PredicateFetches(context: context, stores: sources).replacing(predicate))
        }
        query.sortDescriptors = description.sortDescriptors ?? []
        query.limit = description.fetchLimit
        query.offset = description.fetchOffset
        query.returnsDistinctResults = description.returnsDistinctResults
        query.projection = try ProjectionBuilder.projection(of: description, layout: layout)
        let givesObjects = description.resultType == .managedObjectResultType
        prefetch = givesObjects ? try Prefetch(description.relationshipKeyPathsForPrefetching, layout: layout) : nil
        let isBatched =
            givesObjects && description.fetchBatchSize > 0
            && (query.limit <= 0 || query.limit > description.fetchBatchSize)
        batchSize = isBatched ? description.fetchBatchSize : 0
        let properties =
            givesObjects ? try FetchedProperties.positions(description.propertiesToFetch, layout: layout) : nil
        partialProperties =
            description.returnsObjectsAsFaults && !description.shouldRefreshRefetchedObjects ? properties : nil
        query.properties = partialProperties
        fetchesKeysOnly = isBatched || (!description.includesPropertyValues && description.returnsObjectsAsFaults)
    }

    /// The plan without what it reads from, for who keeps it longer than the fetch.
    var detached: FetchPlan {
        var plan = self
        plan.sources = []
        plan.generation = nil
        return plan
    }

    var isSorted: Bool { !query.sortDescriptors.isEmpty }

    /// Objects as sort descriptors see them: a subentity may lack the key that another one is sorted by.
    func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard query.layout.span > 0 else { return SortedObjects.sort(objects, by: query.sortDescriptors) }
        return SortedObjects.sort(objects.map(PendingObject.init), by: query.sortDescriptors).map(\.object)
    }

    /// Sorted objects with others, which are sorted too, in their places among them.
    func inserting(_ additions: [NSManagedObject], into objects: [NSManagedObject]) -> [NSManagedObject] {
        let isWrapping = query.layout.span > 0
        return SortedObjects.inserting(additions, into: objects, by: query.sortDescriptors) {
            isWrapping ? PendingObject($0) : $0
        }
    }

    /// The part that offset and limit name.
    func slice<Element>(_ elements: [Element]) -> [Element] {
        if query.offset == 0 && (query.limit == 0 || query.limit >= elements.count) { return elements }
        let rest = elements.dropFirst(query.offset)
        return Array(query.limit > 0 ? rest.prefix(query.limit) : rest)
    }

    /// How many of a number of results offset and limit leave.
    func slice(count: Int) -> Int {
        let rest = max(0, count - query.offset)
        return query.limit > 0 ? min(rest, query.limit) : rest
    }
}
