/// What a context reads the stores from.
extension NSManagedObjectContext {
    /// The generation that the context, or the one at the top of its line, is pinned to.
    final var pinnedGeneration: QueryGeneration? {
        if parentContext != nil { return isPinnedAbove ? askParent { $0.pinnedGeneration } ?? nil : nil }
        return if case .generation(let generation) = queryPin { generation } else { nil }
    }

    /// The query generation that a read uses now; nil for the newest rows. Pins a context whose next read pins it.
    final func generationForReading() throws -> QueryGeneration? {
        if readsStores { return nil }
        if parentContext != nil { return try askParent { try $0.generationForReading() } ?? nil }
        if case .current = queryPin, let generation = try requireCoordinator().currentGeneration() {
            queryPin = .generation(generation)
        }
        return pinnedGeneration
    }

    /// What the store behind an identity is read from. Pins the context if it is to be pinned.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if it was removed.
    final func source(_ identity: StoreIdentity) throws -> any SnapshotSource {
        guard let store = identity.store as? any SnapshotStore else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The store with the UUID \(identity.uuid) was removed from its coordinator. Add it again."
                ])
        }
        return readsStores ? store : try source(store)
    }

    /// Whether the newest rows are read.
    private var readsStores: Bool {
        parentContext == nil ? queryPin.isNone || readsNewest : !isPinnedAbove
    }

    /// Whether the context at the top of the line may be pinned: only then it is asked.
    private var isPinnedAbove: Bool {
        var next = handle.parent
        while let handle = next {
            if handle.mayBePinned.load(ordering: .relaxed) { return true }
            next = handle.parent
        }
        return false
    }

    private func source(_ store: any SnapshotStore) throws -> any SnapshotSource {
        try generationForReading()?.source(of: store) ?? store
    }
}
