// SPDX-License-Identifier: Apache-2.0

/// The steps of a save, in order: `processChanges()` (+Changes), `prepareToSave()` (+SavePreparation), `write(to:)`
/// with a `SavePlan`, and `didWrite(_:_:commit:keeping:)` (+SaveCompletion). A child context saves by
/// `saveIntoParent()`.
extension NSManagedObjectContext {
    /// Saves all changes, or none: the work of ``save()``.
    final func saveChanges() throws {
        guard !saving.isActive else { throw recursiveSave() }
        // An observer of a change notification may save: it processes the changes that it has made itself.
        try changeEvent.withNestedProcessing(processAndSave)
    }

    private func processAndSave() throws {
        processChanges()
        guard unsavedChanges.needSave else { return try saveWithoutChanges() }
        saving.begin()
        defer {
            saving.end()
            saving.releaseCells()
        }
        post(.NSManagedObjectContextWillSave, [:])
        try prepareToSave()
        guard unsavedChanges.needSave else {
            // willSave() has taken all changes back.
            saving.end()
            return try saveWithoutChanges()
        }
        if hierarchy.parent != nil { return try saveIntoParent() }
        let (plan, derived, outcome) = try saving.write { try write(to: try requireCoordinator()) }
        if let failure = outcome.failure { throw didWriteIncompletely(plan, derived, outcome, failure) }
        didWrite(plan, outcome.results.compactMap { $0 }, commit: outcome.commit)
    }

    /// The save of a context without changes: writes changed metadata of stores, and posts the notification of a save
    /// without objects, as Core Data does.
    private func saveWithoutChanges() throws {
        if hierarchy.parent == nil, let coordinator = handle.coordinator { try coordinator.saveMetadata() }
        advanceToNewestGeneration()
        post(.NSManagedObjectContextDidSave, [:])
    }

    /// The error of a save that the same context calls while it saves, with Apple's code, which has no name.
    private func recursiveSave() -> NSError {
        let message = "attempt to recursively call -save: on the context aborted"
        return CoreDataErrors.error(
            132001, message: message, reason: "The context\(name.map { " '\($0)'" } ?? "") is saving already.",
            suggestion:
                "Don't call save() in willSave(), in didSave(), or in an observer of NSManagedObjectContextWillSave.",
            userInfo: ["message": message])
    }

    // MARK: Writing

    /// How many times a save is tried again after the merge policy has resolved conflicts.
    static let conflictLimit = 1000

    /// Writes the changes to the stores. The merge policy resolves conflicts, and the write is tried again, until there
    /// are none.
    ///
    /// - Returns: the changes, the derived attributes, and the outcome: the result of each store, the number of the
    ///   commit, and the error if only some stores have committed.
    /// - Throws: `NSManagedObjectMergeError` (133020) or `NSManagedObjectConstraintMergeError` (133021) for conflicts
    ///   that the policy doesn't resolve, and what the stores throw.
    private func write(to coordinator: NSPersistentStoreCoordinator) throws -> (
        plan: SavePlan, derived: DerivedAttributesOfSave, outcome: NSPersistentStoreCoordinator.SaveOutcome
    ) {
        try assignReferenceIDs(coordinator)
        var resolved: SaveConflicts?
        // Each round but the last meets a save of another context or process. Only a policy that makes new conflicts
        // itself reaches the limit.
        for _ in 0..<Self.conflictLimit {
            let derived = DerivedAttributesOfSave()
            let values = TransformableValuesOfSave()
            defer { values.end() }
            do {
                var plan = try makePlan(coordinator, derived, values)
                // From here on the stores have the addresses of cells.
                saving.holdCells()
                try plan.collectChanges()
                let outcome = try coordinator.activity.observe(coordinator.event(plan.parts)) {
                    try coordinator.save(plan.parts)
                } count: {
                    $0.results.count
                }
                return (plan, derived, outcome)
            } catch {
                saving.releaseCells()
                derived.restore()
                guard let found = error as? StoreSaveConflict else { throw error }
                let conflicts = SaveConflicts(found, context: self)
                coordinator.report(conflicts.conflicts)
                // Conflicts that the policy has not resolved would come again in every round.
                if let resolved, conflicts.areSame(as: resolved) { throw ConflictErrors.error(conflicts.conflicts) }
                resolved = conflicts
                try resolveConflicts(conflicts.conflicts)
            }
        }
        throw endlessConflicts()
    }

    /// How often a save computes its values again because the program changed objects while they were computed.
    private static let planLimit = 8

    /// The plan of the present changes, with the values that are computed for it.
    ///
    /// Computing them calls the program: `awakeFromFetch()`, derivations over its methods, value transformers. If the
    /// program has then changed the unsaved changes, everything is computed once more. After that only the stores call
    /// the program.
    private func makePlan(
        _ coordinator: NSPersistentStoreCoordinator, _ derived: DerivedAttributesOfSave,
        _ values: TransformableValuesOfSave
    ) throws -> SavePlan {
        for _ in 0..<Self.planLimit {
            for object in unsavedChanges.updated.objects { object.fireFaultIfNeeded() }
            let serial = unsavedChanges.serial
            let plan = try SavePlan(context: self, coordinator: coordinator)
            try derived.compute(for: plan, self, coordinator)
            try values.prepare(plan)
            let isCurrent = derived.isEmpty && values.isEmpty || plan.hasValues
            if isCurrent && unsavedChanges.serial == serial && values.areCurrent { return plan }
            values.end()
            derived.restore()
        }
        throw CoreDataErrors.error(
            NSCoreDataError, "The changes can't be saved.",
            reason: "Value transformers or derived attributes change objects each time that their values are computed.",
            suggestion: "Don't change objects in a value transformer.")
    }

    /// Calls the merge policy with conflicts. The objects that the policy changes get `willSave()`, and its changes are
    /// processed and validated like other changes.
    ///
    /// The changes aren't registered with the undo manager: an undo can't take back what another context has saved.
    final func resolveConflicts(_ conflicts: [Any]) throws {
        try undoRegistration.suspended {
            try saving.mergePolicy.resolve(mergeConflicts: conflicts)
            try RelationshipReconciliation(self, conflicts, saving.mergePolicy.mergeType).run()
            try prepareResolvedChanges()
        }
    }

    /// The error of a merge policy that made new conflicts in every round.
    final func endlessConflicts() -> NSError {
        CoreDataErrors.error(
            NSManagedObjectMergeError, "Could not merge changes.",
            reason:
                "The merge policy \(saving.mergePolicy) made new conflicts in each of \(Self.conflictLimit) rounds.",
            suggestion: "Refresh the objects and save again.")
    }

    // MARK: Checked objects

    /// Includes an unchanged object in the optimistic locking of the next save.
    final func checkVersionOnSave(of object: NSManagedObject) {
        guard object.table?.handle === handle, object.primaryKey > 0,
            object.flags.isDisjoint(with: [.inserted, .detached])
        else { return }
        // A fault has no row version yet.
        object.fireFaultIfNeeded()
        unsavedChanges.check(object)
    }

    /// Includes an object whose relationship contradicts the other side in the optimistic locking of the next save,
    /// until the changes are rolled back.
    final func checkVersionOnSave(ofContradicted object: NSManagedObject) {
        guard hierarchy.parent == nil, object.table?.handle === handle, object.primaryKey > 0,
            object.flags.isDisjoint(with: [.inserted, .detached])
        else { return }
        unsavedChanges.check(contradicted: object)
    }
}
