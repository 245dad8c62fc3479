// SPDX-License-Identifier: Apache-2.0

/// Applies the changes on the parent's queue, in one block. First everything is read and checked, then everything is
/// changed.
extension ParentSave {
    /// Applies all changes to the parent, or none. In the parent they are one event, and unsaved.
    ///
    /// - Returns: the conflicts. If there are any, nothing is changed.
    /// - Throws: the errors of the store for an object that the parent must read. Nothing is changed then.
    func apply(to parent: NSManagedObjectContext) throws -> [Conflict] {
        // Earlier changes of the parent form a separate event.
        parent.processChanges()
        // The parent retains only changed objects, so the objects that were read must be retained here.
        var read: [NSManagedObject] = []
        let conflicts = try check(parent, &read)
        guard conflicts.isEmpty else { return conflicts }
        var inserted: [NSManagedObject] = []
        for change in changes where change.isNew { inserted.append(insert(change, into: parent)) }
        let targets = changes.map { parent.objectOrFault($0.id) }
        for (change, target) in zip(changes, targets) { setValues(change, of: target) }
        for (change, target) in zip(changes, targets) { setReferences(change, of: target, parent) }
        var links: Set<Link> = []
        for (change, target) in zip(changes, targets) { setContents(change, of: target, parent, &links) }
        // The changes of members have changed relationships too, in any order. So the order is set last.
        for (change, target) in zip(changes, targets) { setOrders(change, of: target, parent) }
        for id in deleted { parent.object(forChildID: id).map(parent.delete) }
        parent.processChanges()
        deliver(in: parent)
        withExtendedLifetime((read, inserted)) {}
        return []
    }

    private func deliver(in parent: NSManagedObjectContext) {
        guard parent.hierarchy.children.delivery.hasSubscribers else { return }
        var merged = MergedChanges()
        merged.inserted = Set(changes.filter(\.isNew).map { parent.resolvedID(for: $0.id) })
        merged.updated = Set(changes.filter { !$0.isNew }.map { parent.resolvedID(for: $0.id) })
        merged.deleted = Set(deleted.map { parent.resolvedID(for: $0) })
        parent.deliverToChildren(merged, from: child)
    }

    // MARK: Checking

    private func check(_ parent: NSManagedObjectContext, _ read: inout [NSManagedObject]) throws -> [Conflict] {
        var conflicts: [Conflict] = []
        for change in changes where !change.isNew {
            guard let target = try parent.loadedObject(with: change.id) else {
                conflicts.append(Conflict(object: change.object, newest: nil))
                continue
            }
            read.append(target)
        }
        for change in changes where change.isNew && change.object.flags.contains(.replacing) {
            if let target = try parent.loadedObject(with: change.id) { read.append(target) }
        }
        for object in checked {
            let target = try parent.loadedObject(with: object.objectID)
            let newest = target?.currentRow
            // The buffer keeps the committed values while transformable ones are decoded.
            let buffer = object.buffer
            let isEqual = withExtendedLifetime(buffer) {
                guard let newest, let committed = object.row else { return false }
                return hasEqualValues(newest.row.cells, committed.cells, object.layout)
            }
            if isEqual { continue }
            conflicts.append(Conflict(object: object, newest: newest))
        }
        guard conflicts.isEmpty else { return conflicts }
        try prepare(parent, &read)
        return []
    }

    /// Whether two rows have equal values. Row versions can't be compared: a row that a child has saved gets its
    /// version when the topmost context saves.
    private func hasEqualValues(_ cells: Cells, _ others: Cells, _ layout: EntityLayout) -> Bool {
        layout.properties.allSatisfy {
            $0.cell < 0 || $0.isTransient || $0.derivation != nil || $0.isEqual(cells, others)
        }
    }

    /// Reads all objects that the changes need, so that no change can fail.
    private func prepare(_ parent: NSManagedObjectContext, _ read: inout [NSManagedObject]) throws {
        let new = Set(changes.filter(\.isNew).map(\.id))
        func load(_ id: NSManagedObjectID?) throws {
            if let id, !new.contains(id), let object = try parent.loadedObject(with: id) { read.append(object) }
        }
        for change in changes {
            let target = change.isNew ? nil : parent.objectOrFault(change.id)
            for reference in change.references {
                // An object with a temporary ID may be registered only in an ancestor of the parent.
                let isPaired = reference.slot.hasToOneInverse(change.object.layout)
                if isPaired || reference.destination?.isTemporaryID == true { try load(reference.destination) }
                if isPaired { try load(target?.destination(reference.slot)?.objectID) }
            }
            for contents in change.contents {
                for id in contents.added where contents.isOneToMany || id.isTemporaryID { try load(id) }
                guard contents.order != nil, let target, !target.toManyContent(contents.slot, loading: true).isLoaded
                else { continue }
                throw parent.reading.failure ?? SavePlan.unreadable(change.object)
            }
        }
    }

    // MARK: Changing

