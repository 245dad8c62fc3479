// SPDX-License-Identifier: Apache-2.0

/// Makes the relationships of a context consistent again after a merge policy has resolved the conflicts of a save.
///
/// A policy decides about each object alone, but a relationship has two sides. The next attempt of the save may write a
/// to-one reference only if the other side is written or checked with it, and if both say the same. Objects that the
/// context holds may be older than the row that the policy has merged: they are read again.
struct RelationshipReconciliation {
    private let context: NSManagedObjectContext
    /// The objects in conflict that have relationships.
    private let conflicting: Set<NSManagedObject>
    /// Whether the changes of the context win against the changes in the store.
    private let favoursObject: Bool
    /// How many rounds may change objects. Each round follows the pairs of the last one to their other sides.
    private static let roundLimit = 100

    /// - Parameters:
    ///   - conflicts: the conflicts that the policy has resolved.
    ///   - type: the type of the policy.
    init(_ context: NSManagedObjectContext, _ conflicts: [Any], _ type: NSMergePolicyType) {
        self.context = context
        favoursObject = type != .mergeByPropertyStoreTrumpMergePolicyType && type != .rollbackMergePolicyType
        var conflicting: Set<NSManagedObject> = []
        func insert(_ object: NSManagedObject) {
            if !object.layout.relationshipProperties.isEmpty { conflicting.insert(object) }
        }
        for conflict in conflicts {
            if let conflict = conflict as? NSMergeConflict {
                insert(conflict.sourceObject)
            } else if let conflict = conflict as? NSConstraintConflict {
                conflict.conflictingObjects.forEach(insert)
                conflict.databaseObject.map(insert)
            }
        }
        self.conflicting = conflicting
    }

    /// - Throws: what the store throws when a row or the contents of a relationship are read.
    func run() throws {
        if conflicting.isEmpty { return }
        for object in conflicting where object.flags.contains(.deleted) && !object.flags.contains(.detached) {
            try refreshDestinations(of: object)
            context.propagateDeletionAgain(object)
        }
        if let failure = context.propagateDeletes() { throw failure }
        for object in writtenObjects where object.isLive {
            for slot in object.toOneRelationships { try removeMissingDestination(object, slot) }
        }
        if let failure = context.propagateDeletes() { throw failure }
        // A parent maintains the inverses of what a child saves into it.
        guard context.hierarchy.parent == nil else { return }
        if favoursObject { for object in conflicting where object.isLive { try decideMembers(of: object) } }
        for _ in 0..<Self.roundLimit {
            var hasChanged = false
            for object in writtenObjects where object.isLive {
                for slot in object.toOneRelationships where object.claims(slot) {
                    if try reconcile(object, slot) { hasChanged = true }
                }
            }
            if !hasChanged { return }
        }
    }

    /// The objects whose references the next attempt writes, and the objects whose references the policy may have
    /// changed.
    private var writtenObjects: [NSManagedObject] {
        let changes = context.unsavedChanges
        let written = Array(changes.inserted.objects) + Array(changes.updated.objects)
        return written + conflicting.filter { $0.flags.isDisjoint(with: [.inserted, .updated]) }
    }

    // MARK: Deleted objects

