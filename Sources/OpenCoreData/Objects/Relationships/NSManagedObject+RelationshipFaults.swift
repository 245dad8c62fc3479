// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    /// The result of `hasFault(forRelationshipNamed:)`.
    final func isRelationshipFault(_ key: String) -> Bool {
        let slot = relationshipSlot(key)
        switch slot.kind {
        case .toMany:
            if let content = link(slot.link) as? ToManyContent { return !content.isLoaded }
            return !isUnknownToStores
        default:
            if let known = link(slot.link) as? NSManagedObject { return known.isFault }
            let values = isFault ? row?.cells ?? partialCells(containing: slot.cell) : cells
            return values?.isPresent(slot.cell) ?? true
        }
    }

    /// The result of `objectIDs(forRelationshipNamed:)`.
    final func relatedObjectIDs(_ key: String) -> [NSManagedObjectID] {
        let slot = relationshipSlot(key)
        if slot.kind == .toOne { return destinationID(slot).map { [$0] } ?? [] }
        let content = link(slot.link) as? ToManyContent
        if content?.isLoaded ?? isUnknownToStores {
            guard let content else { return [] }
            return content.members.map(\.objectID)
        }
        let stored = context?.destinationIDs(of: self, slot: slot) ?? []
        guard let content, content.isChanged else { return stored }
        // Pending additions come last, as in loaded contents. They include members that were removed and added again.
        let known = Set(stored)
        let late =
            content.isOrdered
            ? content.pendingAdditions.filter { content.isAdded($0) || known.contains($0.objectID) }.map(\.objectID)
            : content.additions.map(\.objectID)
        let superseded = Set(content.removals.map(\.objectID)).union(late)
        return stored.filter { !superseded.contains($0) } + late
    }

    /// Whether neither a store nor an ancestor context has the object, so that its own contents are complete.
    private final var isUnknownToStores: Bool {
        flags.contains(.inserted) || table == nil || (primaryKey < 0 && table?.handle.parent == nil)
    }

    private final func relationshipSlot(_ key: String) -> PropertySlot {
        guard let slot = layout.slot(named: key), slot.isRelationship else { unknownKey(key) }
        return slot
    }

    private final func destinationID(_ slot: PropertySlot) -> NSManagedObjectID? {
        fireFaultIfNeeded(slot.cell)
        if let known = link(slot.link) as? NSManagedObject { return known.objectID }
        guard cells.isPresent(slot.cell), let context else { return nil }
        let destination = layout.model[cells.referenceLayout(slot.cell)]
        let key = cells.integer(slot.cell)
        if let known = context.knownObject(layout: destination, key: key, near: self) { return known.objectID }
        if context.hierarchy.parent != nil {
            return context.object(ofLayout: destination.number, key: key, near: self).objectID
        }
        return NSManagedObjectID(layout: destination, store: key < 0 ? nil : table?.store, key: key)
    }
}

extension NSManagedObjectContext {
    /// The IDs of the objects of a to-many relationship in the store; empty if the store can't be read.
    final func destinationIDs(of owner: NSManagedObject, slot: PropertySlot) -> [NSManagedObjectID] {
        do {
            if hierarchy.parent != nil { return try destinationIDsFromParent(of: owner, slot: slot) }
            return try storedDestinationIDs(of: owner, slot: slot)
        } catch {
            CoreDataLog.error(
                """
                CoreData could not read the relationship '\(slot.name)' of \(owner.objectID): \
                \(error.localizedDescription)
                """
            )
            return []
        }
    }

    /// The IDs of the objects of a to-many relationship that the store has.
    final func storedDestinationIDs(of owner: NSManagedObject, slot: PropertySlot) throws -> [NSManagedObjectID] {
        guard let coordinator = handle.coordinator, let identity = owner.table?.store, owner.primaryKey > 0 else {
            return []
        }
        let references = try coordinator.read(try source(identity)) {
            try $0.destinations(of: slot, ownerLayout: owner.layout, key: owner.primaryKey)
        }
        return references.map { NSManagedObjectID(layout: owner.layout.model[$0.layout], store: identity, key: $0.key) }
    }
}
