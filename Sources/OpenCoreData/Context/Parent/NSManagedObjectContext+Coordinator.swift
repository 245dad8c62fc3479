// SPDX-License-Identifier: Apache-2.0

/// The coordinator of a context: its own, or, for a context with a parent, the coordinator of the context at the top of
/// the line.
extension NSManagedObjectContext {
    /// Replaces the coordinator of a context without a parent.
    final func setCoordinator(_ coordinator: NSPersistentStoreCoordinator?) {
        let isReplaced = handle.coordinator !== coordinator
        if hierarchy.parent != nil {
            guard isReplaced else { return }
            programmingError(
                "A context with a parent can't have a coordinator.",
                remedy: "Set parent to nil first, or leave the coordinator to the parent.")
        }
        if isReplaced && registry.hasStoredObjects {
            programmingError(
                "A context's coordinator can't be replaced while it has objects.",
                remedy: "Call reset() first, or make another context.")
        }
        if automaticallyMergesChangesFromParent { mergeSource?.unsubscribe(self) }
        if isReplaced { reading.repinAtNextRead() }
        updateCoordinator(coordinator)
        if automaticallyMergesChangesFromParent { mergeSource?.subscribe(self) }
    }

    /// Sets the coordinator of the topmost ancestor, in this context and in its children.
    final func updateCoordinator(_ coordinator: NSPersistentStoreCoordinator?) {
        handle.setCoordinator(coordinator)
        registry.removeLastEntity()
        hierarchy.children.forEachChild { $0.updateCoordinator(coordinator) }
    }

    /// The coordinator, for work that needs a store.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a context without a coordinator.
    final func requireCoordinator() throws -> NSPersistentStoreCoordinator {
        if let coordinator = handle.coordinator { return coordinator }
        throw CoreDataErrors.error(
            NSCoreDataError, "The context can't reach a store.",
            reason: "The context\(name.map { " '\($0)'" } ?? "") has no persistent store coordinator.",
            suggestion: "Set its persistentStoreCoordinator first.")
    }

    // MARK: Automatic merging

    /// The delivery of the changes that this context merges automatically.
    final var mergeSource: MergeDelivery? {
        hierarchy.parent?.hierarchy.children.delivery ?? handle.coordinator?.mergeDelivery
    }

    /// Begins or ends to merge the changes of the parent.
    final func automaticMergingDidChange() {
        guard automaticallyMergesChangesFromParent else {
            mergeSource?.unsubscribe(self)
            return
        }
        if queue.type == .confinementConcurrencyType {
            programmingError(
                "A context without a queue can't merge by itself.",
                remedy: "Make the context with a private queue or the main queue.")
        }
        mergeSource?.subscribe(self)
    }
}
