/// Taking newer committed values while unsaved changes stay.
extension NSManagedObject {
    /// What an object keeps of its own when it takes a newer row.
    enum Keeping {
        /// What differs from the committed values; ordered relationships come in the store's order.
        case changes
        /// What differs from the committed values, and the own order of ordered relationships that were changed.
        case changesAndOrder
        /// All values, and the whole content of relationships that were changed.
        case everything
    }

    /// Takes a newer row of the store as the committed values.
    final func rebase(onto fresh: RetainedRow, keeping: Keeping) {
        guard !flags.contains(.fault), let old = row, let oldBuffer = buffer else {
            attach(fresh.row, buffer: fresh.buffer)
            return
        }
        let own = Cells.allocate(capacity: max(layout.cellCount, 1))
        layout.copy(fresh.row.cells, to: own)
        for slot in layout.properties where slot.cell >= 0 {
            if slot.isTransient
                || (slot.derivation == nil && (keeping == .everything || !slot.isEqual(cells, old.cells)))
            {
                slot.copy(from: cells, to: own)
            } else if slot.kind == .toOne {
                setLink(nil, slot.link)
            }
        }
        withExtendedLifetime(oldBuffer) {
            disownCells()
            cells = own
            flags.insert(.ownsCells)
            row = fresh.row
            buffer = fresh.buffer
        }
        for index in layout.relationshipProperties { rebaseContent(layout.properties[index], keeping) }
    }

    private final func rebaseContent(_ slot: PropertySlot, _ keeping: Keeping) {
        guard slot.kind == .toMany, let content = link(slot.link) as? ToManyContent else { return }
        guard content.isChanged else { return setLink(nil, slot.link) }
        // Content that can't be read stays as it is; a save of it meets the same failure.
        guard let stored = context?.destinationObjects(of: self, slot: slot) else { return }
        // Who belongs to the owner is said by members with a to-one inverse: whether they are overwritten is decided by
        // conflicts of theirs.
        let isDecidedByMembers =
            slot.inverse >= 0 && layout.model[slot.destination].properties[slot.inverse].kind == .toOne
        content.rebase(onto: stored, keeping: keeping == .everything && isDecidedByMembers ? .changesAndOrder : keeping)
    }

    /// Gives a property its committed value again, and the other side of a relationship what it had. Changes are
    /// undone, not made: content that isn't loaded notes nothing.
    final func takeBack(_ slot: PropertySlot) {
        guard let row else { return }
        switch slot.kind {
        case .toOne:
            let current = destination(slot)
            restoreReference(slot)
            let committed = destination(slot)
            guard slot.inverse >= 0, current !== committed else { return }
            current?.undo(self, slot)
            committed?.undo(self, slot)
        case .toMany:
            guard let content = link(slot.link) as? ToManyContent, content.isChanged else { return }
            let (added, removed) = (content.added, content.removed)
            content.rollback()
            guard slot.inverse >= 0 else { return }
            for object in added { object.undo(self, slot) }
            for object in removed { object.undo(self, slot) }
        case .fetched:
            return
        default:
            guard !slot.isTransient else { return }
            ownCells()
            slot.copy(from: row.cells, to: cells)
        }
    }

    private final func restoreReference(_ slot: PropertySlot) {
        fireFaultIfNeeded()
        ownCells()
        if let row { slot.copy(from: row.cells, to: cells) } else { cells.setEmpty(slot.cell) }
        setLink(nil, slot.link)
    }

    /// The other side of a relationship takes back what it had done: `slot` is the relationship of `source`.
    final func undo(_ source: NSManagedObject, _ slot: PropertySlot) {
        guard flags.isDisjoint(with: .detached) else { return }
        let inverse = layout.properties[slot.inverse]
        if inverse.kind == .toOne {
            restoreReference(inverse)
        } else if let content = link(inverse.link) as? ToManyContent {
            content.undo(source)
        }
    }

    /// Takes back all changes of relationships, on both sides.
    final func takeBackRelationships() {
        guard !flags.contains(.fault) else { return }
        for index in layout.relationshipProperties where isChanged(layout.properties[index]) {
            takeBack(layout.properties[index])
        }
    }

    /// Takes the object out of the relationships of objects that are known, as somebody else's deletion has done in the
    /// store: these objects count as changed no more than they did.
    final func leaveInverses() {
        for index in layout.relationshipProperties {
            let slot = layout.properties[index]
            guard slot.inverse >= 0 else { continue }
            for destination in knownDestinations(slot) where destination !== self {
                destination.forget(self, destination.layout.properties[slot.inverse])
            }
        }
    }

    private final func knownDestinations(_ slot: PropertySlot) -> [NSManagedObject] {
        if slot.kind == .toMany {
            return (link(slot.link) as? ToManyContent).map { Array($0.members.union($0.added)) } ?? []
        }
        if let known = link(slot.link) as? NSManagedObject { return [known] }
        guard let values = flags.contains(.fault) ? row?.cells : cells, values.isPresent(slot.cell), let context else {
            return []
        }
        return context.knownObject(
            layout: layout.model[values.referenceLayout(slot.cell)], key: values.integer(slot.cell), near: self
        ).map { [$0] } ?? []
    }

    private final func forget(_ object: NSManagedObject, _ slot: PropertySlot) {
        switch slot.kind {
        case .toOne:
            guard !flags.contains(.fault), cells.isPresent(slot.cell), cells.integer(slot.cell) == object.primaryKey
            else { return }
            ownCells()
            cells.setEmpty(slot.cell)
            setLink(nil, slot.link)
        case .toMany:
            (link(slot.link) as? ToManyContent)?.forget(object)
        default:
            return
        }
    }
}

extension NSManagedObjectContext {
    /// The destination of a reference, if the context knows it.
    final func knownObject(layout: EntityLayout, key: Int64, near source: NSManagedObject) -> NSManagedObject? {
        if parentContext != nil { return knownObjectOfParent(layout, key: key, near: source) }
        if key < 0 { return unsavedTable(root: layout.root)[key] }
        return source.table?.store.flatMap { table(store: $0, root: layout.root)[key] }
    }
}
