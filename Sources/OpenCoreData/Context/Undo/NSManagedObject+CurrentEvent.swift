extension NSManagedObject {
    /// The persistent properties that were changed since the last `NSManagedObjectContextObjectsDidChange`, with the
    /// values that they had before; nil values are `NSNull`, to-many relationships `NSSet` or `NSOrderedSet`.
    ///
    /// While that notification is being posted, the changes that it tells. Of an object that is new since, the values
    /// it began with.
    public final func changedValuesForCurrentEvent() -> [String: Any] {
        guard let context, !flags.contains(.fault) else { return [:] }
        if flags.contains(.pending) {
            return eventValues(
                context.changeEvent[self], isNew: flags.contains(.inserted) && !flags.contains(.announced))
        }
        guard let told = context.changeEvent.told else { return [:] }
        if told.inserted.contains(self) && flags.contains(.inserted) { return eventValues(nil, isNew: true) }
        let isTold =
            told.updated.contains(self) || told.deleted.contains(self) || told.snapshots[ObjectIdentifier(self)] != nil
        return isTold ? eventValues(told.snapshots[ObjectIdentifier(self)], isNew: false) : [:]
    }

    private final func eventValues(_ snapshot: EventSnapshot?, isNew: Bool) -> [String: Any] {
        var result: [String: Any] = [:]
        let before = isNew ? layout.defaultCells : eventCells(snapshot)
        for slot in layout.properties where !slot.isTransient && slot.derivation == nil {
            if slot.kind == .toMany {
                if isNew {
                    guard let content = link(slot.link) as? ToManyContent, content.count > 0 else { continue }
                    result[slot.name] = slot.isOrdered ? NSOrderedSet() : NSSet()
                } else if let changes = snapshot?.memberships[slot.index], !changes.isNothing(for: self, slot) {
                    let members = changes.before(toManyContent(slot, loading: true))
                    result[slot.name] = slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
                }
            } else if slot.cell >= 0, let before, !slot.isEqual(before, cells) {
                let value: Any? =
                    slot.kind == .toOne ? isNew ? nil : eventDestination(slot, snapshot) : slot.read(before)
                result[slot.name] = value ?? NSNull()
            }
        }
        return result
    }

    // MARK: Noting

    /// The snapshot that notes the changes of to-many relationships; nil if they aren't noted, as those of an object
    /// that is new since the event began.
    private final var membershipSnapshot: EventSnapshot? {
        guard !flags.contains(.inserted) || flags.contains(.announced),
            flags.isDisjoint(with: [.suppressesChangeTracking, .detached]),
            let context
        else { return nil }
        return context.changeEvent.snapshot(of: self)
    }

    /// Notes that an object came to a to-many relationship; before the owner itself is noted as changed.
    final func noteAddition(_ object: NSManagedObject, _ slot: PropertySlot) {
        membershipSnapshot?.memberships[slot.index, default: MembershipChanges()].noteAddition(object)
    }

    /// Notes that an object left a to-many relationship; before the owner itself is noted as changed.
    final func noteRemoval(_ object: NSManagedObject, _ slot: PropertySlot) {
        membershipSnapshot?.memberships[slot.index, default: MembershipChanges()].noteRemoval(object)
    }

    /// Notes the order of an ordered relationship; before it changes otherwise than by an addition at the end.
    final func noteOrder(_ slot: PropertySlot, _ content: ToManyContent) {
        guard slot.isOrdered, content.isLoaded, let snapshot = membershipSnapshot,
            snapshot.memberships[slot.index]?.order == nil
        else { return }
        snapshot.memberships[slot.index, default: MembershipChanges()].noteOrder(content.order)
    }

    /// Whether an inverse has to be loaded before it changes: an order that isn't known can't be undone.
    final func loadsForUndo(_ slot: PropertySlot) -> Bool { slot.isOrdered && (context?.registersUndo ?? false) }
}
