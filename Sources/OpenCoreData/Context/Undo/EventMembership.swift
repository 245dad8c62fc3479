// SPDX-License-Identifier: Apache-2.0

/// The changes of the members of a to-many relationship since the start of the change event, with the order at that
/// time.
struct EventMembership {
    private var changes = MembershipChanges()
    private var orderRecord: OrderRecord?

    var added: [NSManagedObject] { changes.added.objects }
    var removed: [NSManagedObject] { changes.removed.objects }
    /// The members in order at the start of the event. Nil if the relationship has no order, or if members were only
    /// appended.
    var order: [NSManagedObject]? { orderRecord?.order }

    mutating func recordAddition(_ object: NSManagedObject) { changes.add(object) }
    mutating func recordRemoval(_ object: NSManagedObject) { changes.remove(object) }
    mutating func recordRemoval(ofAll members: [NSManagedObject]) { changes.remove(all: members) }

    /// Records the order. Called before each change of the order other than an append.
    mutating func recordOrder(of content: ToManyContent) {
        guard orderRecord == nil else { return }
        orderRecord =
            changes.added.isEmpty
            ? content.orderRecord() : OrderRecord(content.members.filter { !changes.isAdded($0) })
    }

    /// Whether the order at the start of the event is recorded.
    var hasOrder: Bool { orderRecord != nil }

    /// Whether the members and their order are the same as at the start of the event. A refresh may have discarded the
    /// contents since: they are then loaded.
    func isEmpty(for owner: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard changes.isEmpty else { return false }
        return orderRecord.map { $0.isSame(as: owner.toManyContent(slot, loading: true)) } ?? true
    }

    /// The members at the start of the event, in order, for the current contents.
    func membersAtEventStart(_ content: ToManyContent) -> [NSManagedObject] {
        if let order { return order }
        let added = Set(added)
        return content.members.filter { !added.contains($0) } + removed
    }
}

/// The changes of the to-many relationships of one object. Few relationships change in one event.
struct MembershipList {
    /// With the index of each relationship.
    private(set) var list: [(index: Int, changes: EventMembership)] = []

    subscript(index: Int) -> EventMembership? { list.first { $0.index == index }?.changes }

    subscript(changesOf index: Int) -> EventMembership {
        get { self[index] ?? EventMembership() }
        _modify {
            let position = list.firstIndex { $0.index == index } ?? list.count
            if position == list.count { list.append((index, EventMembership())) }
            yield &list[position].changes
        }
    }
}
