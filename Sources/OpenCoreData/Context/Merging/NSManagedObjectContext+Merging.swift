extension NSManagedObjectContext {
    /// Merges what another context has saved: objects that it has changed are refreshed, keeping this context's unsaved
    /// changes; what it has inserted appears as faults; what it has deleted leaves this context.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange` and `NSManagedObjectContextDidMergeChangesObjectIDs`. Call it on
    /// this context's queue; the other context may belong to another coordinator.
    ///
    /// - Parameter notification: the other context's `NSManagedObjectContextDidSave` or
    ///   `NSManagedObjectContextDidSaveObjectIDs`, or its `NSManagedObjectContextObjectsDidChange`.
    public final func mergeChanges(fromContextDidSave notification: Notification) {
        checkQueue()
        let source = notification.object as? NSManagedObjectContext
        // What a child has saved is here already.
        guard source !== self, source == nil || source?.parentContext !== self else { return }
        var changes = MergedChanges(
            notification.userInfo ?? [:], coordinator: handle.coordinator, includesTemporaryIDs: parentContext != nil)
        changes.isForeign = source == nil || source?.handle.coordinator !== handle.coordinator
        merge(changes)
    }

    /// Merges what somebody else has saved, perhaps another process, into contexts, each on its own queue; returns when
    /// all have done so.
    ///
    /// - Parameters:
    ///   - changeNotificationData: object IDs or their URIs, in sets or arrays, under the keys of a save notification:
    ///     `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` and the like, or those for IDs.
    ///   - contexts: the contexts that merge.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            var changes = MergedChanges(changeNotificationData, coordinator: context.handle.coordinator)
            changes.isForeign = true
            context.performAndWait { context.merge(changes) }
        }
    }

    /// Merges on the context's queue, later; doesn't keep the context.
    final func mergeLater(_ changes: MergedChanges) {
        schedule { $0.merge(changes) }
    }

    final func merge(_ changes: MergedChanges) {
        moveToNewestGeneration()
        guard !changes.isEmpty else { return }
        applyPermanentKeys()
        // The context's own changes are told by themselves.
        processPendingChanges()
        for id in changes.deleted { mergeDeletion(id) }
        let newer = changes.updated.union(changes.refreshed).union(changes.invalidated).subtracting(changes.deleted)
        for id in newer { mergeUpdate(id, isForeign: changes.isForeign) }
        if changes.invalidatesAll { refreshAllObjects() }
        for id in changes.inserted where !changes.deleted.contains(id) {
            mergeInsertion(id, isForeign: changes.isForeign)
        }
        processPendingChanges()
        post(.NSManagedObjectContextDidMergeChangesObjectIDs, changes.userInfo)
        deliverToChildren(changes, from: self)
    }

    private func mergeDeletion(_ id: NSManagedObjectID) {
        let id = resolvedID(for: id)
        let table = table(for: id)
        if let object = table[id.key] {
            loseDeleted(object)
        } else {
            handle.coordinator?.forget(layout: id.layout, key: id.key, of: table.store?.store)
        }
    }

    private func mergeUpdate(_ id: NSManagedObjectID, isForeign: Bool) {
        let id = resolvedID(for: id)
        let table = table(for: id)
        let object = table[id.key]
        // Contexts of the same coordinator leave their newest rows in the row cache.
        if isForeign, let layout = object?.layout ?? localLayoutIfKnown(id) {
            handle.coordinator?.forget(layout: layout, key: id.key, of: table.store?.store)
        }
        if let object { takeNewest(object) }
    }

    private func mergeInsertion(_ id: NSManagedObjectID, isForeign: Bool) {
        let id = resolvedID(for: id)
        if let known = table(for: id)[id.key] {
            if !known.flags.contains(.inserted) { mergeUpdate(id, isForeign: isForeign) }
            return
        }
        mergedInsertions.append(object(with: id))
    }

    private func localLayoutIfKnown(_ id: NSManagedObjectID) -> EntityLayout? {
        handle.coordinator?.layouts.byName[id.layout.name]
    }
}
