extension NSManagedObjectContext {
    /// The token of ``queryGenerationToken``.
    final var pinnedGenerationToken: NSQueryGenerationToken? {
        switch queryPin {
        case .none: nil
        case .current: .current
        case .generation(let generation): NSQueryGenerationToken(generation)
        }
    }

    /// Pins the context to a query generation, or lets it read the newest rows.
    final func pin(to generation: NSQueryGenerationToken?) throws {
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
