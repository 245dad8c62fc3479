// SPDX-License-Identifier: Apache-2.0

/// Replacing the committed values of an object while its unsaved changes stay, and reverting changes.
extension NSManagedObject {
    /// Which values of an object stay when a newer row replaces its committed values.
    enum RebasePolicy {
        /// The values that differ from the committed ones. Ordered relationships get the order of the store.
        case changes
        /// The values that differ from the committed ones, and the order of ordered relationships that have changes.
        case changesAndOrder
        /// All values, and all members of relationships that have changes.
        case everything
    }

    /// Replaces the committed values by a newer row.
    final func rebase(onto fresh: RetainedRow, policy: RebasePolicy) {
        guard !flags.contains(.fault), let old = row, let oldBuffer = buffer else {
            attach(fresh.row, buffer: fresh.buffer)
            return
        }
        let moved = layout.toOneProperties.map { layout.properties[$0] }.filter {
            $0.inverse >= 0 && !$0.isTransient && !$0.isEqual(old.cells, fresh.row.cells)
        }
        let own = Cells.allocate(layout)
        layout.copy(fresh.row.cells, to: own)
        for slot in layout.properties where slot.cell >= 0 {
            if slot.isTransient
                || (slot.derivation == nil && (policy == .everything || !slot.isEqual(cells, old.cells)))
            {
                slot.copy(from: cells, to: own)
            } else if slot.kind == .toOne {
                setLink(nil, slot.link)
            }
        }
        if flags.contains(.fault) {
            // Comparing transformable values has called the program, which has made the object a fault.
            layout.destroy(own)
            own.deallocate()
            attach(fresh.row, buffer: fresh.buffer)
            return
        }
        withExtendedLifetime(oldBuffer) {
            row = fresh.row
            buffer = fresh.buffer
            self.own(own)
        }
        rebaseContents(policy)
        for slot in moved { removeFromCommittedDestination(slot) }
    }

    /// Applies the changes of all to-many relationships to their newer contents in the store.
    final func rebaseContents(_ policy: RebasePolicy) {
        for index in layout.relationshipProperties { rebaseContents(layout.properties[index], policy) }
    }

    /// Applies the changes of a to-many relationship to its newer contents in the store.
    final func rebaseContents(_ slot: PropertySlot, _ policy: RebasePolicy) {
        guard slot.kind == .toMany, let content = link(slot.link) as? ToManyContent else { return }
        guard content.isChanged else { return setLink(nil, slot.link) }
        // Contents that can't be read stay as they are. A save of them fails for the same reason.
        guard let stored = context?.destinationObjects(of: self, slot: slot) else { return }
        // A to-one inverse is stored in the rows of the members: the conflicts of the members decide about the
        // membership.
        let isDecidedByMembers =
            slot.inverse >= 0 && layout.model[slot.destination].properties[slot.inverse].kind == .toOne
        content.rebase(onto: stored, policy: policy == .everything && isDecidedByMembers ? .changesAndOrder : policy)
    }

    /// Restores the committed value of a property and of the inverse relationship. This doesn't count as a change:
    /// to-many contents that aren't loaded don't record it.
    final func revert(_ slot: PropertySlot) {
        switch slot.kind {
        case .toOne:
            revertDestination(slot)
        case .toMany:
            guard let content = link(slot.link) as? ToManyContent, content.isChanged else { return }
            let (added, removed) = (content.additions, content.removals)
            content.rollback()
            guard slot.inverse >= 0 else { return }
            for object in added { object.revertInverse(of: self, slot) }
            for object in removed { object.revertInverse(of: self, slot) }
        case .fetched:
            return
        default:
            guard !slot.isTransient, let row else { return }
            ownCells()
            slot.copy(from: row.cells, to: cells)
        }
    }

