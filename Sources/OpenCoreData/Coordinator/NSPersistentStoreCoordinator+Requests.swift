// SPDX-License-Identifier: Apache-2.0

/// The requests that contexts send to the stores. Nothing else calls a store.
extension NSPersistentStoreCoordinator {
    final var hasSeveralStores: Bool { persistentStores.count > 1 }

    /// The stores that may contain objects of an entity.
    final func stores(for layout: EntityLayout, among affected: [NSPersistentStore]?) -> [any SnapshotStore] {
        persistentStores.compactMap { store in
            if let affected, !affected.isEmpty, !affected.contains(where: { $0 === store }) { return nil }
            return contains(store, layout) ? store.snapshotStore : nil
        }
    }

    /// Whether a store's configuration has the entity, or one of its subentities.
    private func contains(_ store: NSPersistentStore, _ layout: EntityLayout) -> Bool {
        if store.configurationName == NSManagedObjectModel.defaultConfigurationName { return true }
        guard let members = managedObjectModel.entities(forConfigurationName: store.configurationName) else {
            return false
        }
        return members.contains { $0.entityLayout.isKind(of: layout) || layout.isKind(of: $0.entityLayout) }
    }

    /// The layouts of the entities of a store's configuration whose superentities aren't in it.
    final func rootLayouts(of store: NSPersistentStore) -> [EntityLayout] {
        let members = (managedObjectModel.entities(forConfigurationName: store.configurationName) ?? []).map(
            \.entityLayout)
        return members.filter { layout in !members.contains { $0 !== layout && layout.isKind(of: $0) } }
    }

    /// The store into which a new object is saved: the assigned one, or the first writable one whose configuration has
    /// the entity.
    final func storeForInserting(_ layout: EntityLayout, assigned: NSPersistentStore?) throws -> any SnapshotStore {
        guard layouts.numbers.contains(layout.number) else {
            throw refusal(
                layout, "Its entity is one of another model.", suggestion: "Use the entity of the coordinator's model.")
        }
        if let assigned {
            guard assigned.persistentStoreCoordinator === self else {
                throw refusal(
                    layout, "The coordinator doesn't have the store \(assigned.nameInErrors) of the object.",
                    suggestion: "Assign it to one of the coordinator's stores.")
            }
            guard contains(assigned, layout), !assigned.isReadOnly, let store = assigned.snapshotStore else {
                throw refusal(
                    layout,
                    """
                    It was assigned to the store \(assigned.nameInErrors), which \
                    \(assigned.isReadOnly ? "is read-only" : "doesn\u{2019}t have the entity in its configuration").
                    """,
                    isReadOnly: assigned.isReadOnly)
            }
            return store
        }
        let candidates = stores(for: layout, among: nil)
        if let store = candidates.first(where: { !$0.isReadOnly }) { return store }
        if persistentStores.isEmpty {
            throw refusal(layout, "This NSPersistentStoreCoordinator has no persistent stores.")
        }
        throw refusal(
            layout,
            candidates.isEmpty
                ? "No store\u{2019}s configuration has the entity."
                : "Every store that has the entity was opened read-only.",
            isReadOnly: !candidates.isEmpty)
    }

    private func refusal(
        _ layout: EntityLayout, _ reason: String, isReadOnly: Bool = false,
        suggestion: String = "Add a store for the entity."
    ) -> NSError {
        CoreDataErrors.error(
            isReadOnly ? CocoaError.fileWriteNoPermission.rawValue : NSPersistentStoreSaveError,
            "A new \(layout.name) can\u{2019}t be saved.", reason: reason, suggestion: suggestion)
    }

    // MARK: Requests

    /// Runs a block with a source of rows while no store is added, removed or replaced.
    @inline(__always)
    final func read<Source, Result>(_ source: Source, _ body: (Source) throws -> Result) rethrows -> Result {
        try access.share { try body(source) }
    }

    /// The rows of a query. If the store gives rows while it reads further ones, their objects are made as they arrive.
    final func rows(
        _ query: StoreQuery, of store: any SnapshotSource, making objects: ArrivingObjects?
    ) throws -> RowList {
        try access.share {
            guard let objects, let stream = try store.rowStream(query) else { return try store.rows(query) }
            objects.restart(store.identity)
            while let arrival = try stream.next() {
                switch arrival {
                case .rows(let buffer): objects.receive(buffer)
                case .restart: objects.restart(store.identity)
                }
            }
            return stream.rows
        }
    }

    /// Whether the coordinator has a custom store whose API passes objects.
    final var hasObjectStores: Bool { persistentStores.contains { $0 is any ObjectStore } }

    final func allocateKeys(for objects: [NSManagedObject], in store: any SnapshotStore) throws -> [Int64] {
        try access.share {
            if let store = store as? any ObjectStore { return try store.allocateKeys(for: objects) }
            return try store.database.allocateKeys(objects.map(\.layout))
        }
    }

