// SPDX-License-Identifier: Apache-2.0

/// The contents of a to-many relationship in the ancestors of a child.
struct AncestorContents {
    /// The complete contents in the nearest ancestor that has loaded them; nil if no ancestor has.
    var base: [NSManagedObjectID]?
    /// The changes of the base, or of the store's contents: from the topmost ancestor down.
    var changes: [Change] = []

    struct Change {
        /// In the order of addition, if the relationship is ordered.
        let added: [NSManagedObjectID]
        let removed: Set<NSManagedObjectID>
    }

    /// The members in the parent.
    ///
    /// - Parameter stored: the members in the store. Used only without a base.
    func members(over stored: [NSManagedObjectID]) -> [NSManagedObjectID] {
        var members = base ?? stored
        for change in changes {
            let added = Set(change.added)
            members.removeAll { change.removed.contains($0) || added.contains($0) }
            members += change.added
        }
        return members
    }
}

/// Relationship contents for a child context: from its ancestors, or from the store.
extension NSManagedObjectContext {
    // MARK: Reading, on the queue of the child

    /// The members of a to-many relationship in the parent; nil if they can't be read.
    final func destinationObjectsFromParent(of owner: NSManagedObject, slot: PropertySlot) -> [NSManagedObject]? {
        guard !owner.flags.contains(.detached),
            let content = performOnParent({ $0.ancestorContents([owner.objectID], slot) })?.first
        else { return [] }
        do {
            return members(content, over: content.base == nil ? try storedMembers(of: owner, slot) : [])
        } catch {
            CoreDataLog.error(
                """
                CoreData could not fulfill the relationship '\(slot.name)' of \(owner.objectID): \
                \(error.localizedDescription)
                """
            )
            reading.recordFailure(error)
            return nil
        }
    }

    /// The IDs of the members of a to-many relationship in the parent.
    final func destinationIDsFromParent(of owner: NSManagedObject, slot: PropertySlot) throws -> [NSManagedObjectID] {
        guard !owner.flags.contains(.detached),
            let content = performOnParent({ $0.ancestorContents([owner.objectID], slot) })?.first
        else { return [] }
        let stored = content.base == nil ? try storedDestinationIDs(of: owner, slot: slot) : []
        // A member may have got a permanent key while the parent or the store was read.
        applyPermanentKeys()
        return content.members(over: stored).map(resolvedID)
    }

    private func storedMembers(of owner: NSManagedObject, _ slot: PropertySlot) throws -> [NSManagedObject] {
        guard owner.primaryKey > 0, let identity = owner.table?.store else { return [] }
        let references = try requireCoordinator().read(try source(identity)) {
            try $0.destinations(of: slot, ownerLayout: owner.layout, key: owner.primaryKey)
        }
        let table = registry.table(store: identity, root: owner.layout.model[slot.destination].root)
        // A member may have got a permanent key while the parent or the store was read.
        applyPermanentKeys()
        return references.map { reference in
            registeredObjectOrFault(owner.layout.model[reference.layout], key: reference.key, in: table)
        }
    }

    /// The members of contents, given the members in the store.
    final func members(_ content: AncestorContents, over stored: [NSManagedObject]) -> [NSManagedObject] {
        if content.base == nil && content.changes.isEmpty { return stored.filter { !$0.flags.contains(.detached) } }
        return content.members(over: stored.map(\.objectID)).map { objectOrFault($0) }.filter {
            !$0.flags.contains(.detached)
        }
    }

    /// A member that a prefetch has found. The member is a fault if the ancestors have another row than the store.
    final func member(_ reference: ObjectReference, in table: IdentityTable) -> NSManagedObject? {
        guard let layout = handle.coordinator?.layouts[reference.layout] else { return nil }
        if hierarchy.parent == nil { return registeredObject(layout, key: reference.key, in: table) }
        return registeredObjectOrFault(layout, key: reference.key, in: table)
    }

    /// Loads a relationship of the owners for which an ancestor has the complete contents. A prefetch calls this before
    /// it reads the other owners' contents from the store.
    ///
    /// - Returns: the changes of the ancestors for the other owners, by key.
    /// - Throws: the errors of the store.
    final func loadContentsFromAncestors(_ slot: PropertySlot, of owners: [NSManagedObject]) throws -> [Int64:
        AncestorContents]
    {
        guard hierarchy.parent != nil else { return [:] }
        let unloaded = owners.filter {
            !$0.flags.contains(.detached) && !$0.toManyContent(slot, loading: false).isLoaded
        }
        guard !unloaded.isEmpty,
            let contents = performOnParent({ $0.ancestorContents(unloaded.map(\.objectID), slot) })
        else { return [:] }
        var changed: [Int64: AncestorContents] = [:]
        var loaded: [NSManagedObject] = []
        for (owner, content) in zip(unloaded, contents) {
            if content.base != nil || owner.primaryKey < 0 {
                let members = members(content, over: [])
                owner.toManyContent(slot, loading: false).load(members)
                loaded += members
            } else if !content.changes.isEmpty {
                changed[owner.primaryKey] = content
            }
        }
        var identifiers: Set<ObjectIdentifier> = []
        let faults = loaded.filter { $0.awaitsRow && identifiers.insert(ObjectIdentifier($0)).inserted }
        for (_, faults) in Dictionary(grouping: faults, by: { ObjectIdentifier($0.table!) }) {
            try loadRows(of: faults, layout: faults[0].layout.model[slot.destination], table: faults[0].table!)
        }
        return changed
    }

    // MARK: Answering a child, on the queue of the ancestor

    private func ancestorContents(_ owners: [NSManagedObjectID], _ slot: PropertySlot) -> [AncestorContents] {
        var contents = owners.map { id -> AncestorContents in
            let location = identityLocation(root: id.layout.root, key: id.key, store: id.storeIdentity)
            guard let owner = registeredObject(registry.layout(of: id), key: location.key, in: location.table) else {
                return AncestorContents()
            }
            let isNew = owner.flags.contains(.inserted)
            guard
                let content = isNew ? owner.toManyContent(slot, loading: true) : owner.link(slot.link) as? ToManyContent
            else { return AncestorContents() }
            if content.isLoaded {
                return AncestorContents(base: content.members.map(\.objectID))
            }
            guard content.isChanged else { return AncestorContents() }
            return AncestorContents(changes: [
                .init(
                    added: (content.isOrdered ? content.pendingAdditions : content.additions).map(\.objectID),
                    removed: Set(content.removals.map(\.objectID)))
            ])
        }
        let incomplete = contents.indices.filter { contents[$0].base == nil }
        guard !incomplete.isEmpty,
            let above = performOnParent({ $0.ancestorContents(incomplete.map { owners[$0] }, slot) })
        else { return contents }
        for (index, content) in zip(incomplete, above) {
            contents[index].base = content.base
            contents[index].changes = content.changes + contents[index].changes
        }
        return contents
    }
}
