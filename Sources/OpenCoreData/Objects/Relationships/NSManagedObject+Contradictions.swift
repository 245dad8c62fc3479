// SPDX-License-Identifier: Apache-2.0

/// Sides of a relationship that contradict each other.
///
/// A relationship and its inverse are read at different times. If another context or program saves in between, one side
/// shows a change that the other side doesn't. The next save must then fail by the row version of the stale side: the
/// row version of the other side is current, and this side alone would be written. Each function stands for rows of the
/// table in `Documentation/Architecture/Relationships.md`.
///
/// Only what was read can be stale. New objects, and the contents of new objects, are not compared. The objects of a
/// child context are compared by its topmost ancestor, which saves into the store.
extension NSManagedObject {
    // MARK: The contents of the other side

    /// The contents of a to-many relationship that follow a change of the other side. Contents that contradict the
    /// other side are read again, because a change of that side changes them, too.
    ///
    /// - Parameters:
    ///   - object: the object that has changed.
    ///   - isMember: whether the object was a member before, by its own reference.
    final func contents(_ slot: PropertySlot, changedWith object: NSManagedObject, isMember: Bool) -> ToManyContent {
        let content = contentForChanging(slot, loading: mustLoadForUndo(slot))
        guard object.primaryKey > 0, primaryKey > 0, content.isLoaded, object !== self, let context,
            context.hierarchy.parent == nil, content.contains(object) != isMember
        else { return content }
        rebaseContents(slot, .changesAndOrder)
        context.checkVersionOnSave(ofContradicted: self)
        return toManyContent(slot, loading: mustLoadForUndo(slot))
    }

    /// Called before an object that refers to this one already is added to a relationship.
    ///
    /// - Returns: whether the object is a member already. False if the loaded contents lack it.
    final func isMemberAlready(_ object: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard let content = link(slot.link) as? ToManyContent, content.isLoaded, !content.contains(object) else {
            return true
        }
        context?.checkVersionOnSave(ofContradicted: object)
        return false
    }

    // MARK: The destination of the other side

    /// Called before this object, which an owner has removed, is removed from the inverse. If this object refers to
    /// another owner, either one of both sides is stale, or the object was moved after the contents were read. Then it
    /// is removed from the other owner.
    final func removeFromOtherOwner(than owner: NSManagedObject, _ slot: PropertySlot) {
        let inverse = layout.properties[slot.inverse]
        guard inverse.kind == .toOne, owner !== self else { return }
        let other = destination(inverse)
        guard other !== owner else { return }
        context?.checkVersionOnSave(ofContradicted: self)
        guard let other else { return }
        writeDestination(nil, inverse)
        other.removeFromInverse(self, inverse)
    }

    /// Called when an object gets this object as a destination or a member, although this object refers to it already:
    /// one of both sides is stale. The row of this object is read again, so that a later refresh doesn't take the
    /// reference away.
    ///
    /// - Returns: whether the newest row has the reference, too.
    final func isReferenceCurrent(to source: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard source !== self else { return true }
        context?.checkVersionOnSave(ofContradicted: self)
        guard flags.isDisjoint(with: [.inserted, .deleted, .detached]), !isChanged(slot) else { return true }
        readNewerRow()
        return destination(slot) === source
    }

    /// Called before this object leaves a deleted owner. If this object refers to another owner, this reference may be
    /// stale: then the row in the store still refers to the deleted owner.
    final func checkReference(to deleted: NSManagedObject, _ slot: PropertySlot) {
        let inverse = layout.properties[slot.inverse]
        guard inverse.kind == .toOne, deleted !== self, destination(inverse) !== deleted else { return }
        context?.checkVersionOnSave(ofContradicted: self)
    }

