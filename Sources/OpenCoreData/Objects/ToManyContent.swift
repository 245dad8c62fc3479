/// The content of a to-many relationship of one object.
///
/// While it isn't loaded, only the changes since the last save are known; loading applies them to what the store has.
/// Such a change is made by the other side, which knows whether the link was there before: so what was added and
/// removed again, or the other way round, is no change, and writes nothing. Belongs to the context's queue.
final class ToManyContent {
    let isOrdered: Bool
    private(set) var isLoaded: Bool
    private(set) var members: Set<NSManagedObject> = []
    private var list = MemberOrder()
    /// Changes since the last save.
    private(set) var added: Set<NSManagedObject> = []
    private(set) var removed: Set<NSManagedObject> = []
    /// What came to ordered content that is not loaded, in order: what was added, and what was removed and added again.
    private(set) var pendingAdditions: [NSManagedObject] = []
    /// The order before the first change since the last save.
    private(set) var committedOrder: [NSManagedObject]?
    /// The living mutable view of ordered content.
    weak var view: RelationshipMutableOrderedSet?
    private var cachedSet: NSSet?
    private var cachedOrderedSet: NSOrderedSet?
    private var typedMembers: TypedMembers?

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
    }

    /// The members in order, for ordered relationships.
    var order: [NSManagedObject] { list.objects }

    var isChanged: Bool { !added.isEmpty || !removed.isEmpty || !pendingAdditions.isEmpty || isReordered }
    var count: Int { members.count }

    /// Whether ordered content that isn't loaded has members that left and came back.
    var hasReturned: Bool { !isLoaded && pendingAdditions.contains { !added.contains($0) } }

    private var isReordered: Bool {
        guard let committedOrder else { return false }
        let order = order
        return order.count != committedOrder.count || !order.elementsEqual(committedOrder, by: ===)
    }

    func load(_ stored: [NSManagedObject]) {
        isLoaded = true
        members = Set(stored)
        defer { followAnew() }
        if added.isEmpty && removed.isEmpty && pendingAdditions.isEmpty {
            if isOrdered { list = MemberOrder(stored) }
            return
        }
        // What was noted blindly may be what the store has already.
        added.subtract(members)
        removed.formIntersection(members)
        members.subtract(removed)
        members.formUnion(added)
        if isOrdered {
            // Objects that came while the content was not loaded come last, those too that had left before.
            let late = pendingAdditions.filter(members.contains)
            let coming = Set(late)
            list = MemberOrder(stored.filter { !removed.contains($0) && !coming.contains($0) } + late)
            committedOrder = stored
            if !isReordered { committedOrder = nil }
        }
        pendingAdditions = []
    }

    /// The objects added since the last save, in the order in which they came if the relationship is ordered.
    var additions: [NSManagedObject] {
        guard isOrdered else { return Array(added) }
        return (isLoaded ? order : pendingAdditions).filter(added.contains)
    }

    func contains(_ object: NSManagedObject) -> Bool {
        isLoaded ? members.contains(object) : added.contains(object)
    }

    /// Adds an object; the position counts for ordered content only.
    @discardableResult
    func insert(_ object: NSManagedObject, at position: Int? = nil) -> Bool {
        if isLoaded {
            guard members.insert(object).inserted else { return false }
            if removed.remove(object) == nil { added.insert(object) }
            if isOrdered {
                recordOrder()
                let place = list.insert(object, at: position)
                view?.followInsertion(of: object, at: place)
            }
            if typedMembers?.insert(object) == false { typedMembers = nil }
        } else {
            // The other side, which makes the change, knows whether the link was there: coming and going again is no
            // change.
            guard !added.contains(object) else { return false }
            if removed.remove(object) == nil { added.insert(object) }
            if isOrdered { pendingAdditions.append(object) }
        }
        forgetSets()
        return true
    }

    @discardableResult
    func remove(_ object: NSManagedObject) -> Bool {
        if isLoaded {
            guard members.remove(object) != nil else { return false }
            if added.remove(object) == nil { removed.insert(object) }
            if isOrdered {
                recordOrder()
                list.remove(object)
                view?.followRemoval(of: object)
            }
            typedMembers?.remove(object)
        } else {
            guard !removed.contains(object) else { return false }
            if added.remove(object) == nil { removed.insert(object) }
            if isOrdered, let index = pendingAdditions.lastIndex(where: { $0 === object }) {
                pendingAdditions.remove(at: index)
            }
        }
        forgetSets()
        return true
    }

    /// Loses all members.
    func removeAll() {
        guard !members.isEmpty else { return }
        recordOrder()
        removed.formUnion(members.subtracting(added))
        added = []
        members = []
        list = MemberOrder()
        followAnew()
    }

    /// Gives loaded, ordered content another order of the same members.
    func reorder(_ newOrder: [NSManagedObject]) {
        recordOrder()
        list = MemberOrder(newOrder)
        followAnew()
    }

    /// Gives members the last places, in an order of their own; the others keep theirs.
    func placeLast(_ objects: [NSManagedObject]) {
        let late = Set(objects)
        if isLoaded {
            let placed = order.filter { !late.contains($0) } + objects.filter(members.contains)
            if placed != order { reorder(placed) }
        } else {
            pendingAdditions = pendingAdditions.filter { !late.contains($0) } + objects.filter(added.contains)
            forgetSets()
        }
    }

    /// The content as the store has it.
    var committed: [NSManagedObject] {
        if let committedOrder { return committedOrder }
        if isOrdered { return order }
        return Array(members.subtracting(added).union(removed))
    }

    /// What is here now is what the store has.
    func commit() {
        added.removeAll()
        removed.removeAll()
        pendingAdditions = []
        committedOrder = nil
    }

    /// Undoes the changes since the last save.
    func rollback() {
        if isOrdered, let committedOrder { list = MemberOrder(committedOrder) }
        members.subtract(added)
        members.formUnion(removed)
        if !isLoaded { members = [] }
        commit()
        followAnew()
    }

    /// The store's content is another one now: the changes are applied to it anew.
    func rebase(onto stored: [NSManagedObject], keeping: NSManagedObject.Keeping) {
        if isLoaded && keeping == .everything {
            added = members.subtracting(stored)
            removed = Set(stored).subtracting(members)
            if isOrdered { committedOrder = stored }
            return
        }
        // Nobody else has changed the content: there is nothing to decide.
        if isLoaded, let committedOrder, committedOrder.elementsEqual(stored, by: ===) { return }
        let ownOrder = isOrdered && isLoaded && keeping != .changes && committedOrder != nil ? order : nil
        if isLoaded { pendingAdditions = isOrdered ? additions : [] }
        members = []
        list = MemberOrder()
        committedOrder = nil
        load(stored)
        guard let ownOrder else { return }
        // What the store has in addition comes last.
        let known = Set(ownOrder)
        list = MemberOrder(ownOrder.filter(members.contains) + order.filter { !known.contains($0) })
        committedOrder = stored
        followAnew()
    }

    /// Takes back what was done with one object.
    func undo(_ object: NSManagedObject) {
        let wasAdded = added.remove(object) != nil
        let wasRemoved = removed.remove(object) != nil
        pendingAdditions.removeAll { $0 === object }
        guard isLoaded, wasAdded || wasRemoved else { return forgetSets() }
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
        followAnew()
    }

    /// Loses an object that is gone from the store: that is no change.
    func forget(_ object: NSManagedObject) {
        let wasMember = members.remove(object) != nil
        added.remove(object)
        removed.remove(object)
        if isOrdered {
            if wasMember { list.remove(object) }
            pendingAdditions.removeAll { $0 === object }
            committedOrder?.removeAll { $0 === object }
        }
        followAnew()
    }

    /// The owner is gone from the store and is inserted again: only what was added is left.
    func beginAnew() {
        let additions = additions
        members = added
        list = MemberOrder(isOrdered ? additions : [])
        removed = []
        pendingAdditions = []
        committedOrder = nil
        isLoaded = true
        followAnew()
    }

    var set: NSSet {
        if let cachedSet { return cachedSet }
        let set = NSSet(array: Array(members))
        cachedSet = set
        return set
    }

    var orderedSet: NSOrderedSet {
        if let cachedOrderedSet { return cachedOrderedSet }
        let set = NSOrderedSet(array: order)
        cachedOrderedSet = set
        return set
    }

    /// The members as objects of their class; nil if one of them is none.
    func members<Object: NSManagedObject>(as type: Object.Type) -> Set<Object>? {
        if let typedMembers = typedMembers as? TypedMembers.Of<Object> { return typedMembers.objects }
        guard let members = members as? Set<Object> else { return nil }
        typedMembers = TypedMembers.Of(members)
        return members
    }

    private func recordOrder() {
        if isOrdered && isLoaded && committedOrder == nil { committedOrder = order }
    }

    private func forgetSets() {
        cachedSet = nil
        cachedOrderedSet = nil
    }

    /// More has changed than one member.
    private func followAnew() {
        forgetSets()
        typedMembers = nil
        if isOrdered, let view { view.follow(order) }
    }
}
