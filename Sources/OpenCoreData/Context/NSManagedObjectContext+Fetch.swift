extension NSManagedObjectContext {
    /// The objects that a request describes: `NSManagedObject`s, their IDs, or their count, by the request's result
    /// type.
    ///
    /// One statement in a SQLite store; unsaved changes of this context are taken into account unless the request says
    /// otherwise.
    /// - Throws: an error of the store, or one that names the part of the predicate that can't be evaluated.
    public final func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        checkQueue()
        return isSubclass ? try overriddenFetch(request) : try fetchTyped(request)
    }

    /// Fetches without the open function.
    final func fetchTyped<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        if let type = T.self as? NSManagedObject.Type { ManagedObjectClasses.register(type) }
        let plan = try FetchPlan(request.fetchDescription, context: self, affectedStores: request.affectedStores)
        switch request.fetchDescription.resultType {
        case .managedObjectResultType: return typed(try objects(plan), request)
        case .dictionaryResultType:
            return try requireCoordinator().swiftDictionaries(plan, as: T.self) ?? typed(try results(plan), request)
        default: return typed(try results(plan), request)
        }
    }

    /// Objects as an array of the request's type.
    final func typed<T>(_ objects: [NSManagedObject], _ request: NSFetchRequest<T>) -> [T] {
        guard let typed = FetchedArray.objects(objects, as: T.self) else { wrongType(request, objects[0]) }
        return typed
    }

    /// Results as an array of the request's type.
    final func typed<T>(_ results: [Any], _ request: NSFetchRequest<T>) -> [T] {
        guard let typed = results as? [T] else { wrongType(request, results[0]) }
        return typed
    }

    private func wrongType<T>(_ request: NSFetchRequest<T>, _ result: Any) -> Never {
        programmingError(
            "A fetch for entity '\(request.entityName ?? "")' gives \(type(of: result)), not \(T.self).",
            remedy: """
                Make the NSFetchRequest for the type that its resultType and the entity's class give; register the \
                class if the model names it without its module.
                """
        )
    }

    /// What a request of any type describes.
    final func fetchResults(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try results(try FetchPlan(request.fetchDescription, context: self, affectedStores: request.affectedStores))
    }

    /// The number of the results that a request describes.
    public final func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        checkQueue()
        return isSubclass ? try count(for: NSFetchRequest(general: request)) : try countResults(request)
    }

    final func countResults<T>(_ request: NSFetchRequest<T>) throws -> Int {
        let plan = try FetchPlan(request.fetchDescription, context: self, affectedStores: request.affectedStores)
        return plan.query.projection == nil ? try count(plan) : try requireCoordinator().dictionaryCount(plan)
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

    final func objects(_ plan: FetchPlan) throws -> [NSManagedObject] {
        let coordinator = try requireCoordinator()
        let overlay = PendingOverlay(plan, context: self)
        let fetch = ObjectFetch(plan, overlay: overlay)
        return try objects(plan, answer: fetch.answer(coordinator), overlay: overlay)
    }

    /// The objects of what the stores have answered, with the context's changes.
    final func objects(_ plan: FetchPlan, answer: StoreAnswer, overlay: PendingOverlay) throws -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        var batch: FetchBatch?
        for (store, content) in answer.parts {
            switch content {
            case .rows(let list):
                objects.reserveCapacity(objects.count + list.count)
                try materialize(list, store: store, plan: plan, into: &objects)
            case .references(let references):
                let table = table(store: store.identity, root: plan.query.layout.root)
                let found = faults(references, plan: plan, table: table)
                if plan.batchSize > 0 {
                    batch = FetchBatch(references, table: table, plan: plan)
                    batch?.take(found)
                }
                if plan.description.shouldRefreshRefetchedObjects { try refreshKnown(found, plan: plan, table: table) }
                if objects.isEmpty { objects = found } else { objects += found }
            }
        }
        let isOneAnswer = answer.parts.count == 1
        if !isOneAnswer && plan.isSorted { objects = plan.sorted(objects) }
        if overlay.isNeeded {
            if plan.description.shouldRefreshRefetchedObjects { try overlay.refreshMatching() }
            objects = overlay.apply(to: objects, plan: plan)
        }
        if overlay.isNeeded || !isOneAnswer { objects = plan.slice(objects) }
        if plan.batchSize > 0 {
            // What a batch reads later brings along what is to be prefetched.
            if isOneAnswer && !overlay.isNeeded { batch?.watch(objects) }
            return objects
        }
        try plan.prefetch?.run(on: objects, in: self)
        if !plan.description.returnsObjectsAsFaults {
            for object in objects where object.flags.contains(.fault) { object.fireFaultIfNeeded() }
        }
        return objects
    }

    private func materialize(
        _ list: RowList, store: any SnapshotSource, plan: FetchPlan, into objects: inout [NSManagedObject]
    ) throws {
        let layout = plan.query.layout
        let table = table(store: store.identity, root: layout.root)
        let refreshing = plan.description.shouldRefreshRefetchedObjects
        let known = rowsKnownToAncestors(list.buffers, table: table)
        if layout.span == 0 && !list.isPartial && known.isEmpty && !table.knowsAny(of: list.buffers) {
            // One entity, so one class: the common case has nothing to look up.
            let new = newObjects(
                list, table: table, entity: layout.entity, type: layout.classBinding.managedObjectClass,
                isFiring: !plan.description.returnsObjectsAsFaults)
            if objects.isEmpty { objects = new } else { objects += new }
            return
        }
        for buffer in list.buffers {
            for index in 0..<buffer.count {
                let row = buffer[index]
                switch known[row.primaryKey] {
                case nil: objects.append(materialize(row, buffer: buffer, table: table, refreshing: refreshing))
                case .row(let found):
                    objects.append(materialize(found.row, buffer: found.buffer, table: table, refreshing: refreshing))
                case .deleted:
                    objects.append(
                        table[row.primaryKey]
                            ?? makeFault(
                                layout: buffer.layouts[row.layoutNumber], key: row.primaryKey, table: table, id: nil))
                }
            }
        }
    }

    /// The objects of keys as they are known, or as faults without values.
    private func faults(_ references: [ObjectReference], plan: FetchPlan, table: IdentityTable) -> [NSManagedObject] {
        references.map { reference in
            table[reference.key]
                ?? makeFault(
                    layout: plan.query.layout.model[reference.layout], key: reference.key, table: table, id: nil)
        }
    }

    /// Gives objects that have their values already, and no unsaved changes, those of the store.
    private func refreshKnown(_ objects: [NSManagedObject], plan: FetchPlan, table: IdentityTable) throws {
        let known = objects.filter { !$0.awaitsRow }
        guard !known.isEmpty, let identity = table.store else { return }
        let list = try requireCoordinator().rows(
            layout: plan.query.layout, keys: known.map(\.primaryKey), of: try source(identity))
        forEachRow(list.buffers, table: table) { row, buffer in
            _ = materialize(row, buffer: buffer, table: table, refreshing: true)
        }
    }

    /// The objects of rows that no object of the context has yet; the keys of a result are unique, so all are new.
    private func newObjects(
        _ list: RowList, table: IdentityTable, entity: NSEntityDescription, type: NSManagedObject.Type, isFiring: Bool
    ) -> [NSManagedObject] {
        guard list.count > 0 else { return [] }
        let objects = [NSManagedObject](unsafeUninitializedCapacity: list.count) { target, count in
            for buffer in list.buffers {
                for index in 0..<buffer.count {
                    let row = buffer[index]
                    let object = type.init(entity: entity, insertInto: nil)
                    object.enter(table, key: row.primaryKey)
                    object.row = row
                    object.buffer = buffer
                    if isFiring {
                        object.cells = row.cells
                        object.flags.formIntersection(.checksConcurrency)
                    }
                    target.initializeElement(at: count, to: object)
                    count += 1
                }
            }
            table.register(UnsafeBufferPointer(rebasing: target[..<count]))
        }
        if isFiring && MethodOverrides.overridesAwakeFromFetch(type) {
            for object in objects { object.awakeWithValues() }
        }
        return objects
    }

    private func objectIDs(_ plan: FetchPlan) throws -> [NSManagedObjectID] {
        let coordinator = try requireCoordinator()
        let stores = plan.sources
        if stores.count > 1 || PendingOverlay(plan, context: self).isNeeded { return try objects(plan).map(\.objectID) }
        guard let store = stores.first else { return [] }
        return NSManagedObjectID.list(
            try coordinator.references(plan.query, of: store), store: store, model: plan.query.layout.model)
    }

    private func count(_ plan: FetchPlan) throws -> Int {
        let coordinator = try requireCoordinator()
        let overlay = PendingOverlay(plan, context: self)
        let stores = plan.sources
        if stores.count == 1 && !overlay.isNeeded { return try coordinator.count(plan.query, of: stores[0]) }
        var query = plan.query
        query.limit = 0
        query.offset = 0
        var count = try stores.reduce(0) { $0 + (try coordinator.count(query, of: $1)) }
        if overlay.isNeeded {
            // The stores count some objects as they were: those are taken out, and counted as they are.
            let changed = overlay.changedIDs
            if !changed.isEmpty {
                let isChanged = NSComparisonPredicate(
                    leftExpression: .expressionForEvaluatedObject(),
                    rightExpression: NSExpression(forConstantValue: changed), modifier: .direct, type: .in)
                query.predicate =
                    query.predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, isChanged]) }
                    ?? isChanged
                count -= try stores.reduce(0) { $0 + (try coordinator.count(query, of: $1)) }
            }
            count += overlay.matchingCount
        }
        return plan.slice(count: count)
    }
}

extension NSManagedObjectID {
    /// The IDs of what a store's keys refer to.
    static func list(_ references: [ObjectReference], store: any SnapshotSource, model: ModelLayout)
        -> [NSManagedObjectID]
    {
        references.map { NSManagedObjectID(layout: model[$0.layout], store: store.identity, key: $0.key) }
    }
}

extension NSFetchRequest where ResultType == any NSFetchRequestResult {
    /// The same request for results of any type.
    convenience init<T>(general request: NSFetchRequest<T>) {
        self.init(fetchDescription: request.fetchDescription)
        affectedStoresStorage = request.affectedStoresStorage
    }
}
