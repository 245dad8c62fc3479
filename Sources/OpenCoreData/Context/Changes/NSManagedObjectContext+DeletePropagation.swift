// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// Applies the deletion rules of all deleted objects to which they were not applied yet.
    ///
    /// An object whose relationships can't be read stays for the next call.
    ///
    /// - Returns: the error of a relationship that could not be read, nil if all were read.
    @discardableResult
    final func propagateDeletes() -> (any Error)? {
        var failure: (any Error)?
        var unread: [NSManagedObject] = []
        // The next round handles the objects that a cascade rule has deleted.
        while unsavedChanges.hasUnprocessedDeletions {
            let objects = unsavedChanges.removeUnprocessedDeletions()
            readDestinations(of: objects)
            objects.forEachUnretained { _, object in
                guard object.flags.contains(.deleted), !object.flags.contains(.propagated) else { return }
                object.flags.insert(.propagated)
                reading.removeFailure()
                for slot in object.layout.ruledRelationships { propagate(object, slot) }
                if let error = reading.failure {
                    object.flags.remove(.propagated)
                    object.refaultAfterFailedRead()
                    failure = error
                    unread.append(object)
                }
            }
        }
        unsavedChanges.appendUnprocessedDeletions(unread)
        return failure
    }

    /// Applies the deletion rules before a fetch, so that the fetch sees their effects. The event doesn't end: a fetch
    /// posts nothing, so that observers don't see objects that the program hasn't completed.
    final func propagateDeletesBeforeFetch() {
        guard propagatesDeletesAtEndOfEvent, unsavedChanges.hasUnprocessedDeletions, changeEvent.beginProcessing()
        else { return }
        defer { changeEvent.endProcessing() }
        propagateDeletes()
    }

    /// Applies the rules of a deleted object again after newer values have replaced its committed values: the store may
    /// have given it relationships to which the rules were not applied.
    final func propagateDeletion(toNewRelationshipsOf object: NSManagedObject) {
        guard object.flags.contains(.propagated) else { return }
        // The following changes belong to the deletion, which is in the undo manager already.
        processChanges()
        undoRegistration.suspended {
            propagateDeletionAgain(object)
            propagateDeletes()
            processChanges()
        }
    }

    /// Marks a deleted object, so that the next `propagateDeletes()` applies its rules to the destinations in its
    /// newest row.
    final func propagateDeletionAgain(_ object: NSManagedObject) {
        guard object.flags.contains(.propagated) else { return }
        for index in object.layout.toOneProperties {
            let slot = object.layout.properties[index]
            guard let rule = slot.effectiveRule, !slot.isTransient,
                let destination = object.committedDestination(slot)
            else { continue }
            let isOneToOne = slot.inverse >= 0 && destination.layout.properties[slot.inverse].kind == .toOne
            if rule == .cascadeDeleteRule || isOneToOne { propagate(rule, of: object, slot, to: destination) }
        }
        object.flags.remove(.propagated)
        unsavedChanges.appendUnprocessedDeletions([object])
    }

    /// Applies the rule of one relationship of a deleted object.
    private func propagate(_ object: NSManagedObject, _ slot: PropertySlot) {
        guard let rule = slot.effectiveRule else { return }
        switch slot.kind {
        case .toOne:
            let destination = object.destination(slot)
            guard reading.failure == nil, let destination else { return }
            propagate(rule, of: object, slot, to: destination)
        default:
            // Members that were read before the row may lack members that belong to the row's version.
            object.fireFault(beforeChanging: slot)
            let content = object.toManyContent(slot, loading: true)
            let destinations = content.members
            guard reading.failure == nil else { return }
            for destination in destinations { propagate(rule, of: object, slot, to: destination) }
        }
        object.removeAllDestinations(slot)
    }

    private func propagate(
        _ rule: NSDeleteRule, of object: NSManagedObject, _ slot: PropertySlot, to destination: NSManagedObject
    ) {
        if rule == .cascadeDeleteRule && destination.flags.isDisjoint(with: [.deleted, .detached]) {
            delete(destination)
        }
        guard slot.inverse >= 0, !destination.flags.contains(.detached) else { return }
        // A deleted object removes the link by its own rule, if that does anything.
        if destination.flags.contains(.deleted) && destination.layout.properties[slot.inverse].effectiveRule != nil {
            return
        }
        destination.checkReference(to: object, slot)
        destination.removeFromInverse(object, slot)
    }

    /// Reads the relationships that the rules of many objects need: a statement for each relationship, instead of one
    /// for each object.
    private func readDestinations(of objects: [NSManagedObject]) {
        var keys: [String] = []
        var seen: Set<UInt32> = []
        var last: UInt32?
        objects.forEachUnretained { _, object in
            guard !object.flags.contains(.propagated), object.layoutNumber != last else { return }
            last = object.layoutNumber
            guard seen.insert(object.layoutNumber).inserted else { return }
            for slot in object.layout.ruledRelationships where !keys.contains(slot.name) { keys.append(slot.name) }
        }
        let unread = keys.isEmpty ? [] : objects.filter { !$0.flags.contains(.propagated) && $0.primaryKey > 0 }
        guard !unread.isEmpty else { return }
        do {
            for key in keys { try Prefetch.read(key, of: unread, in: self) }
        } catch {
            // Each object then reads its relationships by itself, and reports its own failure.
        }
    }
}

extension EntityLayout {
    /// The relationships whose deletion rule changes or deletes the destinations.
    fileprivate var ruledRelationships: some Sequence<PropertySlot> {
        relationshipProperties.lazy.map { self.properties[$0] }.filter { $0.effectiveRule != nil }
    }
}

extension PropertySlot {
    /// The deletion rule, if it changes or deletes the destinations.
    fileprivate var effectiveRule: NSDeleteRule? {
        switch deleteRule {
        case .cascadeDeleteRule: .cascadeDeleteRule
        // Without an inverse there is nothing to nullify.
        case .nullifyDeleteRule where inverse >= 0: .nullifyDeleteRule
        default: nil
        }
    }
}
