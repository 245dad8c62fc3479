// SPDX-License-Identifier: Apache-2.0

/// The steps of a fetch, in order: `FetchPlan` checks and translates the request, `PendingOverlay` collects the unsaved
/// changes that concern it, `ObjectFetch` fetches from the stores, and the rows become registered objects here.
extension NSManagedObjectContext {
    /// Fetches the objects, IDs, dictionaries or count that a request describes.
    ///
    /// ```swift
    /// func books(by author: NSManagedObject, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    ///     let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    ///     request.predicate = NSPredicate(format: "author == %@ AND pages > %d", author, 100)
    ///     request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    ///     request.fetchLimit = 20
    ///     return try context.fetch(request)
    /// }
    /// ```
    ///
    /// A SQLite store runs one statement, whose values are bound:
    ///
    /// ```sql
    /// SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZTITLE, t0.ZPAGES, t0.ZAUTHOR FROM ZBOOK t0
    /// WHERE (t0.ZAUTHOR = ? AND t0.ZPAGES > ?) ORDER BY t0.ZTITLE COLLATE NSCollateFinderlike LIMIT ?
    /// ```
    ///
    /// Each relationship of `relationshipKeyPathsForPrefetching` adds one statement. With `fetchBatchSize` the fetch
    /// reads keys alone, and each batch is one statement when one of its objects is first used.
    ///
    /// Unsaved changes count: changed, inserted and deleted objects of this context and its parents match with their
    /// present values, unless `includesPendingChanges` is false or the results are dictionaries. The objects are
    /// uniqued: a registered object is returned as it is, and keeps its values unless `shouldRefreshRefetchedObjects`
    /// is set.
    ///
    /// For a context of a subclass it calls ``fetch(_:)-(NSFetchRequest<NSFetchRequestResult>)``, which can be
    /// overridden. Call it on the context's queue.
    ///
    /// Stops the program for a request without an entity, for an entity that the model doesn't have, and if the results
    /// aren't of the request's type.
    ///
    /// - Parameter request: what to fetch. Its generic parameter is the type of the results: a class of managed
    ///   objects, `NSManagedObjectID`, `NSDictionary` or `[String: Any]`, or `NSNumber`, as its `resultType` demands.
    /// - Returns: the results, in the order of the request's sort descriptors.
    /// - Throws: `NSCoreDataError` (134060) for a key path or property that the entity doesn't have, an error that
    ///   names the part of the predicate which the store can't evaluate, `NSPersistentStoreOperationError` (134070) if
    ///   the store can't be read, and other errors of the store.
    public final func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        checkQueue()
        resolveEntity(of: request)
        return isSubclass ? try overriddenFetch(request) : try fetchTyped(request)
    }

    /// Fetches without calling the open function, also in a context of a subclass.
    package final func fetchDirectly<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        checkQueue()
        resolveEntity(of: request)
        return try fetchTyped(request)
    }

    /// Fetches, without calling the open function.
    final func fetchTyped<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        if let type = T.self as? NSManagedObject.Type { ManagedObjectClasses.register(type) }
        let plan = try fetchPlan(request.fetchDescription, affectedStores: request.affectedStores)
        switch request.fetchDescription.resultType {
        case .managedObjectResultType: return typed(try fetchedObjects(plan), request)
        case .dictionaryResultType:
            return try requireCoordinator().swiftDictionaries(plan, as: T.self) ?? typed(try results(plan), request)
        case .managedObjectIDResultType:
            let ids = try objectIDs(plan)
            return FetchedArray.ids(ids, as: T.self) ?? typed(ids as [Any], request)
        default: return typed(try results(plan), request)
        }
    }

    /// Objects as an array of the request's type.
    final func typed<T>(_ fetched: FetchedObjects, _ request: NSFetchRequest<T>) -> [T] {
        guard let typed = FetchedArray.objects(fetched.objects, haveOneClass: fetched.areNew, as: T.self) else {
            wrongType(request, fetched.objects[0])
        }
        return typed
    }

    /// Results as an array of the request's type.
    final func typed<T>(_ results: [Any], _ request: NSFetchRequest<T>) -> [T] {
        guard let typed = results as? [T] else { wrongType(request, results[0]) }
        return typed
    }

    private func wrongType<T>(_ request: NSFetchRequest<T>, _ result: Any) -> Never {
        programmingError(
            "A fetch for entity '\(request.entityName ?? "")' returns \(type(of: result)), not \(T.self).",
            remedy: """
                Make the NSFetchRequest for the class of the entity, or for the type of its resultType. Register the \
                class if the model names it without its module.
                """
        )
    }

    /// The results of a request of any type.
    final func fetchResults(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try results(try fetchPlan(request.fetchDescription, affectedStores: request.affectedStores))
    }

    /// Counts the results that a fetch of a request would have, without fetching them.
    ///
    /// ```swift
    /// func hasBooks(_ context: NSManagedObjectContext) throws -> Bool {
    ///     try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) > 0
    /// }
    /// ```
    ///
    /// A SQLite store runs `SELECT COUNT(*) FROM ZBOOK t0`, with the request's condition. The request's offset and
    /// limit apply. If saved objects have unsaved changes that concern the request, a second `SELECT COUNT(*)` counts
    /// their rows.
    ///
    /// For a context of a subclass it calls ``count(for:)-(NSFetchRequest<NSFetchRequestResult>)``, which can be
    /// overridden. Call it on the context's queue.
    ///
    /// - Parameter request: what to count.
    /// - Returns: the number of results.
    /// - Throws: what ``fetch(_:)-(NSFetchRequest<T>)`` throws.
    public final func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        checkQueue()
        resolveEntity(of: request)
        return isSubclass ? try count(for: NSFetchRequest(general: request)) : try countResults(request)
    }

    /// Counts, without calling the open function.
    final func countResults<T>(_ request: NSFetchRequest<T>) throws -> Int {
        let plan = try fetchPlan(request.fetchDescription, affectedStores: request.affectedStores)
        return plan.query.projection == nil ? try count(plan) : try requireCoordinator().dictionaryCount(plan)
    }

    /// Gives a request that was made with the name of an entity the entity of the context's model.
    final func resolveEntity(of request: NSPersistentStoreRequest) {
        guard request.fetchDescriptionStorage?.entity == nil, let coordinator = handle.coordinator else { return }
        request.resolveEntity(in: coordinator.managedObjectModel)
    }

    // MARK: Subclasses

    /// Whether the context's class may override the functions for requests of any type.
    private var isSubclass: Bool { type(of: self) != NSManagedObjectContext.self }

    /// Fetches through the open function, so that a subclass sees the request.
    private func overriddenFetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        if let type = T.self as? NSManagedObject.Type { ManagedObjectClasses.register(type) }
        let results = try fetch(NSFetchRequest(general: request))
        guard T.self == [String: Any].self else { return typed(results, request) }
        return typed(results.map { ($0 as? NSDictionary).map(Self.swiftDictionary) ?? $0 }, request)
    }

    private static func swiftDictionary(_ dictionary: NSDictionary) -> Any {
        var result = [String: Any](minimumCapacity: dictionary.count)
        for (key, value) in dictionary { if let key = key as? String { result[key] = value } }
        return result
    }

    // MARK: Results

    private func results(_ plan: FetchPlan) throws -> [Any] {
        switch plan.description.resultType {
        case .managedObjectIDResultType:
            return try objectIDs(plan)
        case .countResultType:
            return [NSNumber(value: try count(plan))]
        case .dictionaryResultType:
            return try requireCoordinator().dictionaries(plan)
        default:
            return try objects(plan)
        }
    }

    /// The objects of a fetch.
    final func objects(_ plan: FetchPlan) throws -> [NSManagedObject] { try fetchedObjects(plan).objects }

    private func fetchedObjects(_ plan: FetchPlan) throws -> FetchedObjects {
        let coordinator = try requireCoordinator()
        let overlay = pendingOverlay(of: plan)
        let fetch = ObjectFetch(plan, overlay: overlay, coordinator: coordinator)
        let arriving = ArrivingObjects(fetch, context: self)
        return try objects(
            plan, result: fetch.execute(in: coordinator, making: arriving), overlay: overlay, arriving: arriving)
    }

    /// Makes objects of the rows of the stores, and lays the unsaved changes over them.
    ///
    /// - Parameter arriving: the maker of the objects of rows that have arrived already.
    final func objects(
        _ plan: FetchPlan, result: StoreFetchResult, overlay: PendingOverlay, arriving: ArrivingObjects? = nil
    ) throws -> FetchedObjects {
        var objects: [NSManagedObject] = []
        var areNew = result.parts.count == 1 && !overlay.isNeeded
        var batch: FetchBatch?
        for (store, content) in result.parts {
            switch content {
            case .rows(let list):
                if let made = arriving?.finish(list) {
                    objects = made
                    continue
                }
                let (made, areNewOnes) = try materialize(list, store: store, plan: plan)
                areNew = areNew && areNewOnes
                if objects.isEmpty { objects = made } else { objects += made }
            case .references(let references):
                areNew = false
                let table = registry.table(store: store, root: plan.query.layout.root)
                let found = objectsOrFaults(
                    references, model: plan.query.layout.model, table: table, areUnique: true)
                if plan.batchSize > 0 {
                    batch = FetchBatch(references, table: table, plan: plan)
                    batch?.attachPlaceholders(to: found)
                }
                if plan.description.shouldRefreshRefetchedObjects { try refreshKnown(found, plan: plan, table: table) }
                if objects.isEmpty { objects = found } else { objects += found }
            }
        }
        let hasOneStore = result.parts.count == 1
        if !hasOneStore && plan.isSorted { objects = plan.sorted(objects) }
        if overlay.isNeeded {
            if plan.description.shouldRefreshRefetchedObjects { try overlay.refreshMatching() }
            objects = overlay.apply(to: objects, plan: plan)
        }
        if overlay.isNeeded || !hasOneStore { objects = plan.slice(objects) }
        if plan.batchSize > 0 {
            // Each batch prefetches relationships when it is read.
            if hasOneStore && !overlay.isNeeded { batch?.setResults(objects) }
            return FetchedObjects(objects: objects, areNew: false)
        }
        try plan.prefetch?.run(on: objects, in: self)
        // New objects have their values already.
        if !plan.description.returnsObjectsAsFaults && !areNew {
            for object in objects where object.flags.contains(.fault) { object.fireFaultIfNeeded() }
        }
        return FetchedObjects(objects: objects, areNew: areNew)
    }

    /// Makes the objects of rows, or finds the registered objects. If an ancestor has changed a row, the values come
    /// from the ancestor.
    ///
    /// - Returns: the objects in the order of the rows, and whether all were made now.
    private func materialize(
        _ list: RowList, store: StoreIdentity, plan: FetchPlan
    ) throws -> (objects: [NSManagedObject], areNew: Bool) {
        let layout = plan.query.layout
        let table = registry.table(store: store, root: layout.root)
        let refreshing = plan.description.shouldRefreshRefetchedObjects
        let known = ancestorRows(list.buffers, table: table)
        if layout.span == 0 && !list.isPartial && known.isEmpty && !table.containsAny(of: list.buffers) {
            // The common case: one entity, so one class, and no registered objects.
            return (newObjects(list, table: table, isFiring: !plan.description.returnsObjectsAsFaults), true)
        }
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(list.count)
        for buffer in list.buffers {
            for index in 0..<buffer.count {
                let row = buffer[index]
                switch known[row.primaryKey] {
                case nil: objects.append(materialize(row, buffer: buffer, table: table, refreshing: refreshing))
                case .row(let found):
                    objects.append(materialize(found.row, buffer: found.buffer, table: table, refreshing: refreshing))
                case .deleted:
                    objects.append(
                        registeredObjectOrFault(buffer.layouts[row.layoutNumber], key: row.primaryKey, in: table))
                }
            }
        }
        return (objects, false)
    }

    /// Refreshes the objects that have values already, except for their unsaved changes.
    private func refreshKnown(_ objects: [NSManagedObject], plan: FetchPlan, table: IdentityTable) throws {
        let known = objects.filter { !$0.awaitsRow }
        guard !known.isEmpty, let identity = table.store else { return }
        let list = try requireCoordinator().read(try source(identity)) {
            try $0.rows(layout: plan.query.layout, keys: known.map(\.primaryKey), properties: nil)
        }
        forEachRow(list.buffers, table: table) { row, buffer in
            _ = materialize(row, buffer: buffer, table: table, refreshing: true)
        }
    }

    /// The IDs of a fetch. Without unsaved changes the context makes no objects.
    private func objectIDs(_ plan: FetchPlan) throws -> [NSManagedObjectID] {
        let coordinator = try requireCoordinator()
        if coordinator.storeCount(plan.scope) > 1 || pendingOverlay(of: plan).isNeeded {
            return try objects(plan).map(\.objectID)
        }
        return try coordinator.objectIDs(plan.query, in: plan.scope)
    }

    /// The count of a fetch.
    private func count(_ plan: FetchPlan) throws -> Int {
        let coordinator = try requireCoordinator()
        let overlay = pendingOverlay(of: plan)
        if !overlay.isNeeded && coordinator.storeCount(plan.scope) == 1 {
            return try coordinator.count(plan.query, in: plan.scope)
        }
        // The program gets the predicate of the request alone.
        if coordinator.isContextBound(plan.scope) { return try objects(plan).count }
        var query = plan.query
        query.limit = 0
        query.offset = 0
        var count = try coordinator.count(query, in: plan.scope)
        if overlay.isNeeded {
            // The stores have counted the changed objects by their rows. Their number is subtracted, and they are
            // counted by their present values.
            let changed = overlay.changedIDs
            if !changed.isEmpty {
                let isChanged = NSComparisonPredicate(
                    leftExpression: .expressionForEvaluatedObject(),
                    rightExpression: NSExpression(forConstantValue: changed), modifier: .direct, type: .in)
                query.predicate =
                    query.predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, isChanged]) }
                    ?? isChanged
                count -= try coordinator.count(query, in: plan.scope)
            }
            count += overlay.matchingCount
        }
        return plan.slice(count: count)
    }
}

