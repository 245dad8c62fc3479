/// Settles conflicts with rows that somebody else has changed or deleted.
struct VersionConflictResolution {
    let type: NSMergePolicyType

    private var favoursObject: Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    func resolve(_ conflicts: [NSMergeConflict]) throws {
        var changed: [(object: NSManagedObject, context: NSManagedObjectContext, newest: RetainedRow)] = []
        for conflict in conflicts {
            let object = conflict.sourceObject
            guard let context = object.managedObjectContext else { continue }
            if let newest = try context.newestRow(conflict) {
                changed.append((object, context, newest))
            } else {
                try resolveDeletion(object, context)
            }
        }
        // First all that is taken back, while both sides of each relationship are as the context has made them.
        for (object, _, newest) in changed
        where !favoursObject && object.flags.isDisjoint(with: [.deleted, .inserted, .fault]) {
            takeBack(object, newest)
        }
        for (object, context, newest) in changed { resolveChange(object, context, newest) }
    }

    /// The store has no row any more.
    private func resolveDeletion(_ object: NSManagedObject, _ context: NSManagedObjectContext) throws {
        if favoursObject && object.flags.contains(.updated) {
            try context.insertAgain(object)
        } else {
            context.loseDeleted(object)
        }
    }

    private func takeBack(_ object: NSManagedObject, _ newest: RetainedRow) {
        guard type == .mergeByPropertyStoreTrumpMergePolicyType else { return object.takeBackRelationships() }
        guard let old = object.row else { return }
        for slot in object.layout.properties
        where slot.cell >= 0 && object.isChanged(slot) && !slot.isEqual(newest.row.cells, old.cells) {
            object.takeBack(slot)
        }
    }

    private func resolveChange(_ object: NSManagedObject, _ context: NSManagedObjectContext, _ newest: RetainedRow) {
        if object.flags.contains(.inserted) {
            // Somebody else has inserted the row again, too.
            context.becomeUpdate(object, of: newest)
            if !favoursObject { context.restore(object) }
        } else if object.flags.contains(.deleted) {
            guard !favoursObject else { return object.rebase(onto: newest, keeping: .changes) }
            context.keepDeleted(object)
            context.takeStored(object, newest)
        } else {
            switch type {
            case .rollbackMergePolicyType:
                context.takeStored(object, newest)
            case .overwriteMergePolicyType:
                object.fireFaultIfNeeded()
                object.rebase(onto: newest, keeping: .everything)
                if object.flags.isDisjoint(with: [.updated, .inserted]) { context.noteUpdated(object) }
            case .mergeByPropertyObjectTrumpMergePolicyType:
                object.rebase(onto: newest, keeping: .changesAndOrder)
            default:
                object.rebase(onto: newest, keeping: .changes)
            }
        }
        if !object.flags.contains(.fault) { object.awake(fromSnapshotEvents: .mergePolicy) }
        context.noteRefreshed(object)
    }
}

extension NSManagedObjectContext {
    /// The row that the store has for an object in conflict, nil if it is gone.
    fileprivate final func newestRow(_ conflict: NSMergeConflict) throws -> RetainedRow? {
        if let row = conflict.persistedRow { return row }
        let object = conflict.sourceObject
        guard conflict.newVersionNumber != 0, let table = object.table else { return nil }
        // A conflict that the program has described itself.
        handle.coordinator?.forget(layout: object.layout, key: object.primaryKey, of: table.store?.store)
        return try snapshot(object.layout, key: object.primaryKey, table: table)
    }