    /// Called before the end of a one-to-one relationship is removed on this side, too. If this object doesn't refer to
    /// the other object, one of both is stale: the row is read again, so that a later refresh doesn't restore the
    /// removed reference.
    final func followNewerRow(of other: NSManagedObject, _ slot: PropertySlot) {
        guard let context, table != nil, context.hierarchy.parent == nil, other !== self, primaryKey > 0,
            other.primaryKey > 0, flags.isDisjoint(with: [.inserted, .deleted, .detached]), destination(slot) !== other,
            !isChanged(slot)
        else { return }
        context.checkVersionOnSave(ofContradicted: self)
        readNewerRow(leaving: other)
    }

    /// Replaces the committed values by those of the newest row, if it has another version. Unsaved changes stay.
    ///
    /// - Parameter leaving: an object that is about to be removed from this object.
    private final func readNewerRow(leaving: NSManagedObject? = nil) {
        guard let context, let table, context.hierarchy.parent == nil, primaryKey > 0 else { return }
        context.handle.coordinator?.evictSnapshot(layout: layout, key: primaryKey, of: table.store?.store)
        // The save finds a row that can't be read, or is gone.
        guard let newest = try? context.snapshot(layout, key: primaryKey, table: table), newest.version != row?.version
        else { return }
        let former = knownDestinations
        rebase(onto: newest, policy: .changesAndOrder)
        keepOtherSides(former, leaving: leaving)
        context.markRefreshed(self)
    }

    // MARK: Refreshed rows

    /// If an unsaved change has given the object another destination, removes the object from the inverse of its
    /// committed destination: in the store the object has become a member there in between.
    final func removeFromCommittedDestination(_ slot: PropertySlot) {
        guard let row, !slot.isEqual(cells, row.cells), let committed = committedDestination(slot),
            !committed.flags.contains(.detached)
        else { return }
        let inverse = committed.layout.properties[slot.inverse]
        if inverse.kind == .toOne { committed.followNewerRow(of: self, inverse) }
        if let content = committed.link(inverse.link) as? ToManyContent, content.isLoaded, !content.contains(self) {
            // The contents are older than the row.
            committed.rebaseContents(inverse, .changesAndOrder)
        }
        committed.removeAfterRefresh(self, inverse)
    }

    /// Removes an object from a relationship, without the inverse: a refresh of the object has shown that the store has
    /// it there. The removal follows from an earlier change, so no undo action is registered for it.
    private func removeAfterRefresh(_ object: NSManagedObject, _ slot: PropertySlot) {
        changeAfterRefresh {
            if slot.kind == .toOne {
                guard destination(slot) === object else { return false }
                writeDestination(nil, slot)
            } else {
                guard contentForChanging(slot, loading: false).remove(object) else { return false }
                prepareForWriting()
            }
            return true
        }
    }

    /// Makes a change that follows from an earlier one, which no undo action is registered for.
    ///
    /// - Parameter change: returns whether it has changed anything.
    private func changeAfterRefresh(_ change: () -> Bool) {
        let wasSuppressing = flags.contains(.suppressesChangeTracking)
        flags.insert(.suppressesChangeTracking)
        defer { if !wasSuppressing { flags.remove(.suppressesChangeTracking) } }
        guard change() else { return }
        if flags.isDisjoint(with: [.inserted, .updated, .deleted]) { context?.unsavedChanges.update(self) }
        context?.markRefreshed(self)
    }

    // MARK: Changes of the other side alone

    /// The to-one relationships that have an inverse, and their destinations. No fault fires.
    final var knownDestinations: [(slot: PropertySlot, destination: NSManagedObject?)] {
        toOneRelationships.map { ($0, knownDestination($0)) }
    }

    /// Called when a newer row has replaced the row of this object. An unsaved change of another object may concern
    /// this object, which had nothing to change by its former row: then this side has the change from now on.
    ///
    /// - Parameters:
    ///   - former: the destinations by the former row.
    ///   - leaving: an object that is about to be removed from this object.
    final func keepOtherSides(
        _ former: [(slot: PropertySlot, destination: NSManagedObject?)], leaving: NSManagedObject? = nil
    ) {
        guard flags.isDisjoint(with: [.fault, .deleted, .detached]) else { return }
        for (slot, former) in former where !isChanged(slot) {
            let current = destination(slot)
            guard former !== current else { continue }
            if let former, former !== self, former.claim(of: self, slot) == .member {
                changeAfterRefresh {
                    writeDestination(former, slot)
                    return true
                }
                removeFromCommittedDestination(slot)
            } else if let current, current !== self, current !== leaving, current.claim(of: self, slot) == .noMember {
                changeAfterRefresh {
                    writeDestination(nil, slot)
                    return true
                }
            }
        }
    }

