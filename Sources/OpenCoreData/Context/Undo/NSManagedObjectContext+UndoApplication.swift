/// Taking an event back.
extension NSManagedObjectContext {
    /// One end of a link that was set, with the other.
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

    /// Makes objects what they were before an event, and registers what makes that undone.
    final func takeBack(_ event: UndoEvent) {
        let records = event.records.filter { $0.object.table?.handle === handle }
        var awaking: [(object: NSManagedObject, event: NSSnapshotEventType)] = []
        var leaving: [NSManagedObject] = []
        var inserted: [UndoRecord] = []
        // All have their places before one of them is asked for those that it refers to.
        for record in records where record.returns && record.object.flags.contains(.detached) {
            record.object.table?.register(record.object)
        }
        for record in records {
            let object = record.object
            if record.returns, !isPresent(object) {
                if object.flags.contains(.detached) {
                    insertGone(record)
                    inserted.append(record)
                } else {
                    undelete(record)
                }
                awaking.append((object, .undoDeletion))
            } else if record.leaves, isPresent(object) {
                withdraw(object)
                leaving.append(object)
                awaking.append((object, .undoInsertion))
            } else if record.hasChanges, isPresent(object) {
                awaking.append((object, .undoUpdate))
            }
        }
        for record in inserted { restoreContents(record) }
        var links: Set<Link> = []
        for record in records where record.hasChanges { restoreValues(record, &links) }
        for record in records { restoreMemberships(record, &links) }
        for object in leaving { loseInverses(of: object, except: links) }
        for record in records { restoreOrders(record) }
        for (object, event) in awaking where !object.flags.contains(.fault) { object.awake(fromSnapshotEvents: event) }
        for object in leaving { tearDown(object) }
        undoRegistration.settling += records.filter(\.wasUnchanged).map(\.object)
        // What makes this undone is registered while the manager knows what it does.
        processChanges()
    }

    private func isPresent(_ object: NSManagedObject) -> Bool { object.flags.isDisjoint(with: [.deleted, .detached]) }

    // MARK: Coming and going

    private func undelete(_ record: UndoRecord) {
        let object = record.object
        changeEvent.add(EventSnapshot(object, copiesValues: false), of: object)
        deleted.remove(object)
        object.flags.subtract([.deleted, .propagated])
        if object.flags.contains(.inserted) {
            object.flags.remove(.announced)
            inserted.append(object)
        } else {
            if !record.wasUnchanged { markUpdated(object) }
            undoRegistration.returned.append(object)
        }
        if !object.flags.contains(.pending) { markPending(object) }
    }

