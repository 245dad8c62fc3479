extension NSManagedObjectContext {
    /// Merges what a notification of another context reports.
    final func mergeNotification(_ notification: Notification) {
        let source = notification.object as? NSManagedObjectContext
        // What a child has saved is here already.
        guard source !== self, source == nil || source?.parentContext !== self else { return }
        var changes = MergedChanges(
            notification.userInfo ?? [:], coordinator: handle.coordinator, includesTemporaryIDs: parentContext != nil)
        changes.isForeign = source == nil || source?.handle.coordinator !== handle.coordinator
        merge(changes)
    }

    /// Merges on the context's queue, later; doesn't keep the context.
    final func mergeLater(_ changes: MergedChanges) {
        schedule { $0.merge(changes) }
    }

    final func merge(_ changes: MergedChanges) {
        moveToNewestGeneration()
        guard !changes.isEmpty else { return }
        applyPermanentKeys()
        recordChanges(changes)
        // The context's own changes have a notification of their own.
        processChanges()
        for id in changes.deleted { mergeDeletion(id) }
        let newer = changes.updated.union(changes.refreshed).union(changes.invalidated).subtracting(changes.deleted)
        for id in newer { mergeUpdate(id, isForeign: changes.isForeign) }
        if changes.invalidatesAll { refreshAllObjects() }
        for id in changes.inserted where !changes.deleted.contains(id) {
            mergeInsertion(id, isForeign: changes.isForeign)
        }
        processChanges()
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
        mergedInsertions.append(objectOrFault(id))
    }

    private func localLayoutIfKnown(_ id: NSManagedObjectID) -> EntityLayout? {
        handle.coordinator?.layouts.byName[id.layout.name]
    }
}
