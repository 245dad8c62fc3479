extension NSManagedObjectContext {
    /// Follows the delete rules of all deleted objects whose relationships were not followed yet.
    ///
    /// Objects whose relationships can't be read are left for the next time.
    /// - Returns: what kept some relationship from being read.
    @discardableResult
    final func propagateDeletes() -> (any Error)? {
        var failure: (any Error)?
        var unread: [NSManagedObject] = []
        // Cascades delete the objects of the next round.
        while deleted.hasRecent {
            let objects = deleted.takeRecent().filter { $0.flags.contains(.deleted) && !$0.flags.contains(.detached) }
            deletedInsertions += objects.filter { $0.flags.contains(.inserted) }
            readDestinations(of: objects)
            for object in objects where object.flags.contains(.deleted) && !object.flags.contains(.propagated) {
                object.flags.insert(.propagated)
                readingFailure = nil
                for index in object.layout.relationshipProperties { propagate(object, object.layout.properties[index]) }
                if let readingFailure {
                    object.flags.remove(.propagated)
                    object.forgetUnreadValues()
                    failure = readingFailure
                    unread.append(object)
                }
            }
        }
        deleted.returnRecent(unread)
        return failure
    }

    private func propagate(_ object: NSManagedObject, _ slot: PropertySlot) {
        guard let rule = slot.ruleToFollow else { return }
        let destinations: [NSManagedObject]
        switch slot.kind {
        case .toOne:
            destinations = object.destination(slot).map { [$0] } ?? []
        default:
            let content = object.toManyContent(slot, loading: true)
            destinations = content.isOrdered ? content.order : Array(content.members)
        }
        guard readingFailure == nil else { return }
        for destination in destinations {
            if rule == .cascadeDeleteRule && destination.flags.isDisjoint(with: [.deleted, .detached]) {
                delete(destination)
            }
            guard slot.inverse >= 0, !destination.flags.contains(.detached) else { continue }
            // A deleted object lets go by itself, if its own rule has it do so.
            if destination.flags.contains(.deleted) && destination.layout.properties[slot.inverse].ruleToFollow != nil {
                continue
            }
            destination.loseInverse(object, slot)
        }
        object.tearDown(slot)
    }

    /// Reads what the rules of many objects lead to: a statement for each relationship, instead of one for each object.
    private func readDestinations(of objects: [NSManagedObject]) {
        var keys: [String] = []
        var seen: Set<UInt32> = []
        for object in objects where !object.flags.contains(.propagated) && seen.insert(object.layoutNumber).inserted {
            for index in object.layout.relationshipProperties {
                let slot = object.layout.properties[index]
                if slot.ruleToFollow != nil && !keys.contains(slot.name) { keys.append(slot.name) }
            }
        }
        let unread = keys.isEmpty ? [] : objects.filter { !$0.flags.contains(.propagated) && $0.primaryKey > 0 }
        guard !unread.isEmpty else { return }
        do {
            for key in keys { try Prefetch.read(key, of: unread, in: self) }
        } catch {
            // Each object reads for itself then, and the one that can't says why.
        }
    }
}

extension PropertySlot {
    /// The delete rule that does something to the destinations.
    fileprivate var ruleToFollow: NSDeleteRule? {
        switch relationship?.deleteRule {
        case .cascadeDeleteRule: .cascadeDeleteRule
        // Without inverse there is nothing to nullify on the other side.
        case .nullifyDeleteRule where inverse >= 0: .nullifyDeleteRule
        default: nil
        }
    }
}
