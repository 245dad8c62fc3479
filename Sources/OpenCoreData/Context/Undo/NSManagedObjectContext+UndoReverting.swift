// SPDX-License-Identifier: Apache-2.0

/// Reverts an event.
extension NSManagedObjectContext {
    /// One side of a link between two objects: a member of an owner's relationship.
    private struct Link: Hashable {
        let owner: ObjectIdentifier
        let relationship: Int
        let member: ObjectIdentifier

        init(_ owner: NSManagedObject, _ relationship: Int, _ member: NSManagedObject) {
            self.owner = ObjectIdentifier(owner)
            self.relationship = relationship
            self.member = ObjectIdentifier(member)
        }
    }

    /// Sets objects to their state before an event, and registers the action that reverts this again.
    final func revert(_ event: UndoEvent) {
        let records = event.records.filter { $0.object.table?.handle === handle }
        var awaking: [(object: NSManagedObject, event: NSSnapshotEventType)] = []
        var removed: [NSManagedObject] = []
        var inserted: [UndoRecord] = []
        // All objects are registered before the first one looks up the objects that it refers to.
        for record in records where record.restoresObject && record.object.flags.contains(.detached) {
            record.object.table?.register(record.object)
        }
        for record in records {
            let object = record.object
            if record.restoresObject, !isInContext(object) {
                if object.flags.contains(.detached) {
                    insertDetached(record)
                    inserted.append(record)
                } else {
                    undelete(record)
                }
                awaking.append((object, .undoDeletion))
            } else if record.removesObject, isInContext(object) {
                removeInserted(object)
                removed.append(object)
                awaking.append((object, .undoInsertion))
            } else if record.hasChanges, isInContext(object) {
                awaking.append((object, .undoUpdate))
            }
        }
        for record in inserted { restoreContents(record) }
        var links: Set<Link> = []
        for record in records where record.hasChanges { restoreValues(record, &links) }
        for record in records { restoreMemberships(record, &links) }
        for object in removed { removeFromInverses(object, except: links) }
        for record in records { restoreOrders(record) }
        for (object, event) in awaking where !object.flags.contains(.fault) { object.awake(fromSnapshotEvents: event) }
        for object in removed { clearRelationships(of: object) }
        undoRegistration.addPossiblyUnchanged(records.filter(\.wasUnchanged).map(\.object))
        // The redo action must be registered while the manager is undoing.
        processChanges()
    }

    private func isInContext(_ object: NSManagedObject) -> Bool {
        object.flags.isDisjoint(with: [.deleted, .detached])
    }

    // MARK: Inserting and removing

    private func undelete(_ record: UndoRecord) {
        let object = record.object
        changeEvent.recordState(of: object)
        unsavedChanges.undelete(object, isUpdated: !record.wasUnchanged)
        if object.flags.contains(.inserted) {
            object.flags.remove(.announced)
        } else {
            undoRegistration.addRestored(object)
        }
        markPending(object)
    }

