// SPDX-License-Identifier: Apache-2.0

/// Resolves constraint conflicts: objects that have equal values though these must be unique.
///
/// The objects are merged into one. The survivor gets the values that the policy selects from the other objects, and
/// the other objects are deleted.
struct ConstraintConflictResolution {
    let type: NSMergePolicyType
    /// The new objects that were deleted, each with the object that it was merged into.
    private(set) var survivors: [ObjectIdentifier: (deleted: NSManagedObject, survivor: NSManagedObject)] = [:]

    /// Which values of a deleted object the survivor gets.
    private enum MergedValues {
        /// All attributes, nil included, to-one destinations that aren't nil, and the members of to-many relationships.
        case values
        /// The members of relationships. A to-one destination only if the survivor has none.
        case relationships
        /// All values, nil included. The members of relationships replace the survivor's members.
        case everything
        case nothing
    }

    private var favoursObject: Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    private var mergedValues: MergedValues {
        switch type {
        case .mergeByPropertyObjectTrumpMergePolicyType: .values
        case .overwriteMergePolicyType: .everything
        case .rollbackMergePolicyType: .nothing
        default: .relationships
        }
    }

    mutating func resolve(_ conflict: NSConstraintConflict) {
        // The resolution of another conflict may have deleted an object.
        var objects = conflict.conflictingObjects.filter { $0.flags.isDisjoint(with: [.deleted, .detached]) }
        guard let context = objects.first?.managedObjectContext else { return }
        if let stored = conflict.databaseObject, stored.flags.isDisjoint(with: [.deleted, .detached]) {
            for object in objects { resolve(object, with: stored, conflict, context) }
        } else if objects.count > 1 {
            // A saved object survives. Among new objects the policy chooses.
            let index = objects.firstIndex { !$0.flags.contains(.inserted) } ?? (favoursObject ? objects.count - 1 : 0)
            let survivor = objects.remove(at: index)
            // The policy prefers later values, and the survivor has the latest.
            let isLatest = favoursObject && survivor.flags.contains(.inserted)
            for object in objects {
                if object.flags.contains(.inserted) {
                    merge(
                        object, into: survivor,
                        isLatest ? (type == .overwriteMergePolicyType ? .nothing : .relationships) : mergedValues,
                        context)
                } else {
                    resolveSaved(object, with: survivor, conflict, context)
                }
            }
        }
    }

    /// Resolves a conflict of an object with a row of the store.
    private mutating func resolve(
        _ object: NSManagedObject, with stored: NSManagedObject, _ conflict: NSConstraintConflict,
        _ context: NSManagedObjectContext
    ) {
        if object.flags.contains(.inserted) {
            merge(object, into: stored, mergedValues, context)
        } else {
            resolveSaved(object, with: stored, conflict, context)
        }
    }

    /// Resolves a conflict of a saved object that got the values of another one.
    private mutating func resolveSaved(
        _ object: NSManagedObject, with other: NSManagedObject, _ conflict: NSConstraintConflict,
        _ context: NSManagedObjectContext
    ) {
        if favoursObject {
            merge(other, into: object, type == .overwriteMergePolicyType ? .nothing : .relationships, context)
        } else if type == .rollbackMergePolicyType {
            object.revertRelationships()
            context.refreshObject(object, mergeChanges: false)
        } else {
            for name in conflict.constraint { object.layout.slot(named: name).map(object.revert) }
            object.awake(fromSnapshotEvents: .mergePolicy)
        }
    }

    // MARK: Merging

    /// Merges an object into the survivor, and deletes it.
    private mutating func merge(
        _ object: NSManagedObject, into survivor: NSManagedObject, _ mergedValues: MergedValues,
        _ context: NSManagedObjectContext
    ) {
        object.fireFaultIfNeeded()
        survivor.fireFaultIfNeeded()
        // The second one may have called the program.
        object.fireFaultIfNeeded()
        if mergedValues != .nothing {
            for slot in object.layout.properties where !slot.isTransient && slot.derivation == nil {
                guard let own = survivor.layout.counterpart(of: slot), own.kind == slot.kind else { continue }
                merge(slot, of: object, into: own, of: survivor, mergedValues)
            }
        }
        if object.flags.contains(.inserted) { survivors[ObjectIdentifier(object)] = (object, survivor) }
        context.deleteObject(object)
        survivor.awake(fromSnapshotEvents: .mergePolicy)
    }

    /// Merges one property of an object into the same property of the survivor.
    private func merge(
        _ slot: PropertySlot, of object: NSManagedObject, into own: PropertySlot, of survivor: NSManagedObject,
        _ mergedValues: MergedValues
    ) {
        switch slot.kind {
        case .fetched:
            return
        case .toOne:
            let destination = object.destination(slot)
            let isWanted =
                switch mergedValues {
                case .values: destination != nil
                case .everything: true
                default: destination != nil && survivor.destination(own) == nil
                }
            if isWanted && destination !== survivor.destination(own) { survivor.setDestination(destination, own) }
        case .toMany:
            let content = object.toManyContent(slot, loading: true)
            let members = content.members
            if mergedValues == .everything {
                survivor.replaceMembers(members, own)
            } else {
                for member in members { survivor.addMember(member, own) }
            }
        default:
            guard mergedValues == .everything || mergedValues == .values,
                !slot.isEqual(object.cells, survivor.layout, survivor.cells, own)
            else { return }
            survivor.prepareForWriting()
            object.fireFaultIfNeeded()
            guard !survivor.flags.contains(.fault) else { return }
            if own === slot {
                slot.copy(from: object.cells, to: survivor.cells)
            } else {
                own.write(slot.read(object.cells), to: survivor.cells, entity: survivor.layout.name)
            }
        }
    }
}

extension EntityLayout {
    /// The property with the name of another entity's property.
    fileprivate func counterpart(of slot: PropertySlot) -> PropertySlot? {
        // Entities share the properties that they inherit.
        if slot.index < properties.count, properties[slot.index] === slot { return slot }
        return self.slot(named: slot.name)
    }
}

extension PropertySlot {
    /// Whether the value equals the value of the same property in cells of another entity.
    fileprivate func isEqual(_ cells: Cells, _ layout: EntityLayout, _ others: Cells, _ slot: PropertySlot) -> Bool {
        slot.cell == cell ? isEqual(cells, others) : ValueEquality.areEqual(read(cells), slot.read(others))
    }
}