    // MARK: Row caches

    final func evictSnapshot(layout: EntityLayout, key: Int64, of store: NSPersistentStore?) {
        store?.snapshotStore?.database.rowCache.evict(root: layout.root, keys: [key])
    }

    /// The violated invariants of the row caches, for tests.
    final func checkRowCaches() -> [String] {
        persistentStores.flatMap { $0.snapshotStore?.database.rowCache.checkInvariants() ?? [] }
    }

    final func fingerprint(of store: any SnapshotStore) -> StoreFingerprint? { store.fingerprint() }

    // MARK: Saving

    /// The result of a save.
    struct SaveOutcome {
        /// The results of the stores, in the order of the parts; nil for a store that has not committed.
        let results: [StoreSaveResult?]
        /// The number of the commit among all commits of the coordinator.
        let commit: Int
        /// The error that kept the remaining stores from committing; nil if all stores have committed.
        let failure: (any Error)?
    }

    /// The writable stores whose metadata was set since their last save.
    final var storesWithChangedMetadata: [any SnapshotStore] {
        persistentStores.compactMap(\.snapshotStore).filter { $0.hasMetadataChanges && !$0.isReadOnly }
    }

    /// Writes the metadata that was set since the last save.
    ///
    /// - Throws: the errors of the stores.
    final func saveMetadata() throws {
        let stores = storesWithChangedMetadata
        guard !stores.isEmpty else { return }
        try access.save { for store in stores { _ = try store.save(StoreChanges(layouts)) {} } }
    }

    /// Saves the parts of all stores.
    ///
    /// Each store writes its part in a transaction and leaves the transaction open until the following stores have
    /// written theirs. Then the commit gets its number, and the stores commit, the last one first. An error before the
    /// first commit undoes everything and is thrown; a commit that fails after another store has committed is a failure
    /// of the outcome.
    ///
    /// Saves into stores of servers run side by side. If two of them write the same rows, their commits and their
    /// numbers have the same order, because the server has locked the rows when a number is given.
    ///
    /// - Throws: `StoreSaveConflict`, and the errors of the stores. No store has changed then.
    final func save(_ parts: [SavePlan.Part]) throws -> SaveOutcome {
        var results: [ObjectIdentifier: StoreSaveResult] = [:]
        // All contexts and processes lock the stores in one order, which excludes deadlocks.
        let ordered = parts.sorted { $0.store.identity.uuid < $1.store.identity.uuid }
        var commit = NumberedCommit(mergeDelivery)
        func save(_ rest: ArraySlice<SavePlan.Part>) throws {
            guard let part = rest.first else { return commit.renew() }
            do {
                let generation = part.store.database.rowCache.generation.current
                var result = try part.store.save(part.changes) { try save(rest.dropFirst()) }
                result.rowCacheGeneration = generation
                results[ObjectIdentifier(part.store)] = result
            } catch let conflict as StoreConflict {
                throw StoreSaveConflict(store: part.store, conflict: conflict)
            }
        }
        let outcome = try access.save(isSideBySide: parts.allSatisfy(\.store.savesSideBySide)) {
            var failure: (any Error)?
            do {
                try save(ordered[...])
            } catch {
                if results.isEmpty {
                    commit.skip()
                    throw error
                }
                failure = error
            }
            return SaveOutcome(
                results: parts.map { results[ObjectIdentifier($0.store)] }, commit: commit.take(), failure: failure)
        }
        for part in parts { remoteChanges.check(part.store) }
        return outcome
    }

    /// The number of the commit of a save that runs. A save that a store repeats gets a new number.
    private struct NumberedCommit {
        private let delivery: MergeDelivery
        private var number: Int?

        init(_ delivery: MergeDelivery) { self.delivery = delivery }

        mutating func renew() {
            skip()
            number = delivery.numberCommit()
        }

        mutating func skip() {
            if let number { delivery.skip(commit: number) }
            number = nil
        }

        /// The number for the delivery. A save without any store gets its number here.
        mutating func take() -> Int {
            defer { number = nil }
            return number ?? delivery.numberCommit()
        }
    }

    // MARK: Requests of programs

    /// Executes a request that a program has made: the work of ``execute(_:with:)``.
    final func executeRequest(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        guard try context.requireCoordinator() === self else {
            throw CoreDataErrors.error(
                NSCoreDataError, "The request can\u{2019}t be executed.",
                reason: "The context belongs to another persistent store coordinator.",
                suggestion: "Use the coordinator of the context.")
        }
        let result = try context.executeRequest(request)
        if request.fetchDescriptionStorage != nil, let fetch = result as? any FetchResultOfAnyType {
            return fetch.results
        }
        return result
    }
}
