/// What one event has made of one object: what must be set to take it back.
struct UndoRecord {
    let object: NSManagedObject
    /// Whether the context had the object, not deleted, before the event and after it.
    let wasPresent: Bool
    let isPresent: Bool
    /// Whether the object had no unsaved changes before.
    let wasUnchanged: Bool
    private(set) var values: [(slot: PropertySlot, value: KeptValue)] = []
    private(set) var destinations: [(slot: PropertySlot, object: NSManagedObject?)] = []
    private(set) var memberships: [(slot: PropertySlot, changes: MembershipChanges)] = []
    /// What the to-many relationships of an object that has left held.
    private(set) var contents: [(slot: PropertySlot, members: [NSManagedObject])] = []
    /// Where an object that has left was to be saved.
    private(set) var assignedStore: NSPersistentStore?

    var returns: Bool { wasPresent && !isPresent }
    var leaves: Bool { !wasPresent && isPresent }
    var hasChanges: Bool { !(values.isEmpty && destinations.isEmpty && memberships.isEmpty) }

    /// Compares an object with what it was when the event began.
    ///
    /// - Parameter snapshot: that, if it isn't in the committed row; nil too for an object that is new since.
    /// - Returns: nil if there is nothing to take back.
    init?(_ object: NSManagedObject, _ snapshot: EventSnapshot?, context: NSManagedObjectContext) {
        self.object = object
        switch snapshot?.state {
        case .lost: return nil
        case .absent, .deleted: (wasPresent, wasUnchanged) = (false, false)
        case .unchanged: (wasPresent, wasUnchanged) = (true, true)
        case .changed: (wasPresent, wasUnchanged) = (true, false)
        case nil:
            wasPresent = !object.flags.contains(.inserted) || object.flags.contains(.announced)
            wasUnchanged = wasPresent
        }
        isPresent = object.flags.isDisjoint(with: [.deleted, .detached])
        guard wasPresent else {
            if isPresent { return }
            return nil
        }
        if !isPresent {
            keepValues()
            assignedStore = context.assignedStores[ObjectIdentifier(object)]
        }
        compare(snapshot)
        if isPresent && !hasChanges { return nil }
    }

    /// An object that is deleted may be wanted when its row is gone.
    private mutating func keepValues() {
        if !object.flags.contains(.detached) { object.fireFaultIfNeeded() }
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard slot.kind == .toMany else { continue }
            let content = object.toManyContent(slot, loading: !slot.isTransient && !object.flags.contains(.detached))
            let members = content.isOrdered ? content.order : Array(content.members)
            if content.isLoaded && !members.isEmpty { contents.append((slot, members)) }
        }
    }

    private mutating func compare(_ snapshot: EventSnapshot?) {
        guard !object.flags.contains(.fault) else { return }
        if let before = object.eventCells(snapshot), before != object.cells {
            for slot in object.layout.properties
            where slot.cell >= 0 && slot.derivation == nil && !slot.isEqual(before, object.cells) {
                guard slot.kind == .toOne else {
                    values.append((slot, KeptValue(slot, before)))
                    continue
                }
                let destination = object.eventDestination(slot, snapshot)
                if destination !== object.destination(slot) { destinations.append((slot, destination)) }
            }
        }
        guard let snapshot else { return }
        for (index, changes) in snapshot.memberships {
            let slot = object.layout.properties[index]
            if !changes.isNothing(for: object, slot) { memberships.append((slot, changes)) }
        }
    }
}