    /// Inserts a detached object with its old ID. It was deleted before its first save, or its deletion was saved.
    private func insertDetached(_ record: UndoRecord) {
        let object = record.object
        object.fireFaultIfNeeded()
        object.ownCells()
        if object.primaryKey > 0 {
            handle.coordinator?.evictSnapshot(
                layout: object.layout, key: object.primaryKey, of: object.table?.store?.store)
        }
        let version = object.row?.version ?? 0
        object.row = nil
        object.buffer = nil
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            if slot.kind == .toMany {
                object.setLink(nil, slot.link)
            } else if object.cells.isPresent(slot.cell), let destination = object.destination(slot) {
                // The destination may have a permanent key since.
                object.cells.setReference(destination.primaryKey, layout: destination.layout.number, at: slot.cell)
            }
        }
        object.setDetached(false)
        object.flags.subtract([.deleted, .propagated, .updated, .announced, .replacing])
        unsavedChanges.insert(object, replacingVersion: version)
        unsavedChanges.assign(object, to: record.assignedStore)
        markPending(object)
    }

    /// Fills the to-many relationships of an object that was inserted again: for its store all members are new.
    private func restoreContents(_ record: UndoRecord) {
        for (slot, members) in record.contents {
            let content = record.object.toManyContent(slot, loading: false)
            for member in members where isInContext(member) { content.insert(member) }
        }
    }

    /// Deletes an object whose insertion is undone, without delete propagation, unless the context propagates deletes
    /// when it saves.
    private func removeInserted(_ object: NSManagedObject) {
        markDeleted(object)
        if propagatesDeletesAtEndOfEvent { object.flags.insert(.propagated) }
    }

    /// Removes an object from the relationships of other objects, except from relationships that the undo records have
    /// restored already.
    private func removeFromInverses(_ object: NSManagedObject, except links: Set<Link>) {
        guard propagatesDeletesAtEndOfEvent else { return }
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard slot.inverse >= 0 else { continue }
            let destinations =
                slot.kind == .toOne
                ? object.destination(slot).map { [$0] } ?? [] : object.toManyContent(slot, loading: true).members
            for destination in destinations
            where isInContext(destination) && !links.contains(Link(destination, slot.inverse, object)) {
                destination.removeFromInverse(object, slot)
            }
        }
    }

    /// Clears the relationships of a removed object, as for a deleted object.
    private func clearRelationships(of object: NSManagedObject) {
        guard propagatesDeletesAtEndOfEvent else { return }
        for index in object.layout.relationshipProperties where object.layout.properties[index].inverse >= 0 {
            object.removeAllDestinations(object.layout.properties[index])
        }
    }

    // MARK: Values

    private func restoreValues(_ record: UndoRecord, _ links: inout Set<Link>) {
        let object = record.object
        guard isInContext(object) else { return }
        object.fireFaultIfNeeded()
        // The fault's row may have been deleted.
        guard isInContext(object) else { return }
        if !record.values.isEmpty {
            object.prepareForWriting()
            for (slot, value) in record.values { value.write(slot, to: object.cells) }
        }
        for (slot, before) in record.destinations {
            let current = object.destination(slot)
            let destination = before.flatMap { isInContext($0) ? $0 : nil }
            object.setDestination(destination, slot)
            guard slot.inverse >= 0, current !== destination else { continue }
            // `setDestination` has maintained the inverses.
            if let current { links.insert(Link(current, slot.inverse, object)) }
            if let destination { links.insert(Link(destination, slot.inverse, object)) }
        }
    }

    // MARK: To-many relationships

    private func restoreMemberships(_ record: UndoRecord, _ links: inout Set<Link>) {
        let owner = record.object
        guard isInContext(owner) else { return }
        for (slot, changes) in record.memberships {
            for member in changes.added { setMember(member, false, of: owner, slot, &links) }
            let removed = changes.order.map { $0.filter(Set(changes.removed).contains) } ?? changes.removed
            for member in removed where isInContext(member) { setMember(member, true, of: owner, slot, &links) }
        }
    }

    private func setMember(
        _ member: NSManagedObject, _ isMember: Bool, of owner: NSManagedObject, _ slot: PropertySlot,
        _ links: inout Set<Link>
    ) {
        guard links.insert(Link(owner, slot.index, member)).inserted else { return }
        if slot.inverse >= 0 { links.insert(Link(member, slot.inverse, owner)) }
        let content = owner.toManyContent(slot, loading: slot.isOrdered)
        let isChange =
            isMember ? owner.insertMember(member, slot, in: content) : owner.removeMember(member, slot, of: content)
        guard isChange, slot.inverse >= 0, isInContext(member) else { return }
        if isMember { member.addToInverse(owner, slot) } else { member.removeFromInverse(owner, slot) }
    }

    private func restoreOrders(_ record: UndoRecord) {
        let owner = record.object
        guard isInContext(owner) else { return }
        for (slot, changes) in record.memberships {
            guard let before = changes.order else { continue }
            let content = owner.toManyContent(slot, loading: true)
            let previousMembers = Set(before)
            // Members that were added since without a record are last.
            let order =
                before.filter(content.contains) + content.members.filter { !previousMembers.contains($0) }
            guard content.isLoaded, !order.elementsEqual(content.members, by: ===) else { continue }
            owner.recordOrder(slot, content)
            content.reorder(order)
            owner.prepareForWriting()
        }
    }
}
