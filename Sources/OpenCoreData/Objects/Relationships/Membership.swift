// SPDX-License-Identifier: Apache-2.0

/// The members of one to-many relationship of one object, and their changes since the last save: a value.
///
/// While the members are not loaded, only the changes are known; loading applies them to the members that the store
/// has. Such a change comes from the inverse, which knows whether the object was a member.
///
/// Each change is a transition of the value and has no other effect. It returns what it has done, so that the caches of
/// `ToManyContent` can follow.
struct Membership {
    /// The order of the members at the last save.
    private struct CommittedOrder {
        var order: FormerOrder
        /// The members that were moved since then. All other members have the committed order among themselves. Nil if
        /// the moves are not known.
        var moved: Set<NSManagedObject>?
    }

    let isOrdered: Bool
    private(set) var isLoaded: Bool
    /// The members of loaded contents. Otherwise the objects that come last in an order when it is loaded: the
    /// additions, and members that were removed and added again.
    private var list: MemberList
    private var changes = MembershipChanges()
    /// Nil while the order has not changed since the last save.
    private var committedOrder: CommittedOrder?

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
        list = MemberList(isOrdered: isOrdered)
    }

    // MARK: Members

    var count: Int { isLoaded ? list.count : 0 }

    /// The members, in order if the relationship is ordered. None while they are not loaded.
    var members: [NSManagedObject] {
        mutating get {
            guard isLoaded else { return [] }
            list.compact()
            return list.objects
        }
    }

    /// A member, whichever.
    var anyMember: NSManagedObject? { isLoaded ? list.first : nil }

    /// The index of a member of an ordered relationship; nil if the object is no member.
    mutating func index(of object: NSManagedObject) -> Int? { isLoaded ? list.index(of: object) : nil }

    /// Whether an object is a member, as far as is known.
    mutating func contains(_ object: NSManagedObject) -> Bool {
        isLoaded ? list.contains(object) : changes.isAdded(object)
    }

    // MARK: Changes

    /// The objects added since the last save; in their order if the relationship is ordered.
    var additions: [NSManagedObject] {
        mutating get {
            guard isOrdered && !changes.added.isEmpty else { return changes.added.objects }
            return list.objects.filter { changes.isAdded($0) }
        }
    }

    /// The members removed since the last save.
    var removals: [NSManagedObject] { changes.removed.objects }

    /// The additions to ordered members that are not loaded, in order: also members that were removed and added again.
    var pendingAdditions: [NSManagedObject] { isLoaded ? [] : list.objects }

    mutating func isAdded(_ object: NSManagedObject) -> Bool { changes.isAdded(object) }
    mutating func isRemoved(_ object: NSManagedObject) -> Bool { changes.isRemoved(object) }

    /// Whether some of the ordered members that are not loaded were removed and added again.
    var hasReaddedMembers: Bool { !isLoaded && list.count > changes.added.count }

    var isChanged: Bool {
        mutating get { !changes.isEmpty || !isLoaded && !list.isEmpty || isReordered }
    }

    private var isReordered: Bool {
        mutating get {
            guard committedOrder != nil else { return false }
            list.compact()
            return committedOrder?.order.isSame(as: list.objects) == false
        }
    }

    /// The members at the last save.
    var committed: [NSManagedObject] {
        mutating get {
            if let committedOrder { return committedOrder.order.order(members) }
            return isOrdered ? members : members.filter { !changes.isAdded($0) } + changes.removed.objects
        }
    }

    /// The members that were added or moved since the last save. All other members have the committed order among
    /// themselves. Nil if the moves are not known.
    var placed: Set<NSManagedObject>? {
        guard let committedOrder else { return Set(changes.added.objects) }
        return changes.added.isEmpty ? committedOrder.moved : committedOrder.moved?.union(changes.added.objects)
    }

    /// The ranges of the members that were added or moved since the last save, in order. These members need a new
    /// position in the store.
    ///
    /// Nil for members that are not loaded, if the moves are not known, or if so many members were moved that the store
    /// should look at all of them.
    var placements: [Range<Int>]? {
        mutating get {
            guard isOrdered, isLoaded, let placed else { return nil }
            let order = members
            guard placed.count * 4 <= order.count else { return nil }
            var indexes = IndexSet()
            if placed.count > 8 {
                for index in order.indices where placed.contains(order[index]) { indexes.insert(index) }
            } else {
                for object in placed {
                    if let index = order.firstIndex(where: { $0 === object }) { indexes.insert(index) }
                }
            }
            return indexes.rangeView.map { $0 }
        }
    }

    // MARK: Transitions of one member

    /// Adds an object.
    ///
    /// - Parameter position: the index in loaded, ordered members; nil for the end.
    mutating func insert(_ object: NSManagedObject, at position: Int? = nil) -> MembershipTransition {
        if !isLoaded {
            guard !changes.isAdded(object) else { return .none }
            changes.add(object)
            if isOrdered { list.append(object) }
            return .recorded
        }
        guard isOrdered else {
            guard list.append(object) else { return .none }
            changes.add(object)
            return .inserted(object, at: nil)
        }
        guard !list.contains(object) else { return .none }
        keepCommittedOrder()
        if !changes.add(object) { committedOrder?.moved?.insert(object) }
        return .inserted(object, at: list.insert(object, at: position))
    }

    /// Removes an object.
    ///
    /// - Parameter findsIndex: whether the transition must have the index of the member. Without it, an order removes
    ///   many members in one pass.
    mutating func remove(_ object: NSManagedObject, findsIndex: Bool = false) -> MembershipTransition {
        if !isLoaded {
            guard !changes.isRemoved(object) else { return .none }
            changes.remove(object)
            list.remove(object)
            return .recorded
        }
        guard isOrdered else {
            guard list.remove(object) else { return .none }
            changes.remove(object)
            return .removed(object, at: nil)
        }
        guard list.contains(object) else { return .none }
        keepCommittedOrder()
        changes.remove(object)
        let index = findsIndex ? list.index(of: object) : nil
        list.remove(object, at: index)
        return .removed(object, at: index)
    }

    /// Reverts the unsaved change of one object.
    mutating func undo(_ object: NSManagedObject) -> MembershipTransition {
        closeCommittedOrder()
        let (wasAdded, wasRemoved) = changes.forget(object)
        committedOrder?.moved = nil
        guard isLoaded else {
            list.remove(object)
            return .recorded
        }
        guard wasAdded || wasRemoved else { return .recorded }
        if wasAdded { list.remove(object) } else { list.append(object) }
        if let committedOrder {
            let committed = committedOrder.order.order(members)
            if committed.count == list.count, committed.allSatisfy({ list.contains($0) }) { list.reorder(committed) }
        }
        return .replaced
    }

    /// Removes an object that the store has no longer. This is no unsaved change.
    mutating func discard(_ object: NSManagedObject) -> MembershipTransition {
        closeCommittedOrder()
        committedOrder?.order.discard(object)
        committedOrder?.moved?.remove(object)
        changes.forget(object)
        list.remove(object)
        // The object may get another key: see commit().
        list.compact()
        return .replaced
    }

    // MARK: Transitions of the order

    /// Moves members of a loaded, ordered relationship, in their order.
    ///
    /// - Parameters:
    ///   - indexes: the indexes of the members.
    ///   - target: the index of the first moved member after the move.
    mutating func move(_ indexes: IndexSet, to target: Int) -> MembershipTransition {
        guard canMove(indexes, to: target) else { return .none }
        if let index = indexes.first, indexes.count == 1 {
            if committedOrder == nil { committedOrder = CommittedOrder(order: FormerOrder(), moved: []) }
            list.compact()
            committedOrder?.order.willMove(index, to: target, in: list.objects)
        } else {
            keepCommittedOrder()
        }
        let objects = list.move(indexes, to: target)
        committedOrder?.moved?.formUnion(objects)
        return .moved(objects, from: indexes, to: target)
    }

    /// Whether members can be moved: they are loaded, and the indexes are theirs.
    func canMove(_ indexes: IndexSet, to target: Int) -> Bool {
        guard isOrdered, isLoaded, let last = indexes.last else { return false }
        return last < list.count && target >= 0 && target <= list.count - indexes.count
    }

    /// Gives loaded, ordered members another order.
    mutating func reorder(_ objects: [NSManagedObject]) -> MembershipTransition {
        guard isOrdered && isLoaded else { return .none }
        keepCommittedOrder()
        committedOrder?.moved = nil
        list.reorder(objects)
        return .replaced
    }

    /// Moves members to the end of the order, in the given order.
    mutating func moveToEnd(_ objects: [NSManagedObject]) -> MembershipTransition {
        let moved = Set(objects)
        let former = list.objects
        let order = former.filter { !moved.contains($0) } + objects.filter { contains($0) }
        guard order != former else { return .none }
        guard isLoaded else {
            list = MemberList(order, isOrdered: true)
            return .recorded
        }
        return reorder(order)
    }

    /// Records the present order as the committed order, unless the committed order is known. Called before the order
    /// changes.
    private mutating func keepCommittedOrder() {
        guard isOrdered && isLoaded else { return }
        if committedOrder == nil { committedOrder = CommittedOrder(order: FormerOrder(), moved: []) }
        closeCommittedOrder()
    }

    /// Makes the committed order independent of the present one.
    private mutating func closeCommittedOrder() {
        guard committedOrder?.order.needsPresentOrder == true else { return }
        list.compact()
        committedOrder?.order.keep(list.objects)
    }

    // MARK: Transitions of all members

    /// Removes all members.
    mutating func removeAll() -> MembershipTransition {
        guard count > 0 else { return .none }
        keepCommittedOrder()
        changes.remove(all: list.objects)
        list = MemberList(isOrdered: isOrdered)
        return .replaced
    }

    /// Applies the changes to the members that the store has.
    mutating func load(_ stored: [NSManagedObject]) -> MembershipTransition {
        load(MemberList.unique(stored), last: isLoaded ? additions : list.objects)
    }

    /// - Parameter last: the objects that come last in an order.
    private mutating func load(_ stored: [NSManagedObject], last: [NSManagedObject]) -> MembershipTransition {
        isLoaded = true
        list = MemberList(stored, isOrdered: isOrdered)
        committedOrder = nil
        if changes.isEmpty && last.isEmpty { return .replaced }
        // Changes that were recorded without the stored members may repeat them.
        changes.rebase(onto: &list)
        guard isOrdered else {
            list = MemberList(stored.filter { !changes.isRemoved($0) } + changes.added.objects, isOrdered: false)
            return .replaced
        }
        let end = last.filter { list.contains($0) || changes.isAdded($0) }
        let atEnd = Set(end)
        list = MemberList(stored.filter { !changes.isRemoved($0) && !atEnd.contains($0) } + end, isOrdered: true)
        committedOrder = CommittedOrder(order: FormerOrder(stored), moved: nil)
        if !isReordered { committedOrder = nil }
        return .replaced
    }

    /// The present members are the committed ones.
    mutating func commit() -> MembershipTransition {
        changes = MembershipChanges()
        committedOrder = nil
        if isLoaded {
            // A removed member may get another key: an object that is inserted once more after its deletion was saved.
            list.compact()
        } else {
            list = MemberList(isOrdered: isOrdered)
        }
        return .recorded
    }

    /// Reverts the changes since the last save.
    mutating func rollback() -> MembershipTransition {
        if isLoaded && !changes.isEmpty || committedOrder != nil {
            list = MemberList(committed, isOrdered: isOrdered)
        }
        _ = commit()
        return .replaced
    }

    /// Applies the unsaved changes to other members that the store has now.
    mutating func rebase(onto stored: [NSManagedObject], policy: NSManagedObject.RebasePolicy) -> MembershipTransition {
        guard isLoaded else { return load(stored) }
        let stored = MemberList.unique(stored)
        if policy == .everything {
            var earlier = MemberList(stored, isOrdered: isOrdered)
            changes = MembershipChanges(from: &earlier, to: &list)
            if isOrdered { committedOrder = CommittedOrder(order: FormerOrder(stored), moved: nil) }
            return .recorded
        }
        guard committedOrder != nil else { return load(stored) }
        // The stored order is the committed one: there is nothing to merge.
        if committed.elementsEqual(stored, by: ===) { return .none }
        let ownOrder = members
        _ = load(stored)
        guard policy != .changes else { return .replaced }
        // Members that only the store has come last.
        let known = Set(ownOrder)
        let kept = ownOrder.filter { list.contains($0) }
        list.reorder(kept + list.objects.filter { !known.contains($0) })
        committedOrder = CommittedOrder(order: FormerOrder(stored), moved: nil)
        return .replaced
    }

    /// Removes all members but the additions: the owner was deleted in the store and is inserted again.
    mutating func discardCommittedMembers() -> MembershipTransition {
        list = MemberList(additions, isOrdered: isOrdered)
        changes.forgetRemovals()
        committedOrder = nil
        isLoaded = true
        return .replaced
    }
}
