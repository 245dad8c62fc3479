/// Settles conflicts about values that must be unique.
///
/// The objects with the same values are taken for one: one survives, takes what the policy says of the others, and they
/// go.
struct ConstraintConflictResolution {
    let type: NSMergePolicyType

    /// What a survivor takes of an object that goes.
    private enum Taking {
        /// All values that aren't nil, and what the relationships hold.
        case values
        /// What the relationships hold, where it has nothing itself.
        case relationships
        /// All values, nil too, and the content of relationships in place of its own.
        case everything
        case nothing
    }

    private var favoursObject: Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    private var taking: Taking {
        switch type {
        case .mergeByPropertyObjectTrumpMergePolicyType: .values
        case .overwriteMergePolicyType: .everything
        case .rollbackMergePolicyType: .nothing
        default: .relationships
        }
    }

    func resolve(_ conflict: NSConstraintConflict) {
        // An object may have gone by the resolution of another conflict.
        var objects = conflict.conflictingObjects.filter { $0.flags.isDisjoint(with: [.deleted, .detached]) }
        guard let context = objects.first?.managedObjectContext else { return }
        if let stored = conflict.databaseObject, stored.flags.isDisjoint(with: [.deleted, .detached]) {
            for object in objects { settle(object, with: stored, conflict, context) }
        } else if objects.count > 1 {
            // A row that is there already is kept; among new objects the policy chooses.
            let index = objects.firstIndex { !$0.flags.contains(.inserted) } ?? (favoursObject ? objects.count - 1 : 0)
            let survivor = objects.remove(at: index)
            // The survivor's own values are the latest word if the later ones count.
            let isLatest = favoursObject && survivor.flags.contains(.inserted)
            for object in objects {
                if object.flags.contains(.inserted) {
                    merge(
                        object, into: survivor,
                        isLatest ? (type == .overwriteMergePolicyType ? .nothing : .relationships) : taking, context)
                } else {
                    settleStored(object, with: survivor, conflict, context)
                }
            }
        }
    }

    private func settle(
        _ object: NSManagedObject, with stored: NSManagedObject, _ conflict: NSConstraintConflict,
        _ context: NSManagedObjectContext
    ) {
        if object.flags.contains(.inserted) {
            merge(object, into: stored, taking, context)
        } else {
            settleStored(object, with: stored, conflict, context)
        }
    }

    /// An object of the store was given the values of another.
    private func settleStored(
        _ object: NSManagedObject, with other: NSManagedObject, _ conflict: NSConstraintConflict,
        _ context: NSManagedObjectContext
    ) {
        if favoursObject {
            merge(other, into: object, type == .overwriteMergePolicyType ? .nothing : .relationships, context)
        } else if type == .rollbackMergePolicyType {
            object.takeBackRelationships()
            context.refreshObject(object, mergeChanges: false)
        } else {
            for name in conflict.constraint { object.layout.slot(named: name).map(object.takeBack) }
            object.awake(fromSnapshotEvents: .mergePolicy)
        }
    }

    // MARK: Merging

    private func merge(
        _ object: NSManagedObject, into survivor: NSManagedObject, _ taking: Taking, _ context: NSManagedObjectContext
    ) {
        object.fireFaultIfNeeded()
        survivor.fireFaultIfNeeded()
        if taking != .nothing {
            for slot in object.layout.properties where !slot.isTransient && slot.derivation == nil {
                guard let own = survivor.layout.slot(named: slot.name), own.kind == slot.kind else { continue }
                take(slot, of: object, own, survivor, taking)
            }
        }
        context.deleteObject(object)
        survivor.awake(fromSnapshotEvents: .mergePolicy)
    }

    private func take(
        _ slot: PropertySlot, of object: NSManagedObject, _ own: PropertySlot, _ survivor: NSManagedObject,
        _ taking: Taking
    ) {
        switch slot.kind {
        case .fetched:
            return
        case .toOne:
            let destination = object.destination(slot)
            let isWanted =
                switch taking {
                case .values: destination != nil
                case .everything: true
                default: destination != nil && survivor.destination(own) == nil
                }
            if isWanted && destination !== survivor.destination(own) { survivor.setDestination(destination, own) }
        case .toMany:
            let content = object.toManyContent(slot, loading: true)
            let members = content.isOrdered ? content.order : Array(content.members)
            if taking == .everything {
                survivor.replaceMembers(members, own)
            } else {
                for member in members { survivor.addMember(member, own) }
            }
        default:
            guard taking == .everything || (taking == .values && !slot.isNil(object.cells)),
                !slot.isEqual(object.cells, survivor.layout, survivor.cells, own)
            else { return }
            survivor.prepareForWriting()
            own.write(slot.read(object.cells), to: survivor.cells, entity: survivor.layout.name)
        }
    }
}

extension PropertySlot {
    /// Whether the value equals that of the same property in cells of another entity.
    fileprivate func isEqual(_ cells: Cells, _ layout: EntityLayout, _ others: Cells, _ slot: PropertySlot) -> Bool {
        slot.cell == cell ? isEqual(cells, others) : ValueEquality.areEqual(read(cells), slot.read(others))
    }
}