    /// Restores the committed destination of a to-one relationship, and the effects of the change on other objects. A
    /// change of a one-to-one relationship separates the pairs that its objects belonged to, and restoring a pair
    /// separates further pairs. The pairs may form a chain of any length, so they wait in a list.
    private final func revertDestination(_ slot: PropertySlot) {
        var waiting = [(object: self, slot: slot)]
        while let (object, slot) = waiting.popLast() {
            let current = object.destination(slot)
            object.revertReference(slot)
            let committed = object.destination(slot)
            guard slot.inverse >= 0, current !== committed else { continue }
            for case let other? in [committed, current] where other.flags.isDisjoint(with: .detached) {
                let inverse = other.layout.properties[slot.inverse]
                if inverse.kind == .toOne {
                    waiting.append((other, inverse))
                } else {
                    other.revertInverse(of: object, slot)
                }
            }
        }
    }

    /// Restores the committed destination of a to-one relationship.
    private final func revertReference(_ slot: PropertySlot) {
        fireFaultIfNeeded()
        ownCells()
        if let row { slot.copy(from: row.cells, to: cells) } else { cells.setEmpty(slot.cell) }
        setLink(nil, slot.link)
    }

    /// Reverts the change of the inverse of a relationship of another object.
    ///
    /// - Parameters:
    ///   - source: the object whose relationship is reverted.
    ///   - slot: its relationship, which has an inverse.
    final func revertInverse(of source: NSManagedObject, _ slot: PropertySlot) {
        guard flags.isDisjoint(with: .detached) else { return }
        let inverse = layout.properties[slot.inverse]
        if inverse.kind == .toOne {
            revertDestination(inverse)
        } else if let content = link(inverse.link) as? ToManyContent {
            content.undo(source)
        }
    }

    /// Reverts all changes of relationships, on both sides.
    final func revertRelationships() {
        guard !flags.contains(.fault) else { return }
        for index in layout.relationshipProperties where isChanged(layout.properties[index]) {
            revert(layout.properties[index])
        }
    }

    /// Removes the object from the relationships of registered objects, after another context or process has deleted
    /// its row. This doesn't count as a change of these objects, because their rows have changed already.
    final func removeFromInverses() {
        for index in layout.relationshipProperties {
            let slot = layout.properties[index]
            guard slot.inverse >= 0 else { continue }
            for destination in loadedDestinations(slot) where destination !== self {
                destination.removeCommitted(self, destination.layout.properties[slot.inverse])
            }
        }
    }

    /// The registered destinations of a relationship, without reading a row.
    private final func loadedDestinations(_ slot: PropertySlot) -> [NSManagedObject] {
        if slot.kind == .toMany {
            return (link(slot.link) as? ToManyContent).map { $0.isLoaded ? $0.members : $0.additions } ?? []
        }
        if let known = link(slot.link) as? NSManagedObject { return [known] }
        guard let values = flags.contains(.fault) ? row?.cells : cells, values.isPresent(slot.cell), let context else {
            return []
        }
        return context.knownObject(
            layout: layout.model[values.referenceLayout(slot.cell)], key: values.integer(slot.cell), near: self
        ).map { [$0] } ?? []
    }

    /// Removes an object from a relationship, as if the store had never had it there.
    private final func removeCommitted(_ object: NSManagedObject, _ slot: PropertySlot) {
        switch slot.kind {
        case .toOne:
            guard !flags.contains(.fault), cells.isPresent(slot.cell), cells.integer(slot.cell) == object.primaryKey
            else { return }
            ownCells()
            cells.setEmpty(slot.cell)
            setLink(nil, slot.link)
        case .toMany:
            (link(slot.link) as? ToManyContent)?.discard(object)
        default:
            return
        }
    }
}

extension NSManagedObjectContext {
    /// The destination of a to-one reference, if it is registered.
    final func knownObject(layout: EntityLayout, key: Int64, near source: NSManagedObject) -> NSManagedObject? {
        if hierarchy.parent != nil { return registeredObjectForChildReference(layout, key: key, near: source) }
        if key < 0 { return registry.unsavedTable(root: layout.root)[key] }
        return source.table?.store.flatMap {
            registeredObject(layout, key: key, in: registry.table(store: $0, root: layout.root))
        }
    }
}
