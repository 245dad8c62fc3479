/// On the parent's queue, in one visit: first everything is read and checked, then everything is changed.
extension ParentSave {
    /// Makes the changes in the parent, all or none: there they are one event, and unsaved.
    ///
    /// - Returns: the conflicts that kept the changes from being made.
    /// - Throws: what the store throws for an object that the parent has to read; nothing is changed then.
    func write(into parent: NSManagedObjectContext) throws -> [Conflict] {
        // What the parent has changed before is told by itself.
        parent.processChanges()
        // Found objects stay while they are held.
        var found: [NSManagedObject] = []
        let conflicts = try check(parent, &found)
        guard conflicts.isEmpty else { return conflicts }
        var held: [NSManagedObject] = []
        for change in changes where change.isNew { held.append(insert(change, into: parent)) }
        let targets = changes.map { parent.objectOrFault($0.id) }
        for (change, target) in zip(changes, targets) { setValues(change, of: target) }
        for (change, target) in zip(changes, targets) { setReferences(change, of: target, parent) }
        var links: Set<Link> = []
        for (change, target) in zip(changes, targets) { setContents(change, of: target, parent, &links) }
        // Members have come by their own side too, in any order.
        for (change, target) in zip(changes, targets) { setOrders(change, of: target, parent) }
        for id in deleted { parent.objectOfChild(id).map(parent.delete) }
        parent.processChanges()
        deliver(in: parent)
        withExtendedLifetime((found, held)) {}
        return []
    }

    private func deliver(in parent: NSManagedObjectContext) {
        guard parent.family.delivery.hasSubscribers else { return }
        var merged = MergedChanges()
        merged.inserted = Set(changes.filter(\.isNew).map { parent.resolvedID(for: $0.id) })
        merged.updated = Set(changes.filter { !$0.isNew }.map { parent.resolvedID(for: $0.id) })
        merged.deleted = Set(deleted.map { parent.resolvedID(for: $0) })
        parent.deliverToChildren(merged, from: child)
    }

    // MARK: Checking

    private func check(_ parent: NSManagedObjectContext, _ found: inout [NSManagedObject]) throws -> [Conflict] {
        var conflicts: [Conflict] = []
        for change in changes where !change.isNew {
            guard let target = try parent.loadedObject(with: change.id) else {
                conflicts.append(Conflict(object: change.object, newest: nil))
                continue
            }
            found.append(target)
        }
        for change in changes where change.isNew && change.object.flags.contains(.replacing) {
            if let target = try parent.loadedObject(with: change.id) { found.append(target) }
        }
        for object in checked {
            let target = try parent.loadedObject(with: object.objectID)
            let newest = target?.presentRow
            if let newest, let known = object.row, isSame(newest.row.cells, known.cells, object.layout) { continue }
            conflicts.append(Conflict(object: object, newest: newest))
        }
        guard conflicts.isEmpty else { return conflicts }
        try prepare(parent, &found)
        return []
    }

    /// Whether two rows have the same values. Versions don't tell: what a child has saved gets one when the root saves
    /// it.
    private func isSame(_ cells: Cells, _ others: Cells, _ layout: EntityLayout) -> Bool {
        layout.properties.allSatisfy {
            $0.cell < 0 || $0.isTransient || $0.derivation != nil || $0.isEqual(cells, others)
        }
    }

    /// Reads what the changes will need, so that none of them can fail.
    private func prepare(_ parent: NSManagedObjectContext, _ found: inout [NSManagedObject]) throws {
        let new = Set(changes.filter(\.isNew).map(\.id))
        func read(_ id: NSManagedObjectID?) throws {
            if let id, !new.contains(id), let object = try parent.loadedObject(with: id) { found.append(object) }
        }
        for change in changes {
            let target = change.isNew ? nil : parent.objectOrFault(change.id)
            for reference in change.references {
                // What only a context above the parent has must be known to it.
                let isPaired = reference.slot.hasToOneInverse(change.object.layout)
                if isPaired || reference.destination?.isTemporaryID == true { try read(reference.destination) }
                if isPaired { try read(target?.destination(reference.slot)?.objectID) }
            }
            for content in change.contents {
                for id in content.added where content.isDecidedByMembers || id.isTemporaryID { try read(id) }
                guard content.order != nil, let target, !target.toManyContent(content.slot, loading: true).isLoaded
                else { continue }
                throw parent.readingFailure ?? SavePlan.unreadable(change.object)
            }
        }
    }

    // MARK: Changing

    private func insert(_ change: Change, into parent: NSManagedObjectContext) -> NSManagedObject {
        let location = parent.identityLocation(
            root: change.id.layout.root, key: change.id.key, store: change.id.storeIdentity)
        let isReplacement = change.object.flags.contains(.replacing)
        let target: NSManagedObject
        if let known = location.table[location.key], known.flags.contains(.deleted) {
            // The child keeps what the parent has deleted.
            parent.undelete(known)
            target = known
        } else if let known = location.table[location.key], known.flags.isDisjoint(with: [.detached, .fault]),
            known.row != nil || known.flags.contains(.inserted)
        {
            // The parent has taken back the deletion that the child has taken back, too.
            target = known
        } else {
            target = parent.insertNew(
                change.object.layout, key: location.key, table: location.table, isReplacement: isReplacement)
        }
        if let store = child.assignedStores[ObjectIdentifier(change.object)] {
            parent.assignedStores[ObjectIdentifier(target)] = store
        }
        return target
    }

