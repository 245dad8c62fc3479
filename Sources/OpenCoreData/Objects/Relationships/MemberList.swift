// SPDX-License-Identifier: Apache-2.0

/// Members of a to-many relationship: a list, in which a member is found without a pass through all.
///
/// Members that come from a store mostly have ascending keys: these are found by their keys. A hash finds the members
/// after them, and is made when a look-up needs it. To read and count members, the list is enough.
///
/// Members that are removed from a long list stay in it until it is read; then all of them leave it in one pass.
struct MemberList {
    /// An object as an element of a set. A comparison of objects by Foundation's methods takes several calls.
    private struct Identity: Hashable {
        let object: NSManagedObject

        static func == (left: Identity, right: Identity) -> Bool { left.object === right.object }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
    }

    private let isOrdered: Bool
    private var list: [NSManagedObject]
    /// How many members at the beginning have keys of a store, in ascending order. A saved object keeps its key.
    private var keyedCount = 0
    /// The members of the list after the keyed ones, without the removed ones.
    private var hash: Set<Identity>?
    /// Removed members that are still in the list.
    private var removed: Set<Identity> = []

    /// Up to this number of members a look-up goes through the list.
    private static let searchLimit = 16

    /// - Parameters:
    ///   - objects: the members, without duplicates.
    ///   - isOrdered: whether the list keeps their order.
    init(_ objects: [NSManagedObject] = [], isOrdered: Bool) {
        list = objects
        self.isOrdered = isOrdered
        if !isShort { keyedCount = Self.keyedCount(objects) }
    }

    // MARK: Reading

    var count: Int { list.count - removed.count }
    var isEmpty: Bool { count == 0 }

    var first: NSManagedObject? {
        removed.isEmpty ? list.first : list.first { !removed.contains(Identity(object: $0)) }
    }

    /// The members, in their order if they have one.
    var objects: [NSManagedObject] {
        removed.isEmpty ? list : list.filter { !removed.contains(Identity(object: $0)) }
    }

    mutating func contains(_ object: NSManagedObject) -> Bool {
        if isShort { return list.contains { $0 === object } }
        if !removed.isEmpty && removed.contains(Identity(object: object)) { return false }
        if keyedPosition(of: object) != nil { return true }
        let others = list[keyedCount...]
        if hash == nil {
            if others.count <= Self.searchLimit { return others.contains { $0 === object } }
            var new = Set<Identity>(minimumCapacity: others.count)
            for object in others { new.insert(Identity(object: object)) }
            hash = removed.isEmpty ? new : new.subtracting(removed)
        }
        return hash!.contains(Identity(object: object))
    }

    /// The index of a member in the order; nil if the object is no member.
    mutating func index(of object: NSManagedObject) -> Int? {
        compact()
        return position(of: object)
    }

    // MARK: Changing

    /// Adds an object, last if there is an order.
    ///
    /// - Returns: false if the object is a member already.
    @discardableResult
    mutating func append(_ object: NSManagedObject) -> Bool {
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
        if !removed.isEmpty {
            if !isOrdered && removed.remove(Identity(object: object)) != nil {
                if keyedPosition(of: object) == nil { hash?.insert(Identity(object: object)) }
                return 0
            }
            if position != nil || removed.contains(Identity(object: object)) { compact() }
        }
        let index = min(position ?? .max, list.count)
        if index == list.count {
            list.append(object)
            hash?.insert(Identity(object: object))
        } else {
            list.insert(object, at: index)
            if index < keyedCount { forgetKeys(from: index) } else { hash?.insert(Identity(object: object)) }
        }
        return index - removed.count
    }

