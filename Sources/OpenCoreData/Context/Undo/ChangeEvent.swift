/// The current change event of a context: the values of objects at its start, where their committed rows don't have
/// them.
struct ChangeEvent {
    typealias Snapshots = [ObjectIdentifier: EventSnapshot]

    /// An event whose change notification is being posted.
    struct PostedEvent {
        let snapshots: Snapshots
        let inserted: ChangedObjects
        let updated: ChangedObjects
        let deleted: ChangedObjects
    }

    private var snapshots: Snapshots = [:]
    /// The last snapshot that was read: consecutive relationship changes mostly have one owner.
    private var last: EventSnapshot?
    var posted: PostedEvent?

    /// The snapshot of an object, if there is one.
    subscript(object: NSManagedObject) -> EventSnapshot? { snapshots[ObjectIdentifier(object)] }

    /// The snapshot of an object. Takes it unless there is one.
    mutating func snapshot(of object: NSManagedObject) -> EventSnapshot {
        if let last, last.object === object { return last }
        let snapshot = snapshots[ObjectIdentifier(object)] ?? EventSnapshot(object)
        snapshots[ObjectIdentifier(object)] = snapshot
        last = snapshot
        return snapshot
    }

    /// Adds a snapshot, unless there is one.
    mutating func add(_ snapshot: @autoclosure () -> EventSnapshot, of object: NSManagedObject) {
        if snapshots[ObjectIdentifier(object)] == nil { snapshots[ObjectIdentifier(object)] = snapshot() }
    }

    /// Records that another context has deleted an object. Replaces its snapshot: the deletion can't be undone here.
    mutating func recordExternalDeletion(of object: NSManagedObject) {
        last = nil
        snapshots[ObjectIdentifier(object)] = EventSnapshot(object, state: .deletedExternally, copiesValues: false)
    }

    /// Ends the event and starts the next one.
    ///
    /// - Returns: the snapshots of the event that ended.
    mutating func end() -> Snapshots {
        last = nil
        guard !snapshots.isEmpty else { return [:] }
        defer { snapshots = [:] }
        return snapshots
    }
}

extension NSManagedObjectContext {
    /// Takes the snapshot of an object, unless its committed row has its values. Called before the object is added to
    /// the objects of the next change notification.
    final func recordEventSnapshot(of object: NSManagedObject) {
        guard !object.flags.contains(.pending),
            !object.flags.isDisjoint(with: [.ownsCells, .inserted, .updated, .deleted])
        else { return }
        _ = changeEvent.snapshot(of: object)
    }
}

/// The difference between the members of a to-many relationship now and at the start of the event.
struct MembershipChanges {
    private(set) var added: Set<NSManagedObject> = []
    private var removals: Set<NSManagedObject> = []
    /// All members, if they were removed at once and nothing else has changed.
    private var removedMembers: [NSManagedObject] = []
    /// The members in order at the start of the event. Nil if the relationship has no order, or if members were only
    /// appended.
    var order: [NSManagedObject]? { orderRecord?.order }
    private var orderRecord: OrderRecord?

    var removed: Set<NSManagedObject> { removedMembers.isEmpty ? removals : Set(removedMembers) }

    mutating func recordAddition(_ object: NSManagedObject) {
        makeSetOfRemovals()
        if removals.remove(object) == nil { added.insert(object) }
    }

    mutating func recordRemoval(_ object: NSManagedObject) {
        makeSetOfRemovals()
        if added.remove(object) == nil { removals.insert(object) }
    }

    /// Records the removal of all members. Makes no set, which most deletions never need.
    mutating func recordRemoval(ofAll members: [NSManagedObject]) {
        if added.isEmpty && removals.isEmpty && removedMembers.isEmpty {
            removedMembers = members
        } else {
            for member in members { recordRemoval(member) }
        }
    }

    private mutating func makeSetOfRemovals() {
        guard !removedMembers.isEmpty else { return }
        removals = Set(removedMembers)
        removedMembers = []
    }

    /// Records the order. Called before each change of the order other than an append.
    mutating func recordOrder(of content: ToManyContent) {
        guard orderRecord == nil else { return }
        orderRecord =
            added.isEmpty ? content.orderRecord() : OrderRecord(content.order.filter { !added.contains($0) })
    }

    /// Whether the order at the start of the event is recorded.
    var hasOrder: Bool { orderRecord != nil }

    /// Whether the members and their order are the same as at the start of the event. A refresh may have discarded the
    /// contents since: they are then loaded.
    func isEmpty(for owner: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard added.isEmpty && removals.isEmpty && removedMembers.isEmpty else { return false }
        return orderRecord.map { $0.isSame(as: owner.toManyContent(slot, loading: true)) } ?? true
    }

    /// The members at the start of the event, in order, for the current contents.
    func membersAtEventStart(_ content: ToManyContent) -> [NSManagedObject] {
        if let order { return order }
        if content.isOrdered { return content.order.filter { !added.contains($0) } + removed }
        return Array(content.members.subtracting(added).union(removed))
    }
}

/// The changes of the to-many relationships of one object. Few relationships change in one event.
struct MembershipList {
    /// With the index of each relationship.
    private(set) var list: [(index: Int, changes: MembershipChanges)] = []

    subscript(index: Int) -> MembershipChanges? { list.first { $0.index == index }?.changes }

    subscript(changesOf index: Int) -> MembershipChanges {
        get { self[index] ?? MembershipChanges() }
        _modify {
            let position = list.firstIndex { $0.index == index } ?? list.count
            if position == list.count { list.append((index, MembershipChanges())) }
            yield &list[position].changes
        }
    }
}