    private func insert(_ change: Change, into parent: NSManagedObjectContext) -> NSManagedObject {
        let location = parent.identityLocation(
            root: change.id.layout.root, key: change.id.key, store: change.id.storeIdentity)
        let target: NSManagedObject
        let layout = change.object.layout
        let registered = parent.registeredObject(layout, key: location.key, in: location.table)
        if let object = registered, object.flags.contains(.deleted) {
            // The parent has deleted an object that the child inserts again.
            parent.undelete(object)
            target = object
        } else if let object = registered, object.flags.isDisjoint(with: [.detached, .fault]),
            object.row != nil || object.flags.contains(.inserted)
        {
            // The parent has undone the deletion that the child has undone too.
            target = object
        } else {
            let replaced = child.unsavedChanges.replacedVersion(of: change.object)
            target = parent.insertNew(
                layout, key: location.key, table: location.table,
                replacingVersion: change.object.flags.contains(.replacing) ? replaced : nil)
        }
        if let store = child.unsavedChanges.assignedStore(of: change.object) {
            parent.unsavedChanges.assign(target, to: store)
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
            let destination = reference.destination.flatMap(parent.existingObject(forChildID:))
            if change.isNew && destination == nil && target.destination(reference.slot) == nil { continue }
            target.setDestination(destination, reference.slot)
        }
    }

    /// A member of a many-to-many relationship. The changes of both sides contain it, and a relationship that is not
    /// loaded must record each member only once.
    private struct Link: Hashable {
        let owner: ObjectIdentifier
        let member: ObjectIdentifier
        let property: Int
    }

    /// - Parameter links: the members that the changes of the other sides have set already.
    private func setContents(
        _ change: Change, of target: NSManagedObject, _ parent: NSManagedObjectContext, _ links: inout Set<Link>
    ) {
        for contents in change.contents {
            let slot = contents.slot
            let current = target.toManyContent(slot, loading: target.mustLoadForUndo(slot))
            if contents.isOneToMany {
                for member in contents.removed.compactMap(parent.object(forChildID:)) {
                    let inverse = member.layout.properties[slot.inverse]
                    if member.destination(inverse) === target { member.setDestination(nil, inverse) }
                }
                continue
            }
            func isSetAlready(_ member: NSManagedObject) -> Bool {
                guard slot.inverse >= 0 else { return false }
                let (owner, member) = (ObjectIdentifier(target), ObjectIdentifier(member))
                if links.remove(Link(owner: owner, member: member, property: slot.index)) != nil { return true }
                links.insert(Link(owner: member, member: owner, property: slot.inverse))
                return false
            }
            for member in contents.removed.compactMap(parent.object(forChildID:))
            where !isSetAlready(member) && target.removeMember(member, slot, of: current) {
                if slot.inverse >= 0 { member.removeFromInverse(target, slot) }
            }
            for member in contents.added.compactMap(parent.existingObject(forChildID:))
            where !isSetAlready(member) && target.insertMember(member, slot, in: current) {
                if slot.inverse >= 0 { member.addToInverse(target, slot) }
            }
        }
    }

    private func setOrders(_ change: Change, of target: NSManagedObject, _ parent: NSManagedObjectContext) {
        for contents in change.contents where contents.slot.isOrdered {
            let current = target.toManyContent(contents.slot, loading: false)
            if let order = contents.order?.compactMap(parent.object(forChildID:)).filter(current.contains) {
                // Members that only the parent has are last.
                let known = Set(order)
                let newOrder = order + current.members.filter { !known.contains($0) }
                guard newOrder != current.members || !current.isLoaded else { continue }
                target.reorderMembers(newOrder, contents.slot)
            } else if !contents.added.isEmpty {
                target.recordOrder(contents.slot, current)
                current.moveToEnd(contents.added.compactMap(parent.existingObject(forChildID:)))
            }
        }
    }
}

extension NSManagedObjectContext {
    /// The object with an ID, with its values; nil if it is deleted here, or does not exist.
    fileprivate final func loadedObject(with id: NSManagedObjectID) throws -> NSManagedObject? {
        let object = objectOrFault(id)
        guard object.flags.isDisjoint(with: [.deleted, .detached]), let table = object.table else { return nil }
        guard object.flags.contains(.fault) else { return object }
        guard let found = try snapshot(object.layout, key: object.primaryKey, table: table),
            object.fulfill(with: found)
        else { return nil }
        return object
    }

    /// The object for an ID of a child; nil for an inserted object that is no longer registered here.
    fileprivate final func object(forChildID id: NSManagedObjectID) -> NSManagedObject? {
        let id = resolvedID(for: id)
        return id.isTemporaryID && hierarchy.parent == nil ? object(registeredAs: id) : objectOrFault(id)
    }

    /// The object for an ID of a child, as the destination of a relationship; nil if it is deleted here, or does not
    /// exist.
    fileprivate final func existingObject(forChildID id: NSManagedObjectID) -> NSManagedObject? {
        guard let object = object(forChildID: id), object.flags.isDisjoint(with: [.deleted, .detached]) else {
            return nil
        }
        // All objects that exist were read before. So a fault with a temporary key does not exist.
        return object.primaryKey < 0 && object.flags.contains(.fault) ? nil : object
    }
}

extension PropertySlot {
    fileprivate func hasToOneInverse(_ layout: EntityLayout) -> Bool {
        inverse >= 0 && layout.model[destination].properties[inverse].kind == .toOne
    }
}