    private func setValues(_ change: Change, of target: NSManagedObject) {
        guard !change.isEmpty else { return }
        target.prepareForWriting()
        for slot in change.values { slot.copy(from: change.object.cells, to: target.cells) }
    }

    private func setReferences(_ change: Change, of target: NSManagedObject, _ parent: NSManagedObjectContext) {
        for reference in change.references {
            let destination = reference.destination.flatMap(parent.target)
            if change.isNew && destination == nil && target.destination(reference.slot) == nil { continue }
            target.setDestination(destination, reference.slot)
        }
    }

    /// A member of a relationship whose inverse is a to-many one, too: both sides tell of its coming and going, and
    /// content that isn't loaded takes each only once.
    private struct Link: Hashable {
        let owner: ObjectIdentifier
        let member: ObjectIdentifier
        let property: Int
    }

    /// - Parameter links: what the other sides have told already.
    private func setContents(
        _ change: Change, of target: NSManagedObject, _ parent: NSManagedObjectContext, _ links: inout Set<Link>
    ) {
        for content in change.contents {
            let slot = content.slot
            let present = target.toManyContent(slot, loading: target.loadsForUndo(slot))
            if content.isDecidedByMembers {
                for member in content.removed.compactMap(parent.objectOfChild) {
                    let inverse = member.layout.properties[slot.inverse]
                    if member.destination(inverse) === target { member.setDestination(nil, inverse) }
                }
                continue
            }
            func isTold(_ member: NSManagedObject) -> Bool {
                guard slot.inverse >= 0 else { return false }
                let (owner, member) = (ObjectIdentifier(target), ObjectIdentifier(member))
                if links.remove(Link(owner: owner, member: member, property: slot.index)) != nil { return true }
                links.insert(Link(owner: member, member: owner, property: slot.inverse))
                return false
            }
            for member in content.removed.compactMap(parent.objectOfChild)
            where !isTold(member) && target.removeMember(member, slot, of: present) {
                if slot.inverse >= 0 { member.loseInverse(target, slot) }
            }
            for member in content.added.compactMap(parent.target)
            where !isTold(member) && target.insertMember(member, slot, in: present) {
                if slot.inverse >= 0 { member.gainInverse(target, slot) }
            }
        }
    }

    private func setOrders(_ change: Change, of target: NSManagedObject, _ parent: NSManagedObjectContext) {
        for content in change.contents where content.slot.isOrdered {
            let present = target.toManyContent(content.slot, loading: false)
            if let order = content.order?.compactMap(parent.objectOfChild).filter(present.contains) {
                // What the parent has in addition comes last.
                let known = Set(order)
                let wanted = order + present.order.filter { !known.contains($0) }
                guard wanted != present.order else { continue }
                target.noteOrder(content.slot, present)
                target.prepareForWriting()
                present.reorder(wanted)
            } else if !content.added.isEmpty {
                target.noteOrder(content.slot, present)
                present.placeLast(content.added.compactMap(parent.target))
            }
        }
    }
}

extension NSManagedObjectContext {
    /// The object with an ID, with its values; nil if it is deleted here, or was nowhere found.
    fileprivate final func loadedObject(with id: NSManagedObjectID) throws -> NSManagedObject? {
        let object = objectOrFault(id)
        guard object.flags.isDisjoint(with: [.deleted, .detached]), let table = object.table else { return nil }
        guard object.flags.contains(.fault) else { return object }
        guard let found = try snapshot(object.layout, key: object.primaryKey, table: table) else { return nil }
        object.attach(found.row, buffer: found.buffer)
        object.takeValues(of: found.row)
        return object
    }

    /// The object that a child's ID names; nil for a new one that this context has lost.
    fileprivate final func objectOfChild(_ id: NSManagedObjectID) -> NSManagedObject? {
        let id = resolvedID(for: id)
        return id.isTemporaryID && parentContext == nil ? object(registeredAs: id) : objectOrFault(id)
    }

    /// The object that a child's ID names, to be referred to; nil if it is deleted here, or lost.
    fileprivate final func target(_ id: NSManagedObjectID) -> NSManagedObject? {
        guard let object = objectOfChild(id), object.flags.isDisjoint(with: [.deleted, .detached]) else { return nil }
        // A fault without a store that was not found when everything was read is nowhere.
        return object.primaryKey < 0 && object.flags.contains(.fault) ? nil : object
    }
}

extension PropertySlot {
    fileprivate func hasToOneInverse(_ layout: EntityLayout) -> Bool {
        inverse >= 0 && layout.model[destination].properties[inverse].kind == .toOne
    }
}
