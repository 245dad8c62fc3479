// SPDX-License-Identifier: Apache-2.0

/// Members of a to-many relationship: a list, with a hash that is made when a look-up in a long list needs it.
///
/// To read and count members, the list is enough. Without an order the hash takes the place of the list. With an order,
/// removed members stay in the list until it is read; then all of them leave it in one pass.
struct MemberList {
    /// An object as an element of a set. Comparing objects by Foundation's methods takes several calls for each.
    private struct Identity: Hashable {
        let object: NSManagedObject

        static func == (left: Identity, right: Identity) -> Bool { left.object === right.object }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
    }

    private let isOrdered: Bool
    private var list: [NSManagedObject]
    private var hash: Set<Identity>?
    /// Removed members that are still in the list. Without a hash there are none.
    private var removed: Set<Identity> = []

    /// Up to this number of members a look-up goes through the list.
    private static let searchLimit = 16

    /// - Parameters:
    ///   - objects: the members, each once.
    ///   - isOrdered: whether the list keeps their order.
    init(_ objects: [NSManagedObject] = [], isOrdered: Bool) {
        list = objects
        self.isOrdered = isOrdered
    }

    // MARK: Reading

    var count: Int { isOrdered ? list.count - removed.count : hash?.count ?? list.count }
    var isEmpty: Bool { count == 0 }
    var first: NSManagedObject? { isOrdered || hash == nil ? objects.first : hash?.first?.object }

    /// The members, in their order if they have one.
    var objects: [NSManagedObject] {
        if !removed.isEmpty { return list.filter { !removed.contains(Identity(object: $0)) } }
        guard let hash, !isOrdered else { return list }
        return hash.map(\.object)
    }

    mutating func contains(_ object: NSManagedObject) -> Bool {
        if hash == nil && list.count <= Self.searchLimit { return list.contains { $0 === object } }
        makeHash()
        return hash!.contains(Identity(object: object))
    }

    /// The index of a member in the order, nil if the object is none.
    mutating func index(of object: NSManagedObject) -> Int? {
        compact()
        if list.last === object { return list.count - 1 }
        return list.firstIndex { $0 === object }
    }

    // MARK: Changing

    /// Adds an object, last if there is an order.
    ///
    /// - Returns: false if the object is a member already.
    @discardableResult
    mutating func append(_ object: NSManagedObject) -> Bool {
        if !isOrdered && hash != nil { return hash!.insert(Identity(object: object)).inserted }
        guard !contains(object) else { return false }
        insert(object, at: nil)
        return true
    }

    /// Adds an object that is no member.
    ///
    /// - Parameter position: the index in the order; nil for the end.
    /// - Returns: the object's index in the order.
    @discardableResult
    mutating func insert(_ object: NSManagedObject, at position: Int?) -> Int {
        let isHashed = hash?.insert(Identity(object: object)) != nil
        if isHashed && !isOrdered { return 0 }
        if !removed.isEmpty && (position != nil || removed.contains(Identity(object: object))) { compact() }
        let index = min(position ?? .max, list.count)
        if index == list.count { list.append(object) } else { list.insert(object, at: index) }
        return index - removed.count
    }

    /// Removes an object.
    ///
    /// - Parameter index: the index of the object in the order, if it is known.
    /// - Returns: false if the object is no member.
    @discardableResult
    mutating func remove(_ object: NSManagedObject, at index: Int? = nil) -> Bool {
        if hash == nil && list.count <= Self.searchLimit {
            guard let index = index ?? list.firstIndex(where: { $0 === object }) else { return false }
            list.remove(at: index)
            return true
        }
        makeHash()
        guard hash!.remove(Identity(object: object)) != nil else { return false }
        guard isOrdered else { return true }
        if let index {
            compact()
            list.remove(at: index)
        } else if removed.isEmpty && list.last === object {
            list.removeLast()
        } else {
            removed.insert(Identity(object: object))
        }
        return true
    }

    /// Moves members, in their order.
    ///
    /// - Parameters:
    ///   - indexes: the indexes of the members.
    ///   - target: the index of the first of them after the move.
    /// - Returns: the members.
    mutating func move(_ indexes: IndexSet, to target: Int) -> [NSManagedObject] {
        compact()
        let objects = indexes.map { list[$0] }
        for range in indexes.rangeView.reversed() { list.removeSubrange(range) }
        list.insert(contentsOf: objects, at: target)
        return objects
    }

    /// Gives the members another order.
    mutating func reorder(_ objects: [NSManagedObject]) {
        removed = []
        list = objects
    }

    /// Removes the members that were removed from the list, too, so that reading it takes no pass.
    mutating func compact() {
        guard !removed.isEmpty else { return }
        if removed.count > 2 {
            list.removeAll { removed.contains(Identity(object: $0)) }
        } else {
            for member in removed {
                if let index = list.firstIndex(where: { $0 === member.object }) { list.remove(at: index) }
            }
        }
        removed = []
    }

    private mutating func makeHash() {
        guard hash == nil else { return }
        var new = Set<Identity>(minimumCapacity: list.count)
        for object in list { new.insert(Identity(object: object)) }
        hash = new
        if !isOrdered { list = [] }
    }
}