    /// Reads the objects again that a deleted object refers to by its newest row, if they don't refer to the deleted
    /// object. The deletion rules change only objects that refer to it.
    private func refreshDestinations(of object: NSManagedObject) throws {
        context.reading.removeFailure()
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard slot.inverse >= 0, !slot.isTransient,
                object.layout.model[slot.destination].properties[slot.inverse].kind == .toOne
            else { continue }
            let destinations =
                slot.kind == .toOne
                ? [object.destination(slot), object.committedDestination(slot)].compactMap { $0 }
                : object.toManyContent(slot, loading: true).members
            if let failure = context.reading.failure { throw failure }
            for destination in destinations where destination.isLive && !destination.flags.contains(.inserted) {
                let inverse = destination.layout.properties[slot.inverse]
                if destination.flags.contains(.fault) || destination.destination(inverse) !== object {
                    _ = try context.refreshToStored(destination)
                }
            }
        }
    }

    /// Applies the deletion rule of the inverse to a reference that leads to a deleted object, and removes a reference
    /// to an object that another context or process has deleted.
    private func removeMissingDestination(_ object: NSManagedObject, _ slot: PropertySlot) throws {
        guard let destination = object.knownDestination(slot) else { return }
        if destination.flags.contains(.detached) {
            object.writeDestination(nil, slot)
        } else if destination.flags.contains(.deleted) {
            switch destination.layout.properties[slot.inverse].deleteRule {
            case .cascadeDeleteRule: context.delete(object)
            case .nullifyDeleteRule: object.writeDestination(nil, slot)
            // The validation refuses the deletion of an object that has members.
            case .denyDeleteRule where !destination.refers(to: object, by: slot): object.writeDestination(nil, slot)
            default: break
            }
        }
    }

    /// Removes the added members that another context or process has deleted from relationships whose members have no
    /// reference back, or have a to-many one: an object that wins as a whole has all of its members added again. The
    /// other members get the decision on their side, too.
    private func decideMembers(of object: NSManagedObject) throws {
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard slot.kind == .toMany, !slot.isTransient, let content = object.link(slot.link) as? ToManyContent,
                slot.inverse < 0 || object.layout.model[slot.destination].properties[slot.inverse].kind == .toMany
            else { continue }
            for member in content.additions where !member.isWritten && !member.flags.contains(.deleted) {
                if try !member.flags.contains(.detached) && context.refreshToStored(member) {
                    context.checkVersionOnSave(ofContradicted: member)
                } else {
                    content.discard(member)
                }
            }
            guard slot.inverse >= 0 else { continue }
            for (members, isMember) in [(content.additions, true), (content.removals, false)] {
                for member in members where member !== object && member.isLive {
                    member.followDecision(object, member.layout.properties[slot.inverse], isMember: isMember)
                }
            }
        }
    }

    // MARK: Both sides

    /// Makes both sides of a changed reference agree. A side that the save doesn't write is included in its optimistic
    /// locking.
    ///
    /// - Returns: whether an object has changed.
    private func reconcile(_ object: NSManagedObject, _ slot: PropertySlot) throws -> Bool {
        let current = object.destination(slot)
        let committed = object.committedDestination(slot)
        if current?.layout.properties[slot.inverse].kind == .toMany {
            guard let current, conflicting.contains(object) else { return false }
            return try keep(current, as: object, slot)
        }
        var hasChanged = false
        for other in current === committed ? [current] : [current, committed] {
            guard let other, other !== object, other.isLive else { continue }
            let inverse = other.layout.properties[slot.inverse]
            guard inverse.kind == .toOne else { continue }
            if try reconcile(object, slot, other, inverse) { hasChanged = true }
        }
        return hasChanged
    }

    /// Removes a reference if its destination no longer exists. Otherwise the destination gets the object as a member:
    /// an object that wins as a whole may refer to a row that others have deleted, or whose members they have read
    /// without it.
    private func keep(_ destination: NSManagedObject, as object: NSManagedObject, _ slot: PropertySlot) throws -> Bool {
        guard destination.isLive, !destination.flags.contains(.inserted) else { return false }
        if !destination.isWritten {
            guard try context.refreshToStored(destination) else {
                object.writeDestination(nil, slot)
                return true
            }
            context.checkVersionOnSave(ofContradicted: destination)
        }
        let inverse = destination.layout.properties[slot.inverse]
        return destination.followDecision(object, inverse, isMember: true, isNewReference: true)
    }

    /// Makes the references of two objects to each other agree.
    private func reconcile(
        _ object: NSManagedObject, _ slot: PropertySlot, _ other: NSManagedObject, _ inverse: PropertySlot
    ) throws -> Bool {
        func agree() -> Bool { (object.destination(slot) === other) == (other.destination(inverse) === object) }
        // The save checks the version of a row anyway if it writes the row.
        func check() { context.checkVersionOnSave(ofContradicted: other) }
        if agree() {
            check()
            return false
        }
        if !other.claims(inverse) {
            guard try context.refreshToStored(other) else {
                guard object.destination(slot) === other else { return false }
                object.writeDestination(nil, slot)
                return true
            }
            if agree() {
                check()
                return true
            }
        }
        if favoursObject {
            try favour(object, slot, other, inverse)
        } else {
            if other.claims(inverse) { other.revert(inverse) }
            object.revert(slot)
            // The rows of both may be of different times.
            if !agree() && object.destination(slot) === other { object.writeDestination(nil, slot) }
        }
        check()
        return true
    }

    /// Changes the side that isn't a change of the context.
    private func favour(
        _ object: NSManagedObject, _ slot: PropertySlot, _ other: NSManagedObject, _ inverse: PropertySlot
    ) throws {
        guard object.destination(slot) === other else { return other.writeDestination(nil, inverse) }
        let former = other.destination(inverse)
        if other.claims(inverse) && former != nil { return object.writeDestination(nil, slot) }
        other.writeDestination(object, inverse)
        guard let former, former.isLive else { return }
        if !former.claims(slot) { _ = try context.refreshToStored(former) }
        if former.destination(slot) === other { former.writeDestination(nil, slot) }
    }
}

extension NSManagedObject {
    /// Whether the next save writes the row. An object that was set to equal values has nothing to write.
    fileprivate final var isWritten: Bool {
        flags.contains(.inserted) || flags.contains(.updated) && !flags.contains(.fault) && hasRowChanges
    }

    /// Whether the inverse of a relationship of another object has that object.
    fileprivate final func refers(to object: NSManagedObject, by slot: PropertySlot) -> Bool {
        let inverse = layout.properties[slot.inverse]
        return inverse.kind == .toOne
            ? destination(inverse) === object : toManyContent(inverse, loading: true).contains(object)
    }
}

extension NSManagedObjectContext {
    /// Replaces the committed values of an object by its newest row. Unsaved changes stay.
    ///
    /// - Returns: false if the row no longer exists. The object has then left the context.
    /// - Throws: the errors of the store.
    final func refreshToStored(_ object: NSManagedObject) throws -> Bool {
        guard let table = object.table, object.flags.isDisjoint(with: [.inserted, .detached]) else { return true }
        handle.coordinator?.evictSnapshot(layout: object.layout, key: object.primaryKey, of: table.store?.store)
        guard let newest = try snapshot(object.layout, key: object.primaryKey, table: table) else {
            unregisterDeleted(object)
            return false
        }
        let wasFault = object.flags.contains(.fault)
        guard wasFault || object.row?.version != newest.version else { return true }
        object.rebase(onto: newest, policy: .changesAndOrder)
        if !wasFault { object.awake(fromSnapshotEvents: .mergePolicy) }
        markRefreshed(object)
        return true
    }
}
