extension NSManagedObjectContext {
    /// The query generation that the context reads: nil if it reads the newest rows, ``NSQueryGenerationToken/current``
    /// if it is to be pinned by its next read or has no store that it could be pinned to.
    ///
    /// A context with a parent reads what the context at the top of the line reads, and has no generation of its own:
    /// nil.
    public final var queryGenerationToken: NSQueryGenerationToken? {
        switch queryPin {
        case .none: nil
        case .current: .current
        case .generation(let generation): NSQueryGenerationToken(generation)
        }
    }

    /// Pins the context to a state of the stores, which it reads whatever others save, or lets it read the newest
    /// again.
    ///
    /// Everything is read from that state: fetches, faults, relationships, counts. Objects that have their values keep
    /// them: refresh them, or reset the context, to see the state's. Saving, merging and ``reset()`` take a pinned
    /// context to the newest state, as if `current` were set again. SQLite keeps its write-ahead log growing while a
    /// state is pinned that is older than the newest, so don't pin one for long.
    ///
    /// A SQLite store can be pinned if its journal mode is WAL. Other stores, and stores that are added later, are read
    /// as they are. Call it on the context's queue.
    ///
    /// - Parameter generation: a token of a context of the same coordinator, ``NSQueryGenerationToken/current`` for
    ///   what is in the stores when the context reads them first, or nil for no generation.
    /// - Throws: `NSPersistentStoreOperationError` (134070) for a token of another coordinator. Stops the program for a
    ///   context with a parent.
    public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        checkQueue()
        if parentContext != nil {
            programmingError(
                "A context with a parent has no query generation of its own.",
                remedy: "Set it on the context at the top of the line.")
        }
        var pin = QueryPin.none
        if let generation {
            pin = .current
            if let named = generation.generation {
                guard let coordinator = handle.coordinator, named.coordinator === coordinator else {
                    throw NSError(
                        domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError,
                        userInfo: [
                            NSLocalizedDescriptionKey: """
                            The query generation token belongs to another persistent store coordinator. Take \
                            one of a context of the same coordinator.
                            """
                        ])
                }
                pin = .generation(named)
            }
        }
        if !queryPin.isNone || !pin.isNone { forgetAttachedRows() }
        queryPin = pin
    }

    // MARK: Moving on

    /// A pinned context reads the newest rows from now on, and is pinned to those that it reads next.
    final func moveToNewestGeneration() {
        guard case .generation = queryPin else { return }
        queryPin = .current
        forgetAttachedRows()
    }

    /// Runs a block in which the context reads what a save meets: the newest rows.
    final func readingNewest<Result>(_ body: () throws -> Result) rethrows -> Result {
        readsNewest = true
        defer { readsNewest = false }
        return try body()
    }

    /// Faults that wait with a row of the former state are read anew.
    private func forgetAttachedRows() {
        family.forEachChild { child in
            if child.concurrencyType != .confinementConcurrencyType { child.schedule { $0.forgetAttachedRows() } }
        }
        for object in allRegistered where object.primaryKey > 0 && object.flags.contains(.fault) {
            guard object.flags.isDisjoint(with: [.inserted, .updated, .deleted]) else { continue }
            if object.row != nil || object.buffer?.presentCells != nil { object.turnIntoFault() }
        }
    }
}
