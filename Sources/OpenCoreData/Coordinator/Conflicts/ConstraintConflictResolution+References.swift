// SPDX-License-Identifier: Apache-2.0

/// References to a new object that a conflict has deleted, by relationships without inverse. Relationships with an
/// inverse have changed with the relationships of the survivor.
extension ConstraintConflictResolution {
    /// Redirects the references of unsaved objects to the survivors.
    func redirectReferences() {
        guard let context = survivors.first?.value.survivor.managedObjectContext else { return }
        for object in context.unsavedChanges.inserted.objects + context.unsavedChanges.updated.objects
        where object.flags.isDisjoint(with: [.deleted, .detached, .fault]) {
            for slot in object.layout.relationshipProperties.lazy.map({ object.layout.properties[$0] })
            where slot.inverse < 0 && object.isChanged(slot) {
                redirect(slot, of: object)
            }
        }
    }

    private func redirect(_ slot: PropertySlot, of object: NSManagedObject) {
        if slot.kind == .toOne {
            guard let destination = object.destination(slot), let survivor = survivor(of: destination) else { return }
            object.setDestination(survivor, slot)
        } else if slot.kind == .toMany {
            let members = object.toManyContent(slot, loading: true).members
            guard members.contains(where: { survivor(of: $0) != nil }) else { return }
            var seen: Set<ObjectIdentifier> = []
            object.replaceMembers(
                members.map { survivor(of: $0) ?? $0 }.filter { seen.insert(ObjectIdentifier($0)).inserted }, slot)
        }
    }

    /// The object that has taken the place of a deleted one; nil for an object that wasn't deleted.
    private func survivor(of object: NSManagedObject) -> NSManagedObject? {
        var found: NSManagedObject?
        var next = survivors[ObjectIdentifier(object)]?.survivor
        // The survivor of one conflict may be deleted by another one.
        while let survivor = next {
            found = survivor
            next = survivors[ObjectIdentifier(survivor)]?.survivor
        }
        return found
    }
}