extension NSFetchRequest where ResultType == any NSFetchRequestResult {
    /// The same request for results of any type.
    convenience init<T>(general request: NSFetchRequest<T>) {
        self.init(fetchDescription: request.fetchDescription)
        affectedStoresStorage = request.affectedStoresStorage
    }
}

/// The objects of a fetch.
struct FetchedObjects {
    let objects: [NSManagedObject]
    /// Whether the fetch has made all objects, of one class, and with their values unless it returns faults.
    let areNew: Bool
}

/// Arrays of objects as arrays of their class, without a cast of each element.
enum FetchedArray {
    /// The array as an array of `T`; nil if an object is no `T`.
    ///
    /// - Parameter haveOneClass: whether all objects have the class of the first one.
    static func objects<T>(_ objects: [NSManagedObject], haveOneClass: Bool, as type: T.Type) -> [T]? {
        guard let wanted = T.self as? NSManagedObject.Type else { return objects as? [T] }
        if haveOneClass, let first = objects.first {
            // The first one is tested for all.
            guard first is T else { return nil }
        } else if wanted != NSManagedObject.self {
            // Results have few classes, mostly one: each run of objects of one class is tested once.
            var known: AnyClass?
            for object in objects {
                let present: AnyClass = Swift.type(of: object)
                if present == known { continue }
                guard object is T else { return nil }
                known = present
            }
        }
        // Arrays of class instances have one layout, and every element was tested.
        return unsafeBitCast(objects, to: [T].self)
    }

    /// The array as an array of `T`; nil if an ID is no `T`.
    static func ids<T>(_ ids: [NSManagedObjectID], as type: T.Type) -> [T]? {
        // The types are the same. A cast would test each element.
        T.self == NSManagedObjectID.self ? unsafeBitCast(ids, to: [T].self) : ids as? [T]
    }
}
