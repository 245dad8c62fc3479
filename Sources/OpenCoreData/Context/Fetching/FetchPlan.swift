// SPDX-License-Identifier: Apache-2.0

/// A fetch request that was checked and translated for the stores: its entity belongs to the context's model, and IDs
/// replace the objects in its predicate.
struct FetchPlan {
    let description: FetchDescription
    var query: StoreQuery
    /// The predicate of the request, for unsaved objects.
    let predicate: NSPredicate?
    /// The stores that are read.
    private(set) var scope: FetchScope
    /// The relationships that are read together with the objects.
    let prefetch: Prefetch?
    /// How many rows are read at once when one object of a batch needs its values; 0 if the fetch reads all rows.
    let batchSize: Int
    /// The indexes of the properties whose values are read for faults; nil for all.
    let partialProperties: Set<Int>?
    /// Whether the fetch reads keys without values.
    let fetchesKeysOnly: Bool

    /// - Parameters:
    ///   - predicate: the predicate of the request, converted for the entity.
    ///   - storePredicate: the predicate for the stores, with IDs in place of objects.
    /// - Throws: `NSCoreDataError` (134060) for a part of the request that doesn't fit the entity.
    fileprivate init(
        _ description: FetchDescription, scope: FetchScope, predicate: NSPredicate?, storePredicate: NSPredicate?
    ) throws {
        let layout = scope.layout
        self.description = description
        self.scope = scope
        self.predicate = predicate
        query = StoreQuery(layout: layout)
        query.includesSubentities = description.includesSubentities
        query.predicate = storePredicate
        query.sortDescriptors = description.sortDescriptors ?? []
        query.limit = description.fetchLimit
        query.offset = description.fetchOffset
        query.control = FetchControl.current
        query.returnsDistinctResults = description.returnsDistinctResults
        query.projection = try ProjectionBuilder.projection(of: description, layout: layout)
        let givesObjects = description.resultType == .managedObjectResultType
        prefetch = givesObjects ? Prefetch(description.relationshipKeyPathsForPrefetching, layout: layout) : nil
        let isBatched =
            givesObjects && description.fetchBatchSize > 0
            && (query.limit <= 0 || query.limit > description.fetchBatchSize)
        batchSize = isBatched ? description.fetchBatchSize : 0
        let properties =
            givesObjects ? try PropertiesToFetch.indexes(description.propertiesToFetch, layout: layout) : nil
        partialProperties =
            description.returnsObjectsAsFaults && !description.shouldRefreshRefetchedObjects ? properties : nil
        query.properties = partialProperties
        fetchesKeysOnly = isBatched || (!description.includesPropertyValues && description.returnsObjectsAsFaults)
    }

    /// - Throws: `NSCoreDataError` (134060) for a tree that is too deep for the thread's stack.
    fileprivate static func checkDepth(of description: FetchDescription) throws {
        let entity = description.entityName ?? ""
        if let predicate = description.predicate { try check(levels: predicate.levelCount, "predicate", entity) }
        if let having = description.havingPredicate { try check(levels: having.levelCount, "havingPredicate", entity) }
        let properties = (description.propertiesToFetch ?? []) + (description.propertiesToGroupBy ?? [])
        for case let property as NSExpressionDescription in properties {
            if let expression = property.expression { try check(levels: expression.levelCount, property.name, entity) }
        }
    }

    /// Refuses a tree that is too deep for the thread's stack: the stores' translation walks it by recursion.
    ///
    /// - Throws: `NSCoreDataError` (134060).
    static func check(levels: Int, _ part: String, _ entity: String) throws {
        guard !StackSpace.isEnough(forLevels: levels) else { return }
        throw CoreDataErrors.error(
            NSCoreDataError, "The request on \(entity) can't be executed: its \(part) is too deep.",
            reason: "It has \(levels) levels, and the thread has too little stack to translate them.",
            suggestion: "Join more operands at each level: a compound predicate takes a list, IN a collection.",
            userInfo: ["entity": entity, "part": part])
    }

    /// The plan without its query generation, for a batch, which lives longer than the fetch and must not retain it.
    var withoutGeneration: FetchPlan {
        var plan = self
        plan.scope = FetchScope(
            layout: scope.layout, affectedStores: scope.affectedStores, generation: nil, requester: scope.requester,
            description: scope.description)
        return plan
    }

    var isSorted: Bool { !query.sortDescriptors.isEmpty }

