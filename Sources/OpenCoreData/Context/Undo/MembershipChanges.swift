/// How the content of a to-many relationship differs from what it was when the event began.
struct MembershipChanges {
    private(set) var added: Set<NSManagedObject> = []
    private(set) var removed: Set<NSManagedObject> = []
    /// The members in order when the event began; nil if the relationship has no order, or if members have only come at
    /// the end.
    private(set) var order: [NSManagedObject]?

    mutating func noteAddition(_ object: NSManagedObject) {
        if removed.remove(object) == nil { added.insert(object) }
    }

    mutating func noteRemoval(_ object: NSManagedObject) {
        if added.remove(object) == nil { removed.insert(object) }
    }

    /// Notes the present order, before it changes otherwise than by an addition at the end.
    mutating func noteOrder(_ present: [NSManagedObject]) {
        guard order == nil else { return }
        order = added.isEmpty ? present : present.filter { !added.contains($0) }
    }

    /// Whether nothing is different now. The content may have been forgotten since, by a refresh.
    func isNothing(for owner: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard added.isEmpty && removed.isEmpty else { return false }
        return order.map { $0.elementsEqual(owner.toManyContent(slot, loading: true).order, by: ===) } ?? true
    }

    /// What was there when the event began, in the order that it had, given the members now.
    func before(_ content: ToManyContent) -> [NSManagedObject] {
        if let order { return order }
        if content.isOrdered { return content.order.filter { !added.contains($0) } + removed }
        return Array(content.members.subtracting(added).union(removed))
    }
}
