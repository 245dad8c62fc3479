// SPDX-License-Identifier: Apache-2.0

/// The members of a to-many relationship as the sets that a program gets.
///
/// Foundation's sets of the exact classes share their members with their copies until one of them changes. So a set
/// that a program got is never changed: the first change of one member after it makes a mutable copy, further changes
/// go into that copy, and the next reader gets a copy of it. Only if the program still has the former set, all members
/// are copied, once.
struct ShownMembers {
    /// The set for readers, if no member has changed since it was made.
    private var set: NSSet?
    private var orderedSet: NSOrderedSet?
    /// The same members, while changes are made that no reader has seen.
    private var changedSet: NSMutableSet?
    private var changedOrderedSet: NSMutableOrderedSet?
    /// The number of changes since the last reader.
    private var unreadChanges = 0

    /// The set of an unordered relationship.
    ///
    /// - Parameter members: the members, if the set must be made.
    mutating func set(_ members: () -> [NSManagedObject]) -> NSSet {
        if let set { return set }
        let new = changedSet.map { $0.copy() as! NSSet } ?? Self.makeSet(members())
        changedSet = nil
        unreadChanges = 0
        set = new
        return new
    }

    /// The ordered set of an ordered relationship.
    mutating func orderedSet(of members: [NSManagedObject]) -> NSOrderedSet {
        if let orderedSet { return orderedSet }
        let new = changedOrderedSet.map { $0.copy() as! NSOrderedSet } ?? Self.makeOrderedSet(members)
        changedOrderedSet = nil
        unreadChanges = 0
        orderedSet = new
        return new
    }

    /// A new set with the members of an ordered relationship.
    func mutableOrderedSet(of members: [NSManagedObject]) -> NSMutableOrderedSet {
        if let known = orderedSet ?? changedOrderedSet, let copy = known.mutableCopy() as? NSMutableOrderedSet {
            return copy
        }
        return Self.withObjects(members) { NSMutableOrderedSet(objects: $0, count: $1) }
    }

    /// Whether `remove(_:at:)` needs the index of a member.
    var needsIndices: Bool { orderedSet != nil || changedOrderedSet != nil }

    /// Adds a member, which is none yet.
    ///
    /// - Parameter index: the index of the member in an ordered relationship.
    mutating func insert(_ object: NSManagedObject, at index: Int?) {
        guard prepareForChange() else { return }
        changedSet?.add(object)
        if let index { changedOrderedSet?.insert(object, at: index) }
    }

    /// Removes a member.
    ///
    /// - Parameter index: the index of the member, if `needsIndices` is true.
    mutating func remove(_ object: NSManagedObject, at index: Int?) {
        guard prepareForChange() else { return }
        changedSet?.remove(object)
        if let index { changedOrderedSet?.removeObject(at: index) }
    }

    /// Discards the sets, since the members are others. A set that a program has stays as it is.
    mutating func discard() {
        set = nil
        orderedSet = nil
        changedSet = nil
        changedOrderedSet = nil
        unreadChanges = 0
    }

    /// Whether the sets have exactly some members; for tests.
    func hasMembers(_ members: [NSManagedObject]) -> Bool {
        [set, changedSet].allSatisfy { $0?.isEqual(to: Set(members)) != false }
            && [orderedSet, changedOrderedSet].allSatisfy { $0?.isEqual(to: NSOrderedSet(array: members)) != false }
    }

    /// Makes the set mutable. Discards it instead after many changes without a reader, since making it anew costs less
    /// then than the changes.
    ///
    /// - Returns: whether there is a mutable set.
    private mutating func prepareForChange() -> Bool {
        makeMutable()
        guard let count = changedSet?.count ?? changedOrderedSet?.count else { return false }
        unreadChanges += 1
        if unreadChanges > 16 && unreadChanges > count / 4 {
            discard()
            return false
        }
        return true
    }

    /// Replaces the set by a mutable copy. The former set must be released before the copy is changed, since the copy
    /// is then the only owner of its members.
    private mutating func makeMutable() {
        if let set { changedSet = (set.mutableCopy() as! NSMutableSet) }
        if let orderedSet { changedOrderedSet = (orderedSet.mutableCopy() as! NSMutableOrderedSet) }
        set = nil
        orderedSet = nil
    }

    private static func makeSet(_ members: [NSManagedObject]) -> NSSet {
        SetStorage.makeSet(members) ?? withObjects(members) { NSSet(objects: $0, count: $1) }
    }

    private static func makeOrderedSet(_ members: [NSManagedObject]) -> NSOrderedSet {
        withObjects(members) { NSOrderedSet(objects: $0, count: $1) }
    }

    /// Calls Foundation's initializers that don't convert each member from `Any`.
    private static func withObjects<Result>(
        _ members: [NSManagedObject], _ body: (UnsafePointer<AnyObject>?, Int) -> Result
    ) -> Result {
        members.withUnsafeBufferPointer { buffer in
            // A reference to an object has one representation, whatever the type of the reference is.
            guard let start = buffer.baseAddress else { return body(nil, 0) }
            return start.withMemoryRebound(to: AnyObject.self, capacity: buffer.count) { body($0, buffer.count) }
        }
    }
}
