extension NSManagedObjectContext {
    /// Has the next save compare the row version of an unchanged object.
    final func checkVersionOnSave(of object: NSManagedObject) {
        guard object.table?.handle === handle, object.primaryKey > 0,
            object.flags.isDisjoint(with: [.inserted, .detached])
        else { return }
        // A fault has no version yet.
        object.fireFaultIfNeeded()
        checkedObjects.insert(object)
    }

    /// Writes the changes, having the merge policy settle the conflicts that come up, until there are none.
    final func write(to coordinator: NSPersistentStoreCoordinator) throws -> (
        plan: SavePlan, results: [StoreSaveResult], ticket: Int
    ) {
        var settled: Set<String> = []
        // Each round but the last meets somebody else's save; only a policy that makes new conflicts itself gets to the
        // limit.
        for _ in 0..<1000 {
            var plan = SavePlan(context: self, coordinator: coordinator)
            do {
                try plan.gather()
                let (results, ticket) = try coordinator.save(plan.parts)
                return (plan, results, ticket)
            } catch {
                plan.takeBackDerivedValues()
                guard let found = error as? StoreSaveConflict else { throw error }
                let conflicts = SaveConflicts(found, context: self)
                // Conflicts that the policy has left as they were would come again for ever.
                if conflicts.signature == settled { throw ConflictErrors.error(conflicts.conflicts) }
                settled = conflicts.signature
                // What somebody else has saved can't be undone here.
                try withoutUndo {
                    try conflictPolicy.resolve(mergeConflicts: conflicts.conflicts)
                    try prepareAgain()
                }
            }
        }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError,
            userInfo: [
                NSLocalizedDescriptionKey: """
                Could not merge changes: the merge policy \(conflictPolicy) made new conflicts again and \
                again. Refresh the objects and save again.
                """
            ])
    }

    /// What the policy has changed is followed and checked as other changes are.
    final func prepareAgain() throws {
        processChanges()
        if let failure = propagateDeletes() { throw failure }
        forgetDeletedInsertions().forEach(breakRelationshipCycles)
        try validateChanges()
        if !pending.isEmpty { processChanges() }
    }
}
