extension NSManagedObjectContext {
    /// Follows the delete rules of all deleted objects whose relationships were not followed yet.
    ///
    /// Objects whose relationships can't be read are left for the next time.
    /// - Returns: what kept some relationship from being read.
    @discardableResult
    final func propagateDeletes() -> (any Error)? {
        var failure: (any Error)?
        var next = 0
        // Cascades append to the list while it is walked.
        while next < deleted.objects.count {
            let object = deleted.objects[next]
            next += 1
            guard !object.flags.contains(.propagated) else { continue }
            object.flags.insert(.propagated)
            readingFailure = nil
            for index in object.layout.relationshipProperties { propagate(object, object.layout.properties[index]) }
            if let readingFailure {
                object.flags.remove(.propagated)
                object.forgetUnreadValues()
                failure = readingFailure
            }
        }
        return failure
    }

    private func propagate(_ object: NSManagedObject, _ slot: PropertySlot) {
        guard let rule = slot.relationship?.deleteRule, rule == .nullifyDeleteRule || rule == .cascadeDeleteRule else { return }
        let destinations: [NSManagedObject]
        switch slot.kind {
        case .toOne:
            destinations = object.destination(slot).map { [$0] } ?? []
        default:
            // Without inverse there is nothing to nullify on the other side.
            if rule == .nullifyDeleteRule && slot.inverse < 0 { return }
            let content = object.toManyContent(slot, loading: true)
            destinations = content.isOrdered ? content.order : Array(content.members)
        }
        for destination in destinations {
            if rule == .cascadeDeleteRule {
                if destination.flags.isDisjoint(with: [.deleted, .gone]) { delete(destination) }
            } else if slot.inverse >= 0 && !destination.flags.contains(.deleted) {
                destination.loseInverse(object, slot)
            }
        }
    }
}
