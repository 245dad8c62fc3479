// SPDX-License-Identifier: Apache-2.0

/// The store behind the coordinator. Each context reads through its own ``IncrementalSource``.
extension NSIncrementalStore: ObjectStore, StoreDatabase {
    package var database: NSIncrementalStore { self }

    package func source(for context: ContextHandle?, fetching description: FetchDescription?) -> any SnapshotSource {
        source(for: context?.context, fetching: description)
    }

    final func source(
        for context: NSManagedObjectContext?, fetching description: FetchDescription? = nil
    ) -> IncrementalSource {
        IncrementalSource(self, context: context ?? anyContext, fetching: description)
    }

    /// The context of a read without one: that whose block runs, or a new one.
    private var anyContext: NSManagedObjectContext {
        if let context = QueueOwnership.currentContext, context.handle.coordinator === persistentStoreCoordinator {
            return context
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    private var anySource: IncrementalSource { source(for: NSManagedObjectContext?.none) }

    package var isContextBound: Bool { true }

    // MARK: Reading without a context

    package func rows(_ query: StoreQuery) throws -> RowList { try anySource.rows(query) }

    package func references(_ query: StoreQuery) throws -> [ObjectReference] { try anySource.references(query) }

    package func values(_ query: StoreQuery) throws -> ProjectedRows { try anySource.values(query) }

    package func count(_ query: StoreQuery) throws -> Int { try anySource.count(query) }

    package func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try rowCache.row(layout, key: key) ?? anySource.snapshot(layout: layout, key: key)
    }

    package func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference]
    {
        try anySource.destinations(of: slot, ownerLayout: ownerLayout, key: key)
    }

    package func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        try anySource.rows(layout: layout, keys: keys, properties: properties)
    }

    package func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        try anySource.contents(of: slot, ownerLayout: ownerLayout, keys: keys)
    }

    // MARK: Opening

    package func didLoadMetadata() throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        guard metadata?[NSStoreTypeKey] is String, let uuid = metadata?[NSStoreUUIDKey] as? String else {
            throw CoreDataErrors.error(
                NSPersistentStoreOpenError, "The store \(url?.absoluteString ?? "") can\u{2019}t be added.",
                reason: "The metadata of \(Swift.type(of: self)) lacks NSStoreTypeKey or NSStoreUUIDKey.",
                suggestion: "Set both in loadMetadata().")
        }
        identifier = uuid
        let model = coordinator.managedObjectModel
        if metadata?[NSStoreModelVersionHashesKey] != nil,
            (options?[NSIgnorePersistentStoreVersioningOption] as? NSNumber)?.boolValue != true
        {
            try AtomicStoreMetadata.checkCompatibility(
                of: metadata, with: model, configurationName, path: url?.path ?? "")
        }
        // The next save of metadata writes what it lacked.
        metadata = [
            NSStoreModelVersionHashesKey: AtomicStoreMetadata.versionHashes(of: model, configurationName),
            NSStoreModelVersionIdentifiersKey:
                model.versionIdentifiers.compactMap { $0.base as? String }.sortedBytewise(),
        ].merging(metadata ?? [:]) { $1 }
        savedMetadata.withLock { $0 = metadata }
        _ = references
    }

    package var hasMetadataChanges: Bool {
        !savedMetadata.withLock { NSDictionary(dictionary: $0).isEqual(to: metadata ?? [:]) }
    }

    // MARK: IDs and derived attributes

    package func allocateKeys(for objects: [NSManagedObject]) throws -> [Int64] {
        let ids = try obtainPermanentIDs(for: objects)
        let isValid =
            ids.count == objects.count
            && zip(ids, objects).allSatisfy { id, object in
                !id.isTemporaryID && id.storeIdentity?.uuid == identity.uuid && id.entity.name == object.entity.name
            }
        guard isValid else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError, "The new objects get no permanent IDs.",
                reason: """
                    obtainPermanentIDs(for:) of \(Swift.type(of: self)) returns \(ids.count) IDs for \
                    \(objects.count) objects, or IDs of another store or entity.
                    """,
                suggestion: "Return an ID of newObjectID(for:referenceObject:) for each object, in their order.")
        }
        return ids.map(\.key)
    }

    package func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64] {
        throw CoreDataErrors.error(
            NSPersistentStoreUnsupportedRequestTypeError, "The store has no keys.",
            reason: "The class \(Swift.type(of: self)) gives IDs to objects only.")
    }

    package func archive(_ value: Any, _ slot: PropertySlot) throws -> Data? { nil }

    package func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot] {
        layout.derivedProperties.map { layout.properties[$0] }
    }
}