    /// Inserts an object that had left: it has been deleted before it was saved, or its deletion has been saved since.
    /// It keeps its ID.
    private func insertGone(_ record: UndoRecord) {
        let object = record.object
        object.fireFaultIfNeeded()
        object.ownCells()
        if object.primaryKey > 0 {
            handle.coordinator?.forget(layout: object.layout, key: object.primaryKey, of: object.table?.store?.store)
        }
        object.row = nil
        object.buffer = nil
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            if slot.kind == .toMany {
                object.setLink(nil, slot.link)
            } else if object.cells.isPresent(slot.cell), let destination = object.destination(slot) {
                // It may have got its permanent key meanwhile.
                object.cells.setReference(destination.primaryKey, layout: destination.layout.number, at: slot.cell)
            }
        }
        object.flags.subtract([.detached, .deleted, .propagated, .updated, .announced, .replacing])
        object.flags.insert(.inserted)
        if object.primaryKey > 0 { object.flags.insert(.replacing) }
        inserted.append(object)
        assignedStores[ObjectIdentifier(object)] = record.assignedStore
        if !object.flags.contains(.pending) { markPending(object) }
    }

    /// Gives an inserted object what its to-many relationships held: for its store all that is new.
    private func restoreContents(_ record: UndoRecord) {
        for (slot, members) in record.contents {
            let content = record.object.toManyContent(slot, loading: false)
            for member in members where isPresent(member) { content.insert(member) }
        }
    }

    /// Takes an object out, whose insertion is undone; nothing follows from that by delete rules, unless they wait for
    /// the save.
    private func withdraw(_ object: NSManagedObject) {
        markDeleted(object)
        if propagatesDeletesAtEndOfEvent { object.flags.insert(.propagated) }
    }

    /// What is related to the object, unnoticed since, lets go of it.
    private func loseInverses(of object: NSManagedObject, except links: Set<Link>) {
        guard propagatesDeletesAtEndOfEvent else { return }
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard slot.inverse >= 0 else { continue }
            let destinations =
                slot.kind == .toOne
                ? object.destination(slot).map { [$0] } ?? [] : Array(object.toManyContent(slot, loading: true).members)
            for destination in destinations
            where isPresent(destination) && !links.contains(Link(destination, slot.inverse, object)) {
                destination.loseInverse(object, slot)
            }
        }
    }

    /// The object lets go of what is related to it, as when it is deleted.
    private func tearDown(_ object: NSManagedObject) {
        guard propagatesDeletesAtEndOfEvent else { return }
        for index in object.layout.relationshipProperties where object.layout.properties[index].inverse >= 0 {
            object.tearDown(object.layout.properties[index])
        }
    }

    // MARK: Values

    private func restoreValues(_ record: UndoRecord, _ links: inout Set<Link>) {
        let object = record.object
        guard isPresent(object) else { return }
        object.fireFaultIfNeeded()
        // Its row may be gone.
        guard isPresent(object) else { return }
        if !record.values.isEmpty {
            object.prepareForWriting()
            for (slot, value) in record.values { value.write(slot, to: object.cells) }
        }
        for (slot, before) in record.destinations {
            let present = object.destination(slot)
            let destination = before.flatMap { isPresent($0) ? $0 : nil }
            object.setDestination(destination, slot)
            guard slot.inverse >= 0, present !== destination else { continue }
            // The other sides have followed.
            if let present { links.insert(Link(present, slot.inverse, object)) }
            if let destination { links.insert(Link(destination, slot.inverse, object)) }
        }
    }

    // MARK: To-many relationships

    private func restoreMemberships(_ record: UndoRecord, _ links: inout Set<Link>) {
        let owner = record.object
        guard isPresent(owner) else { return }
        for (slot, changes) in record.memberships {
            for member in changes.added { setMember(member, false, of: owner, slot, &links) }
            let removed = changes.order.map { $0.filter(changes.removed.contains) } ?? Array(changes.removed)
            for member in removed where isPresent(member) { setMember(member, true, of: owner, slot, &links) }
        }
    }

    private func setMember(
        _ member: NSManagedObject, _ isMember: Bool, of owner: NSManagedObject, _ slot: PropertySlot,
        _ links: inout Set<Link>
    ) {
        guard links.insert(Link(owner, slot.index, member)).inserted else { return }
        if slot.inverse >= 0 { links.insert(Link(member, slot.inverse, owner)) }
        let content = owner.toManyContent(slot, loading: slot.isOrdered)
        if isMember {
            guard content.insert(member) else { return }
            owner.noteAddition(member, slot)
        } else {
            owner.noteOrder(slot, content)
            guard content.remove(member) else { return }
            owner.noteRemoval(member, slot)
        }
        owner.prepareForWriting()
        guard slot.inverse >= 0, isPresent(member) else { return }
        if isMember { member.gainInverse(owner, slot) } else { member.loseInverse(owner, slot) }
    }

    private func restoreOrders(_ record: UndoRecord) {
        let owner = record.object
        guard isPresent(owner) else { return }
        for (slot, changes) in record.memberships {
            guard let before = changes.order else { continue }
            let content = owner.toManyContent(slot, loading: true)
            let known = Set(before)
            // What has come since, unnoticed, stays last.
            let order = before.filter(content.members.contains) + content.order.filter { !known.contains($0) }
            guard content.isLoaded, !order.elementsEqual(content.order, by: ===) else { continue }
            owner.noteOrder(slot, content)
            content.reorder(order)
            owner.prepareForWriting()
        }
    }
}
