// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    /// The result of `changedValuesForCurrentEvent()`.
    final func eventValues() -> [String: Any] {
        guard let context, !flags.contains(.fault) else { return [:] }
        if flags.contains(.pending) {
            return eventStartValues(
                context.changeEvent[self], isNew: flags.contains(.inserted) && !flags.contains(.announced))
        }
        guard let posted = context.changeEvent.posted else { return [:] }
        if posted.inserted.set.contains(self) && flags.contains(.inserted) { return eventStartValues(nil, isNew: true) }
        let snapshot = posted.snapshots[ObjectIdentifier(self)]
        let isChanged = posted.updated.set.contains(self) || posted.deleted.set.contains(self) || snapshot != nil
        return isChanged ? eventStartValues(snapshot, isNew: false) : [:]
    }

    /// Whether the event that is being posted has changed an attribute or to-one relationship.
    ///
    /// - Parameter keys: the properties. Properties that the entity doesn't have count as unchanged.
    final func isChangedInPostedEvent(_ keys: [String]) -> Bool {
        guard !flags.contains(.fault), let posted = context?.changeEvent.posted, posted.updated.set.contains(self),
            let before = eventStartCells(posted.snapshots[ObjectIdentifier(self)])
        else { return false }
        // The program, which decodes transformable values, may make the object a fault.
        let buffer = buffer
        return withExtendedLifetime(buffer) {
            keys.contains { key in
                guard let slot = layout.slot(named: key), slot.cell >= 0, !flags.contains(.fault) else { return false }
                return !slot.isEqual(before, cells)
            }
        }
    }

    private final func eventStartValues(_ snapshot: EventSnapshot?, isNew: Bool) -> [String: Any] {
        let buffer = buffer
        return withExtendedLifetime(buffer) { valuesAtEventStart(snapshot, isNew: isNew) }
    }

    private final func valuesAtEventStart(_ snapshot: EventSnapshot?, isNew: Bool) -> [String: Any] {
        var result: [String: Any] = [:]
        let before = isNew ? layout.defaultCells : eventStartCells(snapshot)
        for slot in layout.properties where !slot.isTransient && slot.derivation == nil {
            // The program, which decodes transformable values, may make the object a fault.
            if flags.contains(.fault) { return [:] }
            if slot.kind == .toMany {
                if isNew {
                    guard let content = link(slot.link) as? ToManyContent, content.count > 0 else { continue }
                    result[slot.name] = slot.isOrdered ? NSOrderedSet() : NSSet()
                } else if let changes = snapshot?.memberships[slot.index], !changes.isEmpty(for: self, slot) {
                    let members = changes.membersAtEventStart(toManyContent(slot, loading: true))
                    result[slot.name] = slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
                }
            } else if slot.cell >= 0, let before, !slot.isEqual(before, cells) {
                let value: Any? =
                    slot.kind == .toOne ? isNew ? nil : eventStartDestination(slot, snapshot) : slot.read(before)
                result[slot.name] = value ?? NSNull()
            }
        }
        return result
    }

    // MARK: Recording relationship changes

    /// The snapshot that records changes of to-many relationships. Nil for objects whose changes are not recorded, such
    /// as objects that were inserted in this event.
    private final var membershipSnapshot: EventSnapshot? {
        guard !flags.contains(.inserted) || flags.contains(.announced),
            flags.isDisjoint(with: [.suppressesChangeTracking, .detached]), let context
        else { return nil }
        return context.changeEvent.snapshot(of: self)
    }

    /// Records that a member was added to a to-many relationship. Must be called before the owner is recorded as
    /// changed.
    final func recordAddition(_ object: NSManagedObject, _ slot: PropertySlot) {
        membershipSnapshot?.memberships[changesOf: slot.index].recordAddition(object)
    }

    /// Records that a member was removed from a to-many relationship. Must be called before the owner is recorded as
    /// changed.
    final func recordRemoval(_ object: NSManagedObject, _ slot: PropertySlot) {
        membershipSnapshot?.memberships[changesOf: slot.index].recordRemoval(object)
    }

    /// Records that all members were removed from a to-many relationship. Must be called before the owner is recorded
    /// as changed.
    final func recordRemoval(ofAll members: [NSManagedObject], _ slot: PropertySlot) {
        membershipSnapshot?.memberships[changesOf: slot.index].recordRemoval(ofAll: members)
    }

    /// Records the order of an ordered relationship. Must be called before each change of the order other than an
    /// append.
    final func recordOrder(_ slot: PropertySlot, _ content: ToManyContent) {
        guard slot.isOrdered, content.isLoaded, let snapshot = membershipSnapshot,
            snapshot.memberships[slot.index]?.hasOrder != true
        else { return }
        snapshot.memberships[changesOf: slot.index].recordOrder(of: content)
    }

    /// Whether the contents of an inverse must be loaded before they change. Only a loaded order can be restored.
    final func mustLoadForUndo(_ slot: PropertySlot) -> Bool {
        slot.isOrdered && (context?.undoRegistration.isActive ?? false)
    }
}
