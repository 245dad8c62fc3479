/// The content of a to-many relationship of one object.
///
/// While it isn't loaded, only the changes since the last save are known; loading applies them to what the store has.
/// Belongs to the context's queue.
final class ToManyContent {
    let isOrdered: Bool
    private(set) var isLoaded: Bool
    private(set) var members: Set<NSManagedObject> = []
    /// The members in order, for ordered relationships.
    private(set) var order: [NSManagedObject] = []
    /// Changes since the last save.
    private(set) var added: Set<NSManagedObject> = []
    private(set) var removed: Set<NSManagedObject> = []
    /// What was added to ordered content that is not loaded, in order.
    private var arrivals: [NSManagedObject] = []
    /// The order before the first change since the last save.
    private(set) var committedOrder: [NSManagedObject]?
    /// The living mutable view of ordered content.
    weak var view: RelationshipMutableOrderedSet?
    private var cachedSet: NSSet?
    private var cachedOrderedSet: NSOrderedSet?
    /// A box with the members as a set of their class.
    private var cachedMembers: AnyObject?

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
    }

    var isChanged: Bool { !added.isEmpty || !removed.isEmpty || committedOrder.map { $0 != order } ?? false }
    var count: Int { members.count }

    func load(_ stored: [NSManagedObject]) {
        isLoaded = true
        members = Set(stored)
        // What was noted blindly may be what the store has already.
        added.subtract(members)
        removed.formIntersection(members)
        members.subtract(removed)
        members.formUnion(added)
        if isOrdered {
            // Objects that came while the content was not loaded come last, those too that had left before.
            let late = arrivals.filter(members.contains)
            order = stored.filter { !removed.contains($0) && !late.contains($0) } + late
            if order != stored { committedOrder = stored }
        }
        arrivals = []
        forgetCaches()
    }

    /// The objects added since the last save, in the order in which they came if the relationship is ordered.
    var additions: [NSManagedObject] {
        guard isOrdered else { return Array(added) }
        return (isLoaded ? order : arrivals).filter(added.contains)
    }

    func contains(_ object: NSManagedObject) -> Bool {
        isLoaded ? members.contains(object) : added.contains(object)
    }

    /// Adds an object; the position counts for ordered content only.
    @discardableResult
    func insert(_ object: NSManagedObject, at position: Int? = nil) -> Bool {
        noteOrder()
        if isLoaded {
            guard members.insert(object).inserted else { return false }
            if isOrdered { order.insert(object, at: min(position ?? order.count, order.count)) }
            if removed.remove(object) == nil { added.insert(object) }
        } else {
            // Whether the store has the object already isn't known: both changes are noted, and loading sorts them out.
            guard added.insert(object).inserted else { return false }
            removed.remove(object)
            if isOrdered { arrivals.append(object) }
        }
        forgetCaches()
        return true
    }

    @discardableResult
    func remove(_ object: NSManagedObject) -> Bool {
        noteOrder()
        if isLoaded {
            guard members.remove(object) != nil else { return false }
            if isOrdered, let index = order.firstIndex(of: object) { order.remove(at: index) }
            if added.remove(object) == nil { removed.insert(object) }
        } else {
            guard removed.insert(object).inserted else { return false }
            added.remove(object)
            if isOrdered { arrivals.removeAll { $0 === object } }
        }
        forgetCaches()
        return true
    }

    /// Gives loaded, ordered content another order of the same members.
    func reorder(_ newOrder: [NSManagedObject]) {
        noteOrder()
        order = newOrder
        forgetCaches()
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
        arrivals = []
        committedOrder = nil
    }

    /// Undoes the changes since the last save.
    func rollback() {
        if isOrdered, let committedOrder { order = committedOrder }
        members.subtract(added)
        members.formUnion(removed)
        if !isLoaded { members = [] }
        commit()
        forgetCaches()
    }

    /// The store's content is another one now: the changes are applied to it anew.
    func rebase(onto stored: [NSManagedObject], keeping: NSManagedObject.Keeping) {
        if isLoaded && keeping == .everything {
            added = members.subtracting(stored)
            removed = Set(stored).subtracting(members)
            if isOrdered { committedOrder = stored }
            return
        }
        let ownOrder = isOrdered && isLoaded && keeping != .changes && committedOrder != nil ? order : nil
        arrivals = isOrdered ? additions : []
        members = []
        order = []
        committedOrder = nil
        load(stored)
        guard let ownOrder else { return }
        // What the store has in addition comes last.
        let known = Set(ownOrder)
        order = ownOrder.filter(members.contains) + order.filter { !known.contains($0) }
        committedOrder = stored
        forgetCaches()
    }

    /// Takes back what was done with one object.
    func undo(_ object: NSManagedObject) {
        let wasAdded = added.remove(object) != nil, wasRemoved = removed.remove(object) != nil
        arrivals.removeAll { $0 === object }
        guard isLoaded, wasAdded || wasRemoved else { return forgetCaches() }
        if wasAdded {
            members.remove(object)
            order.removeAll { $0 === object }
        } else {
            members.insert(object)
            if isOrdered { order.append(object) }
        }
        if isOrdered, let committedOrder, Set(committedOrder) == members { order = committedOrder }
        forgetCaches()
    }

    /// Loses an object that is gone from the store: that is no change.
    func forget(_ object: NSManagedObject) {
        members.remove(object)
        added.remove(object)
        removed.remove(object)
        if isOrdered {
            order.removeAll { $0 === object }
            arrivals.removeAll { $0 === object }
            committedOrder?.removeAll { $0 === object }
        }
        forgetCaches()
    }

    /// The owner is gone from the store and is inserted again: only what was added is left.
    func beginAnew() {
        let additions = additions
        members = added
        order = isOrdered ? additions : []
        removed = []
        arrivals = []
        committedOrder = nil
        isLoaded = true
        forgetCaches()
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
        if let cachedMembers = cachedMembers as? Box<Set<Object>> { return cachedMembers.value }
        guard let members = members as? Set<Object> else { return nil }
        cachedMembers = Box(members)
        return members
    }

    private func noteOrder() {
        if isOrdered && isLoaded && committedOrder == nil { committedOrder = order }
    }

    private func forgetCaches() {
        cachedSet = nil
        cachedOrderedSet = nil
        cachedMembers = nil
        if isOrdered, let view { view.follow(order) }
    }
}
