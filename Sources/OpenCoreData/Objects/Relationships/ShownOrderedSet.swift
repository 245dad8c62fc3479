// SPDX-License-Identifier: Apache-2.0

/// The members of an ordered relationship as the ordered set that a program gets.
///
/// Foundation's ordered sets share their members with their copies until one of them changes. So a set that a program
/// got is never changed: the first change of one member after it makes a mutable copy, further changes go into that
/// copy, and the next reader gets a copy of it. Only if the program still has the former set, all members are copied,
/// once.
struct ShownOrderedSet {
    /// The set for readers, if no member has changed since it was made.
    private var shown: NSOrderedSet?
    /// The same members, while changes are made that no reader has seen.
    private var changedSet: NSMutableOrderedSet?
    /// The number of changes since the last reader.
    private var unreadChanges = 0

    /// The set for a program.
    mutating func set(of members: [NSManagedObject]) -> NSOrderedSet {
        if let shown { return shown }
        let new =
            changedSet.map { $0.copy() as! NSOrderedSet }
            ?? Self.withObjects(members) { NSOrderedSet(objects: $0, count: $1) }
        changedSet = nil
        unreadChanges = 0
        shown = new
        return new
    }

    /// A new set with the members.
    func mutableSet(of members: [NSManagedObject]) -> NSMutableOrderedSet {
        if let known = shown ?? changedSet, let copy = known.mutableCopy() as? NSMutableOrderedSet { return copy }
        return Self.withObjects(members) { NSMutableOrderedSet(objects: $0, count: $1) }
    }

    /// Whether the set is there, so that it must hear of changes.
    var isFollowing: Bool { shown != nil || changedSet != nil }

    /// Adds an object, which is no member yet.
    mutating func insert(_ object: NSManagedObject, at index: Int) {
        if prepareForChange() { changedSet?.insert(object, at: index) }
    }

    /// Removes the member at an index.
    mutating func remove(at index: Int) {
        if prepareForChange() { changedSet?.removeObject(at: index) }
    }

    /// Discards the set, since the members have changed. A set that a program has stays as it is.
    mutating func discard() { self = ShownOrderedSet() }

    /// Whether the set has exactly some members; for tests.
    func hasMembers(_ members: [NSManagedObject]) -> Bool {
        [shown, changedSet].allSatisfy { $0?.isEqual(to: NSOrderedSet(array: members)) != false }
    }

    /// Makes the set mutable. After many changes without a reader, discards it instead, because making a new set then
    /// costs less than the changes.
    ///
    /// - Returns: whether there is a mutable set.
    private mutating func prepareForChange() -> Bool {
        // The former set is released before its copy is changed, since the copy is then the only owner of the members.
        if let shown { changedSet = (shown.mutableCopy() as! NSMutableOrderedSet) }
        shown = nil
        guard let count = changedSet?.count else { return false }
        unreadChanges += 1
        if unreadChanges > 16 && unreadChanges > count / 4 {
            discard()
            return false
        }
        return true
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
