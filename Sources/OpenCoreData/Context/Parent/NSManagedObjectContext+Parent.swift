extension NSManagedObjectContext {
    /// Makes another context the parent of this one, or none.
    final func setParent(_ newValue: NSManagedObjectContext?) {
        guard newValue !== parentContext else { return }
        if let newValue { checkParent(newValue) }
        if !storedTables.isEmpty || !unsavedTables.isEmpty {
            programmingError(
                "A context's parent can't be replaced while it has objects.",
                remedy: "Call reset() first, or make another context.")
        }
        if automaticallyMergesChangesFromParent { mergeSource?.unsubscribe(self) }
        parentContext?.family.removeChild(self)
        queryPin = .none
        parentContext = newValue
        handle.parent = newValue?.handle
        appliedKeyCount = newValue?.family.join(self) ?? 0
        followCoordinator(newValue?.handle.coordinator)
        if automaticallyMergesChangesFromParent { mergeSource?.subscribe(self) }
    }

    private func checkParent(_ parent: NSManagedObjectContext) {
        if parent.concurrencyType == .confinementConcurrencyType {
            programmingError(
                """
                Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or \
                NSMainQueueConcurrencyType.
                """,
                remedy: "Make the parent with privateQueueConcurrencyType or mainQueueConcurrencyType.")
        }
        if parentContext == nil && handle.coordinator != nil {
            programmingError(
                "Context already has a coordinator; cannot replace it by a parent.",
                remedy: "Make the child by NSManagedObjectContext(concurrencyType:) and set nothing but its parent.")
        }
        var next: NSManagedObjectContext? = parent
        while let context = next {
            if context === self {
                programmingError(
                    "A context can't be above itself.", remedy: "Set a parent that isn't one of the context's children."
                )
            }
            next = context.parentContext
        }
    }

    /// The coordinator at the top of the line is another one.
    final func followCoordinator(_ coordinator: NSPersistentStoreCoordinator?) {
        handle.coordinator = coordinator
        lastEntity = nil
        family.forEachChild { $0.followCoordinator(coordinator) }
    }

    /// Brings what this context merges by itself.
    final var mergeSource: MergeDelivery? { parentContext?.family.delivery ?? handle.coordinator?.mergeDelivery }

    /// Asks the parent something on its queue, and waits; nil without a parent.
    ///
    /// Permanent keys are taken over before the question, so that it is understood, and after it, so that the answer
    /// is.
    final func askParent<Answer>(_ question: (NSManagedObjectContext) throws -> Answer) rethrows -> Answer? {
        guard let parent = parentContext else { return nil }
        applyPermanentKeys()
        let answer = try parent.performAndWait {
            parent.applyPermanentKeys()
            return try question(parent)
        }
        applyPermanentKeys()
        return answer
    }

    /// Tells the children that merge by themselves what this context, or one of them, has saved or merged.
    final func deliverToChildren(_ changes: MergedChanges, from source: NSManagedObjectContext) {
        guard family.delivery.hasSubscribers else { return }
        var changes = changes
        // Whatever was old in the row cache is forgotten already.
        changes.isForeign = false
        family.delivery.deliver(changes, ticket: family.delivery.takeTicket(), from: source)
    }
}