    /// Sorts objects. Where there are subentities a missing key counts as nil.
    func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard query.layout.span > 0 else { return SortedObjects.sort(objects, by: query.sortDescriptors) }
        return SortedObjects.sort(objects.map(PendingObject.init), by: query.sortDescriptors).map(\.object)
    }

    /// Merges two sorted lists of objects.
    func merging(_ additions: [NSManagedObject], into objects: [NSManagedObject]) -> [NSManagedObject] {
        let isWrapping = query.layout.span > 0
        return SortedObjects.inserting(additions, into: objects, by: query.sortDescriptors) {
            isWrapping ? PendingObject($0) : $0
        }
    }

    /// The elements that offset and limit select.
    func slice<Element>(_ elements: [Element]) -> [Element] {
        if query.offset == 0 && (query.limit == 0 || query.limit >= elements.count) { return elements }
        let rest = elements.dropFirst(query.offset)
        return Array(query.limit > 0 ? rest.prefix(query.limit) : rest)
    }

    /// The number of elements that offset and limit select.
    func slice(count: Int) -> Int {
        let rest = max(0, count - query.offset)
        return query.limit > 0 ? min(rest, query.limit) : rest
    }
}

extension NSManagedObjectContext {
    /// The plan of a fetch by this context. Pins the context to a query generation if this is due, and executes the
    /// fetches in the predicate that no store can run.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a part of the request that doesn't fit the entity, and the errors of
    ///   these fetches. Stops the program for a request without an entity, or with one that the model doesn't have.
    final func fetchPlan(_ description: FetchDescription, affectedStores: [NSPersistentStore]?) throws -> FetchPlan {
        applyPermanentKeys()
        let layouts = try requireCoordinator().layouts
        guard let name = description.entityName else {
            programmingError(
                "A fetch request must have an entity.", remedy: "Use NSFetchRequest(entityName:), or set its entity.")
        }
        guard let layout = layouts.byName[name] else {
            programmingError(
                "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'."
                    + NearestNames.suggestion(for: name, in: layouts.byName.keys),
                remedy: "The model has: \(layouts.byName.keys.sorted().joined(separator: ", ")).")
        }
        let scope = FetchScope(
            layout: layout, affectedStores: affectedStores, generation: try generationForReading(), requester: handle,
            description: description)
        try FetchPlan.checkDepth(of: description)
        let predicate = description.predicate.map(ConstantConversion(layout).converting)
        let storePredicate = try predicate.map { predicate in
            PredicateObjects.replacingObjects(
                try PredicateFetches(context: self, scope: scope).replacing(predicate))
        }
        return try FetchPlan(description, scope: scope, predicate: predicate, storePredicate: storePredicate)
    }
}

/// Checks the `propertiesToFetch` of a fetch of objects.
enum PropertiesToFetch {
    /// The indexes of the properties in the layout; nil for all.
    ///
    /// - Parameter properties: property descriptions or names.
    /// - Throws: `NSCoreDataError` (134060) for anything but an attribute or a to-one relationship of the
    ///   entity.
    static func indexes(_ properties: [Any]?, layout: EntityLayout) throws -> Set<Int>? {
        guard let properties, !properties.isEmpty else { return nil }
        return Set(
            try properties.map { property in
                let name = (property as? String) ?? (property as? NSPropertyDescription)?.name ?? "\(property)"
                if property is NSExpressionDescription {
                    throw refusal(
                        "the expression '\(name)'",
                        "only dictionaries have values of expressions: set resultType to dictionaryResultType", layout)
                }
                // An element is read with its composite attribute.
                let key = name.contains(".") ? KeyPathEvaluation.split(name)[0] : name
                guard let slot = layout.slot(named: key), key == name || slot.kind == .composite else {
                    throw refusal(
                        "'\(name)'",
                        """
                        the entity has no such property; it has: \
                        \(layout.properties.map(\.name).sorted().joined(separator: ", "))
                        """,
                        layout)
                }
                guard slot.cell >= 0 else {
                    throw refusal("'\(name)'", "it is no attribute or to-one relationship", layout)
                }
                return slot.index
            })
    }

    private static func refusal(_ part: String, _ reason: String, _ layout: EntityLayout) -> NSError {
        CoreDataErrors.error(
            NSCoreDataError,
            message:
                "propertiesToFetch of a fetch of objects of entity \(layout.name) can't have \(part): \(reason).",
            reason: reason,
            userInfo: [
                "entity": layout.name, "part": part, CoreDataErrors.requestPropertyKey: "propertiesToFetch",
            ])
    }
}
