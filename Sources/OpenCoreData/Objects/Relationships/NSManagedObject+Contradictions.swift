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
        readNewerRow()
    }

    /// Replaces the committed values by those of the newest row, if it has another version. Unsaved changes stay.
    private final func readNewerRow() {
        guard let context, let table, context.hierarchy.parent == nil, primaryKey > 0 else { return }
        context.handle.coordinator?.evictSnapshot(layout: layout, key: primaryKey, of: table.store?.store)
        // The save finds a row that can't be read, or is gone.
        guard let newest = try? context.snapshot(layout, key: primaryKey, table: table), newest.version != row?.version
        else { return }
        rebase(onto: newest, policy: .changesAndOrder)
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
        let wasSuppressing = flags.contains(.suppressesChangeTracking)
        flags.insert(.suppressesChangeTracking)
        defer { if !wasSuppressing { flags.remove(.suppressesChangeTracking) } }
        if slot.kind == .toOne {
            guard destination(slot) === object else { return }
            writeDestination(nil, slot)
        } else {
            guard contentForChanging(slot, loading: false).remove(object) else { return }
            prepareForWriting()
        }
        if flags.isDisjoint(with: [.inserted, .updated, .deleted]) { context?.unsavedChanges.update(self) }
        context?.markRefreshed(self)
    }
}
