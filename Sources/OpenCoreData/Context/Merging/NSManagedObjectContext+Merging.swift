// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// Merges what a notification of another context reports.
    final func mergeNotification(_ notification: Notification) {
        let source = notification.object as? NSManagedObjectContext
        // The changes that a child has saved are in this context already.
        guard source !== self, source == nil || source?.hierarchy.parent !== self else { return }
        var changes = MergedChanges(
            notification.userInfo ?? [:], coordinator: handle.coordinator, includesTemporaryIDs: hierarchy.parent != nil
        )
        changes.isForeign = source == nil || source?.handle.coordinator !== handle.coordinator
        merge(changes)
    }

    /// Merges later, on the context's queue. The context isn't retained until then.
    final func mergeLater(_ changes: MergedChanges) {
        if collect(changes) { return }
        scheduleOnQueue { context in
            context.merge(changes)
            // A block on a private queue is a whole event.
            if !context.endsEventsWithMainQueue { context.finishEvent() }
        }
    }

    /// Merges changes, posts the notifications, and passes the changes on to the children.
    final func merge(_ changes: MergedChanges) {
        advanceToNewestGeneration()
        guard !changes.isEmpty else { return }
        applyPermanentKeys()
        recordChanges(changes)
        // A separate notification reports the context's own changes.
        processChanges()
        for id in changes.deleted { mergeDeletion(id) }
        let newer = changes.updated.union(changes.refreshed).union(changes.invalidated).subtracting(changes.deleted)
        for id in newer { mergeUpdate(id, isForeign: changes.isForeign) }
        if changes.invalidatesAll { refreshAllObjects() }
        for id in changes.inserted where !changes.deleted.contains(id) {
            mergeInsertion(id, isForeign: changes.isForeign)
        }
        var reported = changes
        reported.refreshed.formUnion(changeEvent.refreshed.lazy.map(\.objectID))
        processChanges(areMerged: true)
        post(.NSManagedObjectContextDidMergeChangesObjectIDs, reported.userInfo)
        deliverToChildren(changes, from: self)
    }

    /// Marks a registered object that was deleted elsewhere.
    private func mergeDeletion(_ id: NSManagedObjectID) {
        let id = resolvedID(for: id)
        let table = registry.table(for: id)
        if let object = registeredObject(registry.layout(of: id), key: id.key, in: table) {
            // A deletion that is being saved, or was merged in this event, is no longer in a list.
            if !object.flags.contains(.deleted) || object.changeIndex >= 0 { markDeletedExternally(object) }
        } else if let layout = localLayoutIfKnown(id) {
            handle.coordinator?.evictSnapshot(layout: layout, key: id.key, of: table.store?.store)
        }
    }

    /// Refreshes a registered object whose row was changed elsewhere.
    private func mergeUpdate(_ id: NSManagedObjectID, isForeign: Bool) {
        let id = resolvedID(for: id)
        let table = registry.table(for: id)
        let object = registeredObject(registry.layout(of: id), key: id.key, in: table)
        // The row cache has the newest rows that contexts of the same coordinator have saved.
        if isForeign, let layout = object?.layout ?? localLayoutIfKnown(id) {
            handle.coordinator?.evictSnapshot(layout: layout, key: id.key, of: table.store?.store)
        }
        if let object { refreshToNewest(object) }
    }

    /// Registers a fault for an object that was inserted elsewhere.
    private func mergeInsertion(_ id: NSManagedObjectID, isForeign: Bool) {
        let id = resolvedID(for: id)
        if let known = registeredObject(registry.layout(of: id), key: id.key, in: registry.table(for: id)) {
            if !known.flags.contains(.inserted) { mergeUpdate(id, isForeign: isForeign) }
            return
        }
        changeEvent.addMergedInsertion(objectOrFault(id))
    }

    private func localLayoutIfKnown(_ id: NSManagedObjectID) -> EntityLayout? {
        handle.coordinator?.layouts.byName[id.layout.name]
    }
}
