/// The content of a to-many relationship as the contexts above a child know it.
struct LayeredContent {
    /// The whole content where the nearest context that has it loaded knows it; nil if the store's content counts.
    var base: [NSManagedObjectID]?
    /// What was changed on top of that, by the highest context first.
    var changes: [Change] = []

    struct Change {
        /// In the order in which they came, if the relationship has one.
        let added: [NSManagedObjectID]
        let removed: Set<NSManagedObjectID>
    }

    /// The members over the content that the store has.
    func members(over stored: [NSManagedObjectID]) -> [NSManagedObjectID] {
        var members = base ?? stored
        for change in changes {
            let late = Set(change.added)
            members.removeAll { change.removed.contains($0) || late.contains($0) }
            members += change.added
        }
        return members
    }
}

/// To-many contents as a parent has them. What answers a child runs on the queue of the context that answers.
extension NSManagedObjectContext {
    // MARK: Asking

    /// The objects of a to-many relationship, as the contexts above have them; nil if they can't be read.
    final func destinationObjectsOfParent(of owner: NSManagedObject, slot: PropertySlot) -> [NSManagedObject]? {
        guard !owner.flags.contains(.detached),
            let content = askParent({ $0.layeredContents([owner.objectID], slot) })?.first
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
            readingFailure = error
            return nil
        }
    }

    /// The IDs of the objects of a to-many relationship, as the contexts above have them.
    final func destinationIDsOfParent(of owner: NSManagedObject, slot: PropertySlot) throws -> [NSManagedObjectID] {
        guard !owner.flags.contains(.detached),
            let content = askParent({ $0.layeredContents([owner.objectID], slot) })?.first
        else { return [] }
        let stored = content.base == nil ? try storedDestinationIDs(of: owner, slot: slot) : []
        // A member may have got its permanent key meanwhile.
        applyPermanentKeys()
        return content.members(over: stored).map { resolvedID(for: $0) }
    }

    private func storedMembers(of owner: NSManagedObject, _ slot: PropertySlot) throws -> [NSManagedObject] {
        guard owner.primaryKey > 0, let identity = owner.table?.store else { return [] }
        let references = try requireCoordinator().destinations(
            of: slot, ownerLayout: owner.layout, key: owner.primaryKey, store: try source(identity))
        let table = table(store: identity, root: owner.layout.model[slot.destination].root)
        // A member may have got its permanent key meanwhile.
        applyPermanentKeys()
        return references.map { reference in
            table[reference.key]
                ?? makeFault(layout: owner.layout.model[reference.layout], key: reference.key, table: table, id: nil)
        }
    }

    /// The objects of a content, over those that the store has.
    final func members(_ content: LayeredContent, over stored: [NSManagedObject]) -> [NSManagedObject] {
        if content.base == nil && content.changes.isEmpty { return stored.filter { !$0.flags.contains(.detached) } }
        return content.members(over: stored.map(\.objectID)).map { object(with: $0) }.filter {
            !$0.flags.contains(.detached)
        }
    }

    /// A member that a prefetch has found; one whose row counts no more is a fault.
    final func member(_ reference: ObjectReference, in table: IdentityTable) -> NSManagedObject? {
        if let known = table[reference.key] { return known }
        guard parentContext != nil, let layout = handle.coordinator?.layouts[reference.layout] else { return nil }
        return makeFault(layout: layout, key: reference.key, table: table, id: nil)
    }

    /// Loads the contents of a relationship that the contexts above know whole, before the rest is read from the store.
    ///
    /// - Returns: what they have changed of the others, by the owners' keys.
    /// - Throws: what the store throws.
    final func loadContentsKnownToAncestors(_ slot: PropertySlot, of owners: [NSManagedObject]) throws -> [Int64:
        LayeredContent]
    {
        guard parentContext != nil else { return [:] }
        let waiting = owners.filter {
            !$0.flags.contains(.detached) && !$0.toManyContent(slot, loading: false).isLoaded
        }
        guard !waiting.isEmpty, let contents = askParent({ $0.layeredContents(waiting.map(\.objectID), slot) }) else {
            return [:]
        }
        var changed: [Int64: LayeredContent] = [:]
        var found: [NSManagedObject] = []
        for (owner, content) in zip(waiting, contents) {
            if content.base != nil || owner.primaryKey < 0 {
                let members = members(content, over: [])
                owner.toManyContent(slot, loading: false).load(members)
                found += members
            } else if !content.changes.isEmpty {
                changed[owner.primaryKey] = content
            }
        }
        var seen: Set<ObjectIdentifier> = []
        let faults = found.filter { $0.awaitsRow && seen.insert(ObjectIdentifier($0)).inserted }
        for (_, faults) in Dictionary(grouping: faults, by: { ObjectIdentifier($0.table!) }) {
            try loadRows(of: faults, layout: faults[0].layout.model[slot.destination], table: faults[0].table!)
        }
        return changed
    }

    // MARK: Answering

    private func layeredContents(_ owners: [NSManagedObjectID], _ slot: PropertySlot) -> [LayeredContent] {
        var contents = owners.map { id -> LayeredContent in
            let location = identityLocation(root: id.layout.root, key: id.key, store: id.storeIdentity)
            guard let owner = location.table[location.key] else { return LayeredContent() }
            let isNew = owner.flags.contains(.inserted)
            guard
                let content = isNew ? owner.toManyContent(slot, loading: true) : owner.link(slot.link) as? ToManyContent
            else { return LayeredContent() }
            if content.isLoaded {
                return LayeredContent(
                    base: (content.isOrdered ? content.order : Array(content.members)).map(\.objectID))
            }
            guard content.isChanged else { return LayeredContent() }
            return LayeredContent(changes: [
                .init(
                    added: (content.isOrdered ? content.pendingAdditions : Array(content.added)).map(\.objectID),
                    removed: Set(content.removed.map(\.objectID)))
            ])
        }
        let open = contents.indices.filter { contents[$0].base == nil }
        guard !open.isEmpty, let above = askParent({ $0.layeredContents(open.map { owners[$0] }, slot) }) else {
            return contents
        }
        for (index, content) in zip(open, above) {
            contents[index].base = content.base
            contents[index].changes = content.changes + contents[index].changes
        }
        return contents
    }
}
