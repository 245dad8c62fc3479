// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// Ends a save that some stores have committed before another store's commit failed.
    ///
    /// The objects of the committed stores are saved: they have permanent IDs and new committed snapshots, and the
    /// notifications of the save contain them. All other objects keep their changes, so the next save writes only
    /// these.
    ///
    /// - Returns: the error of the save, `NSPersistentStoreIncompleteSaveError` (134040).
    final func didWriteIncompletely(
        _ plan: SavePlan, _ derived: DerivedAttributesOfSave, _ outcome: NSPersistentStoreCoordinator.SaveOutcome,
        _ failure: any Error
    ) -> NSError {
        let failed = zip(plan.parts, outcome.results).filter { $1 == nil }.map(\.0)
        let remaining = removeChanges(of: failed)
        derived.restore(of: Set(remaining.objects))
        didWrite(
            plan.committed(outcome), outcome.results.compactMap { $0 }, commit: outcome.commit, keeping: remaining)
        let stores = failed.map { part -> NSPersistentStore in part.store }
        let names = stores.map { $0.url?.lastPathComponent ?? $0.identifier ?? "" }.joined(separator: ", ")
        return CoreDataErrors.error(
            NSPersistentStoreIncompleteSaveError, "The changes of some stores could not be saved: \(names).",
            reason: (failure as NSError).localizedDescription,
            suggestion: "The changes of the other stores are saved. Save again to write the rest.",
            userInfo: [
                NSAffectedStoresErrorKey: stores, NSAffectedObjectsErrorKey: remaining.objects,
                NSUnderlyingErrorKey: failure as NSError,
            ])
    }

    /// Removes the changes that stores have not committed from the unsaved changes.
    private func removeChanges(of failed: [SavePlan.Part]) -> RemainingChanges {
        let stores = Set(failed.map { ObjectIdentifier($0.store) })
        let new = Set(failed.flatMap(\.insertedObjects).map(ObjectIdentifier.init))
        func isRemaining(_ object: NSManagedObject) -> Bool {
            object.table?.store?.store.map { stores.contains(ObjectIdentifier($0)) } ?? false
        }
        return unsavedChanges.removeUncommitted(new, isRemaining)
    }
}
