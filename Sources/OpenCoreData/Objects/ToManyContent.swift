/// The contents of a to-many relationship of one object.
///
/// While the contents are not loaded, only the changes since the last save are known; loading applies them to the
/// members that the store has. Such a change comes from the inverse, which knows whether the object was a member. So an
/// object that is added and removed again, or removed and added again, is no change, and a save writes nothing for it.
/// Used on the context's queue.
final class ToManyContent {
    let isOrdered: Bool
    private(set) var isLoaded: Bool
    /// Whether the members were read while the owner had no row. The row that it gets later may be newer than they are.
    var wereReadWithoutRow = false
    /// The members of loaded contents. The set is made when it is first used: to count and show the members, their list
    /// is enough.
    private(set) var members: Set<NSManagedObject> {
        get {
            makeSet()
            return memberSet
        }
        _modify {
            makeSet()
            yield &memberSet
        }
        set {
            unhashedMembers = nil
            memberSet = newValue
        }
    }
    private var memberSet: Set<NSManagedObject> = []
    /// The members, while `memberSet` is not made.
    private var unhashedMembers: [NSManagedObject]?
    private var memberOrder = MemberOrder()
    /// For changes of the order other than the move of one member.
    private var list: MemberOrder {
        get { memberOrder }
        _modify {
            endFollowedRecord()
            yield &memberOrder
        }
        set {
            endFollowedRecord()
            memberOrder = newValue
        }
    }
    /// The record that follows the order.
    private var followedRecord: OrderRecord?
    /// The changes since the last save.
    private(set) var added: Set<NSManagedObject> = []
    private(set) var removed: Set<NSManagedObject> {
        get {
            makeSetOfRemovals()
            return removals
        }
        _modify {
            makeSetOfRemovals()
            yield &removals
        }
    }
    private var removals: Set<NSManagedObject> = []
    /// The removed objects, while `removals` is not made: all members, removed at once.
    private var unhashedRemovals: [NSManagedObject]?
    /// The additions to ordered contents that are not loaded, in order: also objects that were removed and added again.
    private(set) var pendingAdditions: [NSManagedObject] = []
    /// The order before the first change since the last save.
    private(set) var committedOrder: [NSManagedObject]? {
        get { committedRecord?.order }
        set { committedRecord = newValue.map { OrderRecord($0) } }
    }
    private var committedRecord: OrderRecord?
    /// The mutable ordered set that shows the contents, if a program uses one.
    weak var view: RelationshipMutableOrderedSet?
    /// The members of ordered contents that were moved since the last save: the other ones have the committed order
    /// among themselves. Nil if this is not known.
    private(set) var moved: Set<NSManagedObject>? = []
    private var shown = ShownMembers()
    private var typedMembers: TypedMembers?

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
    }

    deinit { endFollowedRecord() }

    /// The members of an ordered relationship, in order.
    var order: [NSManagedObject] { memberOrder.objects }

    /// The index of a member of an ordered relationship, nil if the object is none.
    func index(of object: NSManagedObject) -> Int? { memberOrder.index(of: object) }

    /// A record of the present order of loaded, ordered contents. Call it before they are changed.
    func orderRecord() -> OrderRecord {
        if let followedRecord, followedRecord.isPresentOrder(of: self) { return followedRecord }
        endFollowedRecord()
        let new = OrderRecord(following: self)
        followedRecord = new
        return new
    }

    private func endFollowedRecord() {
        // A record without another reference is not needed any more.
        if followedRecord != nil && !isKnownUniquelyReferenced(&followedRecord) {
            followedRecord?.endFollowing(memberOrder.objects)
        }
        followedRecord = nil
    }

    private var hasRemovals: Bool { unhashedRemovals != nil || !removals.isEmpty }

    private func makeSetOfRemovals() {
        guard let list = unhashedRemovals else { return }
        unhashedRemovals = nil
        removals = Set(list)
    }

    var isChanged: Bool { !added.isEmpty || hasRemovals || !pendingAdditions.isEmpty || isReordered }
    var count: Int { unhashedMembers?.count ?? memberSet.count }

    /// Whether ordered contents that are not loaded have members that were removed and added again.
    var hasReaddedMembers: Bool { !isLoaded && pendingAdditions.contains { !added.contains($0) } }

    private var isReordered: Bool {
        guard let committedRecord else { return false }
        return !committedRecord.isSame(as: self)
    }

    func load(_ stored: [NSManagedObject]) {
        isLoaded = true
        defer { membersDidChange() }
        if added.isEmpty && !hasRemovals && pendingAdditions.isEmpty {
            memberSet = []
            unhashedMembers = stored
            if isOrdered { list = MemberOrder(stored) }
            return
        }
        members = Set(stored)
        // Changes that were recorded without the stored members may repeat them.
        added.subtract(members)
        removed.formIntersection(members)
        members.subtract(removed)
        members.formUnion(added)
        if isOrdered {
            // Pending additions come last, also those that were removed before.
            let last = pendingAdditions.filter(members.contains)
            let moved = Set(last)
            list = MemberOrder(stored.filter { !removed.contains($0) && !moved.contains($0) } + last)
            committedOrder = stored
            self.moved = nil
            if !isReordered {
                committedOrder = nil
                self.moved = []
            }
        }
        pendingAdditions = []
    }

    /// The members, in an order that says nothing. Makes no set.
    var listedMembers: [NSManagedObject] { unhashedMembers ?? Array(memberSet) }

    /// The objects added since the last save; of an ordered relationship in their order.
    var additions: [NSManagedObject] {
        guard isOrdered else { return Array(added) }
        return (isLoaded ? order : pendingAdditions).filter(added.contains)
    }

    func contains(_ object: NSManagedObject) -> Bool {
        isLoaded ? members.contains(object) : added.contains(object)
    }

    /// Adds an object.
    ///
    /// - Parameter position: the index in ordered contents; nil for the end.
    /// - Returns: false if the object is a member already.
    @discardableResult
    func insert(_ object: NSManagedObject, at position: Int? = nil) -> Bool {
        if isLoaded {
            guard members.insert(object).inserted else { return false }
            let isNew = removed.remove(object) == nil
            if isNew { added.insert(object) }
            var index: Int?
            if isOrdered {
                recordOrder()
                if !isNew { moved?.insert(object) }
                let position = list.insert(object, at: position)
                view?.memberWasInserted(object, at: position)
                index = position
            }
            shown.insert(object, at: index)
            if typedMembers?.insert(object) == false { typedMembers = nil }
        } else {
            // The inverse knows whether the object was a member: an addition after a removal is no change.
            guard !added.contains(object) else { return false }
            if removed.remove(object) == nil { added.insert(object) }
            if isOrdered { pendingAdditions.append(object) }
        }
        return true
    }

    /// Removes an object.
    ///
    /// - Returns: false if the object is no member.
    @discardableResult
    func remove(_ object: NSManagedObject) -> Bool {
        if isLoaded {
            guard members.remove(object) != nil else { return false }
            if added.remove(object) == nil { removed.insert(object) }
            var index: Int?
            if isOrdered {
                recordOrder()
                // Without a reader of the index the list removes many members in one pass.
                if shown.needsIndices || view?.followsChanges == true { index = memberOrder.index(of: object) }
                list.remove(object, at: index)
                if let index { view?.memberWasRemoved(at: index) }
            }
            shown.remove(object, at: index)
            typedMembers?.remove(object)
        } else {
            guard !removed.contains(object) else { return false }
            if added.remove(object) == nil { removed.insert(object) }
            if isOrdered, let index = pendingAdditions.lastIndex(where: { $0 === object }) {
                pendingAdditions.remove(at: index)
            }
        }
        return true
    }

    /// Removes all members.
    func removeAll() {
        guard count > 0 else { return }
        recordOrder()
        if added.isEmpty && !hasRemovals {
            unhashedRemovals = listedMembers
        } else {
            removed.formUnion(members.subtracting(added))
        }
        added = []
        members = []
        list = MemberOrder()
        membersDidChange()
    }

    /// Gives loaded, ordered contents another order of the same members.
    func reorder(_ newOrder: [NSManagedObject]) {
        recordOrder()
        moved = nil
        list = MemberOrder(newOrder)
        membersDidChange()
    }

    /// Moves members of loaded, ordered contents, in their order.
    ///
    /// - Parameters:
    ///   - indexes: the indexes of the members.
    ///   - target: the index of the first of them after the move.
    func move(_ indexes: IndexSet, to target: Int) {
        recordOrder()
        let objects: [NSManagedObject]
        if let index = indexes.first, indexes.count == 1, let followedRecord {
            followedRecord.willMove(index, to: target)
            objects = memberOrder.move(indexes, to: target)
        } else {
            objects = list.move(indexes, to: target)
        }
        moved?.formUnion(objects)
        for index in indexes.reversed() { shown.remove(objects[indexes.count(in: 0..<index)], at: index) }
        for (offset, object) in objects.enumerated() { shown.insert(object, at: target + offset) }
    }

    /// Exchanges two members of loaded, ordered contents.
    func exchange(_ index: Int, _ other: Int) {
        guard index != other else { return }
        let (first, last) = (min(index, other), max(index, other))
        move([first], to: last)
        if last - first > 1 { move([last - 1], to: first) }
    }

    /// Moves members to the end, in the given order.
    func moveToEnd(_ objects: [NSManagedObject]) {
        let moved = Set(objects)
        if isLoaded {
            let newOrder = order.filter { !moved.contains($0) } + objects.filter(members.contains)
            if newOrder != order { reorder(newOrder) }
        } else {
            pendingAdditions = pendingAdditions.filter { !moved.contains($0) } + objects.filter(added.contains)
        }
    }

    /// The members of the committed snapshot.
    var committed: [NSManagedObject] {
        if let committedOrder { return committedOrder }
        if isOrdered { return order }
        return Array(members.subtracting(added).union(removed))
    }

    /// Makes the present members the committed ones.
    func commit() {
        added.removeAll()
        unhashedRemovals = nil
        removals.removeAll()
        pendingAdditions = []
        committedOrder = nil
        moved = []
    }

    /// Undoes the changes since the last save.
    func rollback() {
        if isOrdered, let committedOrder { list = MemberOrder(committedOrder) }
        members.subtract(added)
        members.formUnion(removed)
        if !isLoaded { members = [] }
        commit()
        membersDidChange()
    }

    /// Applies the unsaved changes to other members that the store has now.
    func rebase(onto stored: [NSManagedObject], policy: NSManagedObject.RebasePolicy) {
        if isLoaded && policy == .everything {
            added = members.subtracting(stored)
            unhashedRemovals = nil
            removals = Set(stored).subtracting(members)
            if isOrdered {
                committedOrder = stored
                moved = nil
            }
            return
        }
        // The stored order is the committed one: there is nothing to merge.
        if isLoaded, let committedOrder, committedOrder.elementsEqual(stored, by: ===) { return }
        let ownOrder = isOrdered && isLoaded && policy != .changes && committedOrder != nil ? order : nil
        if isLoaded { pendingAdditions = isOrdered ? additions : [] }
        members = []
        list = MemberOrder()
        committedOrder = nil
        moved = []
        load(stored)
        guard let ownOrder else { return }
        // Members that only the store has come last.
        let known = Set(ownOrder)
        list = MemberOrder(ownOrder.filter(members.contains) + order.filter { !known.contains($0) })
        committedOrder = stored
        moved = nil
        membersDidChange()
    }

    /// Reverts the unsaved change of one object.
    func undo(_ object: NSManagedObject) {
        let wasAdded = added.remove(object) != nil
        let wasRemoved = removed.remove(object) != nil
        pendingAdditions.removeAll { $0 === object }
        moved = nil
        guard isLoaded, wasAdded || wasRemoved else { return }
        if wasAdded {
            members.remove(object)
            if isOrdered { list.remove(object) }
        } else {
            members.insert(object)
            if isOrdered { list.insert(object, at: nil) }
        }
        if isOrdered, let committedOrder, committedOrder.count == members.count, members.isSuperset(of: committedOrder)
        {
            list = MemberOrder(committedOrder)
        }
        membersDidChange()
    }

    /// Removes an object that the store doesn't have any more; this is no unsaved change.
    func discard(_ object: NSManagedObject) {
        let wasMember = members.remove(object) != nil
        added.remove(object)
        removed.remove(object)
        moved?.remove(object)
        if isOrdered {
            if wasMember { list.remove(object) }
            pendingAdditions.removeAll { $0 === object }
            committedOrder?.removeAll { $0 === object }
        }
        membersDidChange()
    }

    /// Removes all members but the additions: the owner was deleted in the store and is inserted again.
    func discardCommittedMembers() {
        let additions = additions
        members = added
        list = MemberOrder(isOrdered ? additions : [])
        removed = []
        pendingAdditions = []
        committedOrder = nil
        moved = []
        isLoaded = true
        membersDidChange()
    }

    /// The members as a program gets them: a set that stays as it is when the members change.
    var set: NSSet { shown.set { listedMembers } }
    /// The members as a program gets them, in order.
    var orderedSet: NSOrderedSet { shown.orderedSet(of: order) }

    /// The members in order, in a new set of Foundation's class.
    func mutableOrderedSet() -> NSMutableOrderedSet { shown.mutableOrderedSet(of: order) }

    /// The members as objects of a class; nil if one of them has another class.
    func members<Object: NSManagedObject>(as type: Object.Type) -> Set<Object>? {
        if let typedMembers = typedMembers as? TypedMembers.Of<Object> { return typedMembers.objects }
        guard let unhashedMembers, Object.self != NSManagedObject.self else {
            guard let members = members as? Set<Object> else { return nil }
            typedMembers = TypedMembers.Of(members)
            return members
        }
        var members = Set<Object>(minimumCapacity: unhashedMembers.count)
        for member in unhashedMembers {
            guard let member = member as? Object else { return nil }
            members.insert(member)
        }
        typedMembers = TypedMembers.Of(members)
        return members
    }

    /// The violated invariants; for tests, on the context's queue.
    ///
    /// - No object is both added and removed.
    /// - Loaded contents: additions are members, removed objects are not; the order of ordered contents has each member
    ///   once; there are no pending additions.
    /// - Contents that are not loaded have no members and no order; pending additions are unique, and not removed.
    /// - The sets for programs and the set for typed accessors have the same members.
    /// - Members of loaded, ordered contents that don't count as moved have the committed order among themselves.
    func checkInvariants() -> [String] {
        var violations: [String] = []
        func check(_ isSatisfied: Bool, _ invariant: String) { if !isSatisfied { violations.append(invariant) } }
        check(added.isDisjoint(with: removed), "an object is both added and removed")
        check(Set(pendingAdditions).count == pendingAdditions.count, "an object is a pending addition twice")
        check(removed.isDisjoint(with: pendingAdditions), "a pending addition is removed")
        if isLoaded {
            check(added.isSubset(of: members), "an addition is no member")
            check(removed.isDisjoint(with: members), "a removed object is a member")
            check(pendingAdditions.isEmpty, "loaded contents have pending additions")
            if isOrdered {
                let order = order
                check(order.count == members.count && Set(order) == members, "the order doesn't have the members")
            }
        } else {
            check(members.isEmpty && order.isEmpty, "contents that are not loaded have members")
            check(isOrdered || pendingAdditions.isEmpty, "contents without order have pending additions")
            check(!isOrdered || added.isSubset(of: pendingAdditions), "an ordered addition is not pending")
        }
        check(shown.hasMembers(members, order: order), "a set that a program gets has other members or another order")
        check(isLoaded && isOrdered ? placementsAreComplete : true, "a member was moved and counts as unmoved")
        if let typedMembers {
            check(typedMembers.hasMembers(members), "the set for typed accessors has other members")
        }
        if let view {
            check(!isLoaded || view.showsMembers(order), "the mutable ordered set shows other members")
        }
        return violations
    }

    private func makeSet() {
        guard let unhashedMembers else { return }
        memberSet = Set(unhashedMembers)
        self.unhashedMembers = nil
    }

    private func recordOrder() {
        if isOrdered && isLoaded && committedRecord == nil { committedRecord = orderRecord() }
    }

    /// Updates what depends on the members, after a change of more than one of them.
    private func membersDidChange() {
        shown.discard()
        typedMembers = nil
        if isOrdered, let view { view.reload(order) }
    }
}
