extension NSManagedObjectContext {
    /// The objects that a request describes: `NSManagedObject`s, their IDs, or their count, by the request's result type.
    ///
    /// One statement in a SQLite store; unsaved changes of this context are taken into account unless the request says otherwise.
    /// - Throws: an error of the store, or one that names the part of the predicate that can't be evaluated.
    public final func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        if let type = T.self as? NSManagedObject.Type { ManagedObjectClasses.register(type) }
        if request.fetchDescription.resultType == .managedObjectResultType {
            let objects = try objects(try FetchPlan(request.fetchDescription, context: self, affectedStores: request.affectedStores))
            if let typed = FetchedArray.objects(objects, as: T.self) { return typed }
            wrongType(request, objects.first!)
        }
        if request.fetchDescription.resultType == .dictionaryResultType, let typed = try swiftDictionaries(request) { return typed }
        let results = try fetchResults(request)
        guard let typed = results as? [T] else { wrongType(request, results[0]) }
        return typed
    }

    private func wrongType<T>(_ request: NSFetchRequest<T>, _ result: Any) -> Never {
        programmingError(
            "A fetch for entity '\(request.entityName ?? "")' gives \(type(of: result)), not \(T.self).",
            remedy: "Make the NSFetchRequest for the type that its resultType and the entity's class give; register the class if the model names it without its module.")
    }

    /// The objects that a request describes.
    public final func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try fetchResults(request)
    }

    /// The number of objects that a request describes.
    public final func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        let plan = try FetchPlan(request.fetchDescription, context: self, affectedStores: request.affectedStores)
        return plan.query.projection == nil ? try count(plan) : try dictionaryCount(plan)
    }

    // MARK: Results

    private func fetchResults(_ request: NSPersistentStoreRequest) throws -> [Any] {
        guard let description = request.fetchDescriptionStorage else {
            programmingError("The request is no fetch request.", remedy: "Give an NSFetchRequest.")
        }
        let plan = try FetchPlan(description, context: self, affectedStores: request.affectedStores)
        switch description.resultType {
        case .managedObjectIDResultType:
            return try objectIDs(plan)
        case .countResultType:
            return [NSNumber(value: try count(plan))]
        case .dictionaryResultType:
            return try dictionaries(plan)
        default:
            return try objects(plan)
        }
    }

    private func objects(_ plan: FetchPlan) throws -> [NSManagedObject] {
        let coordinator = try requireCoordinator()
        let overlay = PendingOverlay(plan, context: self)
        let stores = coordinator.stores(for: plan.query.layout, among: plan.affectedStores)
        var query = plan.query
        if overlay.isNeeded || stores.count > 1 {
            query.limit = 0
            query.offset = 0
        }
        var objects: [NSManagedObject] = []
        let onlyKeys = !plan.description.includesPropertyValues && plan.description.returnsObjectsAsFaults
        for store in stores {
            if onlyKeys {
                objects += try faults(query, store: store)
                continue
            }
            let list = try coordinator.rows(query, of: store)
            objects.reserveCapacity(objects.count + list.count)
            try materialize(list, store: store, plan: plan, into: &objects)
        }
        if overlay.isNeeded {
            objects = overlay.apply(to: objects)
        }
        if overlay.isNeeded || stores.count > 1 {
            objects = plan.arrange(objects, isSorted: !overlay.isNeeded && stores.count == 1)
        }
        if !plan.description.returnsObjectsAsFaults {
            for object in objects where object.flags.contains(.fault) { object.readable() }
        }
        return objects
    }

    private func materialize(_ list: RowList, store: any SnapshotStore, plan: FetchPlan, into objects: inout [NSManagedObject]) throws {
        let layout = plan.query.layout
        let table = table(store: store.identity, root: layout.root)
        let refreshing = plan.description.shouldRefreshRefetchedObjects
        if layout.span == 0 {
            // One entity, so one class: the common case has nothing to look up.
            let type = layout.classBinding.managedObjectClass
            let entity = layout.entity
            let isFiring = !plan.description.returnsObjectsAsFaults
            if table.knowsAny(of: list.buffers) {
                for buffer in list.buffers {
                    for index in 0..<buffer.count {
                        objects.append(materialize(buffer[index], buffer: buffer, table: table, refreshing: refreshing))
                    }
                }
                return
            }
            let new = newObjects(list, table: table, entity: entity, type: type, isFiring: isFiring)
            if objects.isEmpty { objects = new } else { objects += new }
            return
        }
        for buffer in list.buffers {
            for index in 0..<buffer.count {
                objects.append(materialize(buffer[index], buffer: buffer, table: table, refreshing: refreshing))
            }
        }
    }

    /// The objects of a query as they are known, or as faults without values: only keys are fetched.
    private func faults(_ query: StoreQuery, store: any SnapshotStore) throws -> [NSManagedObject] {
        let table = table(store: store.identity, root: query.layout.root)
        return try requireCoordinator().references(query, of: store).map { reference in
            table[reference.key] ?? makeFault(layout: query.layout.model[reference.layout], key: reference.key, table: table, id: nil)
        }
    }

    /// The objects of rows that no object of the context has yet; the keys of a result are unique, so all are new.
    private func newObjects(
        _ list: RowList, table: IdentityTable, entity: NSEntityDescription, type: NSManagedObject.Type, isFiring: Bool
    ) -> [NSManagedObject] {
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
                        object.flags = []
                    }
                    target.initializeElement(at: count, to: object)
                    count += 1
                }
            }
            table.register(UnsafeBufferPointer(rebasing: target[..<count]))
        }
        if isFiring && MethodOverrides.overridesAwakeFromFetch(type) {
            for object in objects { object.awakeFromFetch() }
        }
        return objects
    }

    private func objectIDs(_ plan: FetchPlan) throws -> [NSManagedObjectID] {
        let coordinator = try requireCoordinator()
        let stores = coordinator.stores(for: plan.query.layout, among: plan.affectedStores)
        if PendingOverlay(plan, context: self).isNeeded || stores.count > 1 { return try objects(plan).map(\.objectID) }
        guard let store = stores.first else { return [] }
        let model = plan.query.layout.model
        return try coordinator.references(plan.query, of: store).map {
            NSManagedObjectID(layout: model[$0.layout], store: store.identity, key: $0.key)
        }
    }

    private func count(_ plan: FetchPlan) throws -> Int {
        let coordinator = try requireCoordinator()
        let stores = coordinator.stores(for: plan.query.layout, among: plan.affectedStores)
        if PendingOverlay(plan, context: self).isNeeded { return try objects(plan).count }
        if stores.count == 1 { return try coordinator.count(plan.query, of: stores[0]) }
        var query = plan.query
        query.limit = 0
        query.offset = 0
        let all = max(0, try stores.reduce(0) { $0 + (try coordinator.count(query, of: $1)) } - plan.query.offset)
        return plan.query.limit > 0 ? min(all, plan.query.limit) : all
    }

    /// Takes a newer row into an object that has no unsaved changes.
    final func refresh(_ object: NSManagedObject, from row: Row, buffer: RowBuffer) {
        guard object.flags.isDisjoint(with: [.updated, .deleted, .inserted]) else { return }
        let wasFault = object.flags.contains(.fault)
        if !wasFault { object.disownCells() }
        object.attach(row, buffer: buffer)
        object.releaseLinks()
        if !wasFault {
            object.cells = row.cells
            object.awakeFromFetch()
            refreshedSinceEvent.append(object)
        }
    }
}
