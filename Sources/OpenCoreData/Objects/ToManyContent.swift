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
    /// The order before the first change since the last save.
    private(set) var committedOrder: [NSManagedObject]?
    private var cachedSet: NSSet?
    private var cachedOrderedSet: NSOrderedSet?

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
    }

    var isChanged: Bool { !added.isEmpty || !removed.isEmpty || committedOrder.map { $0 != order } ?? false }
    var count: Int { members.count }

    func load(_ stored: [NSManagedObject]) {
        isLoaded = true
        members = Set(stored)
        members.subtract(removed)
        members.formUnion(added)
        if isOrdered {
            order = stored.filter { !removed.contains($0) }
            let known = Set(order)
            // Objects added while the content was not loaded come last, in the order of their creation.
            order += added.filter { !known.contains($0) }.sorted { $0.primaryKey.magnitude < $1.primaryKey.magnitude }
            if !added.isEmpty || !removed.isEmpty { committedOrder = stored }
        }
        forgetCaches()
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
        } else if added.contains(object) {
            return false
        }
        if removed.remove(object) == nil { added.insert(object) }
        forgetCaches()
        return true
    }

    @discardableResult
    func remove(_ object: NSManagedObject) -> Bool {
        noteOrder()
        if isLoaded {
            guard members.remove(object) != nil else { return false }
            if isOrdered, let index = order.firstIndex(of: object) { order.remove(at: index) }
        } else if removed.contains(object) {
            return false
        }
        if added.remove(object) == nil { removed.insert(object) }
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

    private func noteOrder() {
        if isOrdered && isLoaded && committedOrder == nil { committedOrder = order }
    }

    private func forgetCaches() {
        cachedSet = nil
        cachedOrderedSet = nil
    }
}