    /// Removes an object.
    ///
    /// - Parameter index: the index of the object in the order, if it is known.
    /// - Returns: false if the object is no member.
    @discardableResult
    mutating func remove(_ object: NSManagedObject, at index: Int? = nil) -> Bool {
        if isShort {
            guard let index = index ?? list.firstIndex(where: { $0 === object }) else { return false }
            removeFromList(at: index)
            return true
        }
        guard contains(object) else { return false }
        if let index {
            compact()
            removeFromList(at: index)
        } else if removed.isEmpty && list.last === object {
            removeFromList(at: list.count - 1)
        } else {
            if keyedPosition(of: object) == nil { hash?.remove(Identity(object: object)) }
            removed.insert(Identity(object: object))
            // Members that come and go don't let the list grow.
            if removed.count > Self.searchLimit && removed.count * 2 > list.count { compact() }
        }
        return true
    }

    /// Moves members, in their order.
    ///
    /// - Parameters:
    ///   - indexes: the indexes of the members.
    ///   - target: the index of the first moved member after the move.
    /// - Returns: the members.
    mutating func move(_ indexes: IndexSet, to target: Int) -> [NSManagedObject] {
        compact()
        let objects = indexes.map { list[$0] }
        forgetKeys(from: min(indexes.first ?? .max, target))
        for range in indexes.rangeView.reversed() { list.removeSubrange(range) }
        list.insert(contentsOf: objects, at: target)
        return objects
    }

    /// Gives the members another order.
    mutating func reorder(_ objects: [NSManagedObject]) { self = MemberList(objects, isOrdered: isOrdered) }

    /// Also removes the removed members from the list itself, so that reading the list takes no pass.
    mutating func compact() {
        guard !removed.isEmpty else { return }
        if removed.count > 2 {
            let keyed = list[..<keyedCount].count { !removed.contains(Identity(object: $0)) }
            list.removeAll { removed.contains(Identity(object: $0)) }
            keyedCount = keyed
        } else {
            for member in removed {
                // The hash doesn't have the removed members, which the list still has.
                if let index = keyedPosition(of: member.object) ?? list.firstIndex(where: { $0 === member.object }) {
                    list.remove(at: index)
                    if index < keyedCount { keyedCount -= 1 }
                }
            }
        }
        removed = []
    }

    private mutating func removeFromList(at index: Int) {
        let object = list.remove(at: index)
        if index < keyedCount { keyedCount -= 1 } else { hash?.remove(Identity(object: object)) }
    }

    // MARK: Finding

    private var isShort: Bool { list.count <= Self.searchLimit && removed.isEmpty }

    private func position(of object: NSManagedObject) -> Int? {
        if list.last === object { return list.count - 1 }
        return keyedPosition(of: object) ?? list[keyedCount...].firstIndex { $0 === object }
    }

    /// The position of an object among the members with ascending keys.
    @inline(__always)
    private func keyedPosition(of object: NSManagedObject) -> Int? {
        let key = object.primaryKey
        guard keyedCount > 0, key > 0 else { return nil }
        var (low, high) = (0, keyedCount)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].primaryKey < key { low = middle + 1 } else { high = middle }
        }
        return low < keyedCount && list[low] === object ? low : nil
    }

    /// From an index on, members are no longer found by their keys. No member is removed.
    private mutating func forgetKeys(from index: Int) {
        guard index < keyedCount else { return }
        keyedCount = index
        hash = nil
    }

    // MARK: Repeated members

    /// The objects without duplicates: a file whose join table lacks its key may have a member twice.
    static func unique(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        if objects.count < 2 || keyedCount(objects) == objects.count { return objects }
        var isRepeated = false
        objects.forEachUnretained { _, object in
            if object.flags.contains(.counted) { isRepeated = true } else { object.flags.insert(.counted) }
        }
        objects.forEachUnretained { $1.flags.remove(.counted) }
        guard isRepeated else { return objects }
        var seen: Set<ObjectIdentifier> = []
        return objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private static func keyedCount(_ objects: [NSManagedObject]) -> Int {
        var last: Int64 = 0
        return objects.firstIndex { object in
            defer { last = object.primaryKey }
            return object.primaryKey <= last
        } ?? objects.count
    }
}
