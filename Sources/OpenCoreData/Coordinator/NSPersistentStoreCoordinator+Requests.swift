/// What contexts ask of the stores; the only way down.
extension NSPersistentStoreCoordinator {
    final var hasSeveralStores: Bool { persistentStores.count > 1 }

    /// The stores that may hold objects of an entity.
    final func stores(for layout: EntityLayout, among affected: [NSPersistentStore]?) -> [any SnapshotStore] {
        persistentStores.compactMap { store in
            if let affected, !affected.isEmpty, !affected.contains(where: { $0 === store }) { return nil }
            return holds(store, layout) ? store as? any SnapshotStore : nil
        }
    }

    /// Whether a store's configuration has the entity, or one of its subentities.
    private func holds(_ store: NSPersistentStore, _ layout: EntityLayout) -> Bool {
        if store.configurationName == NSManagedObjectModel.defaultConfigurationName { return true }
        guard let members = managedObjectModel.entities(forConfigurationName: store.configurationName) else {
            return false
        }
        return members.contains { $0.entityLayout.isKind(of: layout) || layout.isKind(of: $0.entityLayout) }
    }

    /// The store that takes a new object: the assigned one, or the first writable one whose configuration has the
    /// entity.
    final func storeForInserting(_ layout: EntityLayout, assigned: NSPersistentStore?) throws -> any SnapshotStore {
        if let assigned {
            guard holds(assigned, layout), !assigned.isReadOnly, let store = assigned as? any SnapshotStore else {
                throw refusal(
                    layout,
                    """
                    it was assigned to the store \(assigned.url?.lastPathComponent ?? ""), which \
                    \(assigned.isReadOnly ? "is read-only" : "doesn't hold this entity in its configuration")
                    """
                )
            }
            return store
        }
        let candidates = stores(for: layout, among: nil)
        if let store = candidates.first(where: { !$0.isReadOnly }) { return store }
        if persistentStores.isEmpty {
            throw refusal(layout, "this NSPersistentStoreCoordinator has no persistent stores")
        }
        throw refusal(
            layout,
            candidates.isEmpty
                ? "no store's configuration has the entity" : "every store that holds the entity was opened read-only")
    }

    private func refusal(_ layout: EntityLayout, _ reason: String) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveError,
            userInfo: [
                NSLocalizedDescriptionKey: "A new \(layout.name) can't be saved: \(reason). Add a store that takes it."
            ])
    }

    // MARK: Passing on

    final func rows(_ query: StoreQuery, of store: any SnapshotSource) throws -> RowList { try store.rows(query) }

    final func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>? = nil, of store: any SnapshotSource)
        throws -> RowList
    {
        try store.rows(layout: layout, keys: keys, properties: properties)
    }

    final func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64], store: any SnapshotSource)
        throws -> StoreContents
    {
        try store.contents(of: slot, ownerLayout: ownerLayout, keys: keys)
    }

    final func references(_ query: StoreQuery, of store: any SnapshotSource) throws -> [ObjectReference] {
        try store.references(query)
    }

    final func values(_ query: StoreQuery, of store: any SnapshotSource) throws -> ProjectedRows {
        try store.values(query)
    }

    final func count(_ query: StoreQuery, of store: any SnapshotSource) throws -> Int { try store.count(query) }

    final func allocateKeys(_ layouts: [EntityLayout], in store: any SnapshotStore) throws -> [Int64] {
        try store.allocateKeys(layouts)
    }

    /// The derived attributes of an entity that a store doesn't compute by itself.
    final func propertiesComputedOnSave(_ layout: EntityLayout, in store: any SnapshotStore) throws -> [PropertySlot] {
        try store.computedOnSave(layout)
    }

    final func cache(_ rows: RowList, of store: any SnapshotStore, replacing: Bool) {
        store.cache(rows, replacing: replacing)
    }

    final func forget(layout: EntityLayout, key: Int64, of store: NSPersistentStore?) {
        (store as? any SnapshotStore)?.forget(layout: layout, key: key)
    }

    final func contentStamp(of store: any SnapshotStore) -> StoreStamp? { store.contentStamp() }

    final func snapshot(layout: EntityLayout, key: Int64, store: any SnapshotSource) throws -> RetainedRow? {
        try store.snapshot(layout: layout, key: key)
    }

    final func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64, store: any SnapshotSource)
        throws -> [ObjectReference]
    {
        try store.destinations(of: slot, ownerLayout: ownerLayout, key: key)
    }

    /// Saves the stores' parts, all or none: each store commits only when the next ones have written theirs.
    ///
    /// - Returns: what the stores say, in the order of the parts, and the place of the commit among all of the
    ///   coordinator.
    /// - Throws: `StoreSaveConflict`, and the stores' errors.
    final func save(_ parts: [SavePlan.Part]) throws -> (results: [StoreSaveResult], ticket: Int) {
        var results: [ObjectIdentifier: StoreSaveResult] = [:]
        // Every context and process takes the stores' locks in one order, so that none waits for another in a circle.
        let ordered = parts.sorted { $0.store.identity.uuid < $1.store.identity.uuid }
        func save(_ rest: ArraySlice<SavePlan.Part>) throws {
            guard let part = rest.first else { return }
            do {
                results[ObjectIdentifier(part.store)] = try part.store.save(part.changes) { try save(rest.dropFirst()) }
            } catch let conflict as StoreConflict {
                throw StoreSaveConflict(store: part.store, conflict: conflict)
            }
        }
        return try saving.withLock {
            try save(ordered[...])
            return (parts.map { results[ObjectIdentifier($0.store)] ?? StoreSaveResult() }, mergeDelivery.takeTicket())
        }
    }
}
