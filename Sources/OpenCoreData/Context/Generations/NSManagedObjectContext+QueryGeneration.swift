// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    // MARK: Pinning

    /// The value of ``queryGenerationToken``.
    final var pinnedGenerationToken: NSQueryGenerationToken? {
        switch reading.pin {
        case .none: nil
        case .current: .current
        case .generation(let generation): NSQueryGenerationToken(generation)
        }
    }

    /// Pins the context to a query generation, or lets it read the newest rows.
    final func pin(to generation: NSQueryGenerationToken?) throws {
        if hierarchy.parent != nil {
            programmingError(
                "A context with a parent has no query generation.",
                remedy: "Set the query generation of the topmost ancestor: the context without a parent.")
        }
        var pin = QueryGenerationPin.none
        if let generation {
            pin = .current
            if let generation = generation.generation {
                guard let coordinator = handle.coordinator, generation.coordinator === coordinator else {
                    throw CoreDataErrors.error(
                        NSCoreDataError, "The context can't be pinned to the query generation.",
                        reason: "The query generation token belongs to another persistent store coordinator.",
                        suggestion: "Use the token of a context of the same coordinator.")
                }
                pin = .generation(generation)
            }
        }
        if !reading.pin.isNone || !pin.isNone { discardAttachedRows() }
        reading.pin(to: pin)
    }

    /// Moves a pinned context to the newest generation: its next read pins it again.
    final func advanceToNewestGeneration() {
        if reading.repinAtNextRead() { discardAttachedRows() }
    }

    /// Detaches the rows of the previous generation from faults, so that the faults read new rows when they fire.
    private func discardAttachedRows() {
        hierarchy.children.forEachChild { child in
            if child.queue.type != .confinementConcurrencyType {
                child.scheduleOnQueue { $0.discardAttachedRows() }
            }
        }
        for object in registry.objects where object.primaryKey > 0 && object.flags.contains(.fault) {
            guard object.flags.isDisjoint(with: [.inserted, .updated, .deleted]) else { continue }
            if object.row != nil || object.buffer?.availableCells != nil { object.turnIntoFault() }
        }
    }

    // MARK: Reading

    /// The generation that the context, or its topmost ancestor, is pinned to.
    final var pinnedGeneration: QueryGeneration? {
        if hierarchy.parent != nil { return isAncestorPinned ? performOnParent { $0.pinnedGeneration } ?? nil : nil }
        return if case .generation(let generation) = reading.pin { generation } else { nil }
    }

    /// The query generation for a read; nil for the newest rows. Pins the context if this is due.
    final func generationForReading() throws -> QueryGeneration? {
        if readsStoresDirectly { return nil }
        if hierarchy.parent != nil { return try performOnParent { try $0.generationForReading() } ?? nil }
        if case .current = reading.pin, let generation = try requireCoordinator().currentGeneration() {
            reading.pin(to: .generation(generation))
        }
        return pinnedGeneration
    }

    /// The source of the rows of one store: the store, or its pinned generation. Pins the context if this is due.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if the store was removed.
    final func source(_ identity: StoreIdentity) throws -> any SnapshotSource {
        guard let store = identity.store?.snapshotStore else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError, "The store can't be read.",
                reason: "The store with the UUID \(identity.uuid) was removed from its coordinator.",
                suggestion: "Add it again.")
        }
        guard store.persistentStoreCoordinator === handle.coordinator else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError, "The store can't be read.",
                reason: "The store with the UUID \(identity.uuid) belongs to another coordinator.",
                suggestion: "Use a context of that coordinator, or add the store to this one.")
        }
        let database = store.database
        guard !database.isContextBound else { return store.source(for: handle, fetching: nil) }
        return readsStoresDirectly ? database : try generationForReading()?.source(of: store) ?? database
    }

    /// The rows of a store, if the context reads the newest ones and the store is no custom store.
    final func directDatabase(_ identity: StoreIdentity) -> (any StoreDatabase)? {
        guard readsStoresDirectly, let database = identity.store?.snapshotStore?.database, !database.isContextBound
        else { return nil }
        return database
    }

    /// Whether the context has no parent, and reads the newest rows of its stores.
    @inline(__always)
    final var readsNewestRows: Bool { hierarchy.parent == nil && readsStoresDirectly }

    /// Whether the newest rows are read.
    private var readsStoresDirectly: Bool {
        hierarchy.parent == nil ? reading.pin.isNone || saving.isWriting : !isAncestorPinned
    }

    /// Whether the topmost ancestor may be pinned. Only then a child must ask it, which needs its queue.
    private var isAncestorPinned: Bool {
        var next = handle.parent
        while let handle = next {
            if handle.mayBePinned.load(ordering: .relaxed) { return true }
            next = handle.parent
        }
        return false
    }
}
