// SPDX-License-Identifier: Apache-2.0

/// The objects that the change notification of an event reports.
struct ChangeReport {
    private(set) var inserted: ContiguousArray<NSManagedObject> = []
    private(set) var updated: ContiguousArray<NSManagedObject> = []
    private(set) var deleted: ContiguousArray<NSManagedObject>

    /// Divides the objects of an event, and removes the flag `pending` from them.
    ///
    /// - Parameters:
    ///   - changed: the objects that have changed.
    ///   - arePending: whether the objects have the flag of the event that has ended.
    ///   - snapshots: their state at the start of the event.
    ///   - withdrawn: the objects whose insertion a rollback has removed.
    init(
        _ changed: ContiguousArray<NSManagedObject>, arePending: Bool, _ snapshots: ChangeEvent.Snapshots,
        withdrawn: [NSManagedObject]
    ) {
        deleted = ContiguousArray(withdrawn)
        // Mostly all objects of a large event are new ones.
        if changed.last?.flags.contains(.inserted) == true { inserted.reserveCapacity(changed.count) }
        changed.forEachUnretained { _, object in
            if arePending { object.flags.remove(.pending) }
            if object.flags.contains(.deleted) {
                // An earlier notification has reported an object whose relationships are removed in this event.
                if snapshots[ObjectIdentifier(object)]?.state == .deleted { return }
                // An object that was inserted and deleted within one event is not reported.
                if object.flags.contains(.announced) || !object.flags.contains(.inserted) { deleted.append(object) }
            } else if object.flags.contains(.inserted) && !object.flags.contains(.announced) {
                object.flags.insert(.announced)
                inserted.append(object)
            } else if !object.flags.isDisjoint(with: [.inserted, .updated]) {
                updated.append(object)
            }
        }
    }

    /// Reports deleted objects that an undo has restored as inserted.
    mutating func addInsertions(returned: [NSManagedObject]) {
        if returned.isEmpty { return }
        inserted += returned
        let returned = Set(returned)
        updated.removeAll(where: returned.contains)
    }

    /// Reports objects that other contexts have inserted.
    mutating func addInsertions(merged: [NSManagedObject]) { inserted += merged }
}
