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