    /// A changed object whose row is gone is inserted again under its ID.
    ///
    /// - Throws: what the store throws when a reference is checked. The object is unchanged then.
    fileprivate final func insertAgain(_ object: NSManagedObject) throws {
        object.fireFaultIfNeeded()
        // Everything that can fail comes first.
        let lost = try object.layout.toOneProperties.filter {
            try isReferenceLost(object, object.layout.properties[$0])
        }
        object.ownCells()
        handle.coordinator?.forget(layout: object.layout, key: object.primaryKey, of: object.table?.store?.store)
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            if slot.kind == .toMany {
                (object.link(slot.link) as? ToManyContent)?.beginAnew()
            } else if lost.contains(index) {
                object.cells.setEmpty(slot.cell)
                object.setLink(nil, slot.link)
            }
        }
        updated.remove(object)
        object.row = nil
        object.buffer = nil
        object.flags.remove(.updated)
        object.flags.formUnion([.inserted, .announced, .replacing])
        inserted.append(object)
        if !object.flags.contains(.pending) { notePending(object) }
    }

    /// Whether a reference names an object that the store has no longer.
    ///
    /// - Throws: what the store throws.
    private func isReferenceLost(_ object: NSManagedObject, _ slot: PropertySlot) throws -> Bool {
        guard object.cells.isPresent(slot.cell),
            (object.link(slot.link) as? NSManagedObject)?.flags.contains(.inserted) != true
        else { return false }
        let layout = object.layout.model[object.cells.referenceLayout(slot.cell)]
        let key = object.cells.integer(slot.cell)
        if parentContext != nil {
            let destination = objectOfParent(layout, key: key, near: object)
            return try rowOfParent(layout, key: destination.primaryKey, store: destination.table?.store) == nil
        }
        guard key > 0, let store = object.table?.store else { return false }
        return try snapshot(layout, key: key, table: table(store: store, root: layout.root)) == nil
    }

    /// A new object with the ID of a row becomes a change of that row.
    fileprivate final func becomeUpdate(_ object: NSManagedObject, of row: RetainedRow) {
        object.ownCells()
        inserted.remove(object)
        object.flags.subtract([.inserted, .announced, .replacing])
        object.row = row.row
        object.buffer = row.buffer
        noteUpdated(object)
    }

    /// An object whose deletion is given up; objects that lost it by that get it back.
    fileprivate final func keepDeleted(_ object: NSManagedObject) {
        deleted.remove(object)
        object.flags.subtract([.deleted, .propagated])
        object.takeBackRelationships()
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard slot.inverse >= 0 else { continue }
            let destinations =
                slot.kind == .toOne
                ? object.destination(slot).map { [$0] } ?? [] : Array(object.toManyContent(slot, loading: true).members)
            for destination in destinations where destination.flags.isDisjoint(with: [.deleted, .detached]) {
                let inverse = destination.layout.properties[slot.inverse]
                if inverse.kind != .toOne || destination.destination(inverse) == nil { destination.undo(object, slot) }
            }
        }
        if !object.flags.contains(.pending) { notePending(object) }
    }

    /// An object forgets its changes and has the store's values.
    fileprivate final func takeStored(_ object: NSManagedObject, _ row: RetainedRow) {
        updated.remove(object)
        object.flags.remove(.updated)
        object.turnIntoFault()
        object.attach(row.row, buffer: row.buffer)
        object.fireFaultIfNeeded()
    }

    /// An object that somebody else has deleted leaves the context; the next change notification tells it as deleted.
    final func loseDeleted(_ object: NSManagedObject) {
        changeEvent.noteLoss(of: object)
        // What its own deletion has done to others is done by somebody else's.
        if object.flags.isSuperset(of: [.deleted, .propagated]) { object.takeBackRelationships() }
        object.leaveInverses()
        if object.flags.contains(.deleted) {
            deleted.remove(object)
        } else if object.flags.contains(.inserted) {
            inserted.remove(object)
        } else if object.flags.contains(.updated) {
            updated.remove(object)
        }
        handle.coordinator?.forget(layout: object.layout, key: object.primaryKey, of: object.table?.store?.store)
        if !object.flags.contains(.pending) { notePending(object) }
        unregister(object)
        // Its last values can still be read.
        object.flags.formUnion([.deleted, .propagated])
    }
}