    /// Reverts the changes of to-many relationships that concern this object alone, which had nothing to change by its
    /// former row.
    ///
    /// - Parameter former: the destinations by the former row.
    final func revertOtherSides(_ former: [(slot: PropertySlot, destination: NSManagedObject?)]) {
        guard flags.isDisjoint(with: [.fault, .deleted, .detached]) else { return }
        for (slot, former) in former where !isChanged(slot) {
            for case let owner? in [former, destination(slot)] where owner.isLive {
                guard let content = owner.link(owner.layout.properties[slot.inverse].link) as? ToManyContent,
                    content.isAdded(self) || content.isRemoved(self)
                else { continue }
                content.undo(self)
            }
        }
    }

    /// Adds an object to a to-many relationship, or removes it, because a merge policy has decided so about the other
    /// side. The inverse is not maintained.
    ///
    /// - Parameter isNewReference: whether the store doesn't have the object there by its reference, whatever the
    ///   contents say.
    /// - Returns: whether the contents have changed.
    @discardableResult
    final func followDecision(
        _ object: NSManagedObject, _ slot: PropertySlot, isMember: Bool, isNewReference: Bool = false
    ) -> Bool {
        let content = contentForChanging(slot, loading: false)
        if content.isChanged(object, !isMember) { return false }
        if isNewReference && content.isLoaded { content.discard(object) }
        guard !content.isLoaded || content.contains(object) != isMember else { return false }
        changeAfterRefresh {
            guard isMember ? content.insert(object) : content.remove(object) else { return false }
            prepareForWriting()
            return true
        }
        return true
    }

    private enum Claim {
        case member, noMember
    }

    /// The claim of the unsaved changes of this object on another object, which may refer to it by the relationship
    /// `slot`; nil if they don't concern it.
    private func claim(of object: NSManagedObject, _ slot: PropertySlot) -> Claim? {
        let inverse = layout.properties[slot.inverse]
        if flags.contains(.detached) { return nil }
        if flags.contains(.deleted) {
            return flags.contains(.propagated) && inverse.deleteRule == .nullifyDeleteRule ? .noMember : nil
        }
        if inverse.kind == .toOne {
            guard claims(inverse) else { return nil }
            return destination(inverse) === object ? .member : .noMember
        }
        guard let content = link(inverse.link) as? ToManyContent else { return nil }
        return content.isAdded(object) ? .member : content.isRemoved(object) ? .noMember : nil
    }
}

// MARK: References

extension NSManagedObject {
    final var isLive: Bool { flags.isDisjoint(with: [.deleted, .detached]) }

    /// The to-one relationships with an inverse.
    final var toOneRelationships: some Sequence<PropertySlot> {
        layout.toOneProperties.lazy.map { self.layout.properties[$0] }.filter { $0.inverse >= 0 && !$0.isTransient }
    }

    /// Whether the next save writes a to-one reference.
    final func claims(_ slot: PropertySlot) -> Bool {
        guard !flags.contains(.fault) else { return false }
        return isChanged(slot) || (row == nil && cells.isPresent(slot.cell))
    }

    /// The destination of a to-one relationship, if the context has it; a fault doesn't fire.
    final func knownDestination(_ slot: PropertySlot) -> NSManagedObject? {
        guard !flags.contains(.fault) else { return nil }
        if let known = link(slot.link) as? NSManagedObject { return known }
        guard cells.isPresent(slot.cell) else { return nil }
        return context?.knownObject(
            layout: layout.model[cells.referenceLayout(slot.cell)], key: cells.integer(slot.cell), near: self)
    }
}
