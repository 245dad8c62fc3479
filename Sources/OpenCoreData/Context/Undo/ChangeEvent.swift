/// What is known of the event under way: what objects were before it, as far as their committed rows don't tell.
struct ChangeEvent {
    typealias Snapshots = [ObjectIdentifier: EventSnapshot]

    /// An event whose notification is being posted.
    struct Told {
        let snapshots: Snapshots
        let inserted: Set<NSManagedObject>
        let updated: Set<NSManagedObject>
        let deleted: Set<NSManagedObject>
    }

    private var snapshots: Snapshots = [:]
    /// The snapshot asked for last: members mostly come to one owner in a row.
    private var last: EventSnapshot?
    var told: Told?

    /// The snapshot of an object, if it has one.
    subscript(object: NSManagedObject) -> EventSnapshot? { snapshots[ObjectIdentifier(object)] }

    /// The snapshot of an object, taken now unless it has one.
    mutating func snapshot(of object: NSManagedObject) -> EventSnapshot {
        if let last, last.object === object { return last }
        let snapshot = snapshots[ObjectIdentifier(object)] ?? EventSnapshot(object)
        snapshots[ObjectIdentifier(object)] = snapshot
        last = snapshot
        return snapshot
    }

    /// Adds a snapshot, unless the object has one.
    mutating func add(_ snapshot: @autoclosure () -> EventSnapshot, of object: NSManagedObject) {
        if snapshots[ObjectIdentifier(object)] == nil { snapshots[ObjectIdentifier(object)] = snapshot() }
    }

    /// Replaces what is known: the object is lost to somebody else's deletion.
    mutating func noteLoss(of object: NSManagedObject) {
        last = nil
        snapshots[ObjectIdentifier(object)] = EventSnapshot(object, state: .lost, copiesValues: false)
    }

    /// Ends the event; the next one begins.
    mutating func end() -> Snapshots {
        last = nil
        guard !snapshots.isEmpty else { return [:] }
        defer { snapshots = [:] }
        return snapshots
    }
}

extension NSManagedObjectContext {
    /// An object is about to be listed for the next change notification: what it was is kept, unless its committed row
    /// tells.
    final func beginEvent(of object: NSManagedObject) {
        guard !object.flags.contains(.pending),
            !object.flags.isDisjoint(with: [.ownsCells, .inserted, .updated, .deleted])
        else { return }
        _ = changeEvent.snapshot(of: object)
    }
}
