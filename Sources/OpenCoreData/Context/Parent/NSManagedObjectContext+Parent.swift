// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    // MARK: Setting the parent

    /// Replaces the parent; nil for no parent.
    final func setParent(_ newValue: NSManagedObjectContext?) {
        guard newValue !== hierarchy.parent else { return }
        if let newValue { checkParent(newValue) }
        if !registry.isEmpty {
            programmingError(
                "A context's parent can't be replaced while it has objects.",
                remedy: "Call reset() first, or use another context.")
        }
        if automaticallyMergesChangesFromParent { mergeSource?.unsubscribe(self) }
        reading.pin(to: .none)
        hierarchy.setParent(newValue, of: self)
        updateCoordinator(newValue?.handle.coordinator)
        if automaticallyMergesChangesFromParent { mergeSource?.subscribe(self) }
    }

    private func checkParent(_ parent: NSManagedObjectContext) {
        if parent.queue.type == .confinementConcurrencyType {
            programmingError(
                """
                Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or \
                NSMainQueueConcurrencyType.
                """,
                remedy: "Create the parent with privateQueueConcurrencyType or mainQueueConcurrencyType.")
        }
        if hierarchy.parent == nil && handle.coordinator != nil {
            programmingError(
                "Context already has a coordinator; cannot replace it by a parent.",
                remedy: "Create the child with NSManagedObjectContext(concurrencyType:) and set only its parent.")
        }
        var next: NSManagedObjectContext? = parent
        while let context = next {
            if context === self {
                programmingError(
                    "A context can't be its own ancestor.",
                    remedy: "Set a parent that is not a child of the context, or a child of a child.")
            }
            next = context.hierarchy.parent
        }
    }

    // MARK: Working with the parent

    /// Runs a closure with the parent on its queue, and waits; returns nil without a parent.
    ///
    /// Applies permanent keys before, so that the parent knows the IDs of the closure, and after, so that this context
    /// knows the IDs of the result.
    final func performOnParent<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result? {
        guard let parent = hierarchy.parent else { return nil }
        applyPermanentKeys()
        let result = try parent.performSynchronously {
            parent.applyPermanentKeys()
            return try body(parent)
        }
        applyPermanentKeys()
        return result
    }

    /// Delivers what this context, or a child, has saved or merged to the children that merge automatically.
    final func deliverToChildren(_ changes: MergedChanges, from source: NSManagedObjectContext) {
        guard hierarchy.children.delivery.hasSubscribers else { return }
        var changes = changes
        // The row cache has no outdated rows: they were evicted when the changes arrived.
        changes.isForeign = false
        hierarchy.children.delivery.deliver(changes, commit: hierarchy.children.delivery.numberCommit(), from: source)
    }

    // MARK: Objects and references of a child

    /// The object with an ID, with the parent's values; nil if the parent has no such object. Called for an ID that
    /// this context does not know, or whose object is a fault.
    final func existingObjectInParent(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        let object = objectOrFault(id)
        guard let found = try parentRow(object.layout, key: object.primaryKey, store: object.table?.store) else {
            return nil
        }
        guard object.accepts(found.row) else {
            guard object.layout.contains(found.row.layoutNumber), let table = object.table else { return nil }
            // The ID names a superentity.
            let object = materialize(found.row, buffer: found.buffer, table: table, refreshing: false)
            object.fireFaultIfNeeded()
            return object
        }
        if object.flags.contains(.fault) { _ = object.fulfill(with: found) }
        return object
    }

    /// The destination of a to-one reference in an object of a child.
    final func objectForChildReference(
        _ layout: EntityLayout, key: Int64, near source: NSManagedObject
    ) -> NSManagedObject {
        let location = identityLocation(layout, key: key, near: source)
        return registeredObjectOrFault(layout, key: location.key, in: location.table)
    }

    /// The destination of a to-one reference in an object of a child, if it is registered.
    final func registeredObjectForChildReference(
        _ layout: EntityLayout, key: Int64, near source: NSManagedObject
    ) -> NSManagedObject? {
        let location = identityLocation(layout, key: key, near: source)
        return registeredObject(layout, key: location.key, in: location.table)
    }

    /// The identity table and the key for a reference. In a child an object without a store can refer to objects of a
    /// store, and a temporary key can be replaced by a permanent one.
    private func identityLocation(
        _ layout: EntityLayout, key: Int64, near source: NSManagedObject
    ) -> (table: IdentityTable, key: Int64) {
        let store = key < 0 ? nil : source.table?.store ?? storeOfDestination(layout, key: key, of: source.objectID)
        return identityLocation(root: layout.root, key: key, store: store)
    }

    /// The store of the destination of an object without a store.
    private func storeOfDestination(_ layout: EntityLayout, key: Int64, of source: NSManagedObjectID) -> StoreIdentity?
    {
        let stores = handle.coordinator?.stores(for: layout, among: nil) ?? []
        if stores.count < 2 { return stores.first?.identity }
        return performOnParent { $0.storeOfLinkedObject(layout.number, key: key, of: source) } ?? nil
    }

    /// The store of a destination, in the nearest ancestor that has linked both objects. Runs on the ancestor's queue.
    private func storeOfLinkedObject(_ number: UInt32, key: Int64, of source: NSManagedObjectID) -> StoreIdentity? {
        if let object = object(registeredAs: source), !object.flags.contains(.fault) {
            for index in object.layout.toOneProperties {
                guard let destination = object.link(object.layout.properties[index].link) as? NSManagedObject else {
                    continue
                }
                if destination.layout.number == number && destination.primaryKey == key {
                    return destination.table?.store
                }
            }
        }
        return performOnParent { $0.storeOfLinkedObject(number, key: key, of: source) } ?? nil
    }
}
