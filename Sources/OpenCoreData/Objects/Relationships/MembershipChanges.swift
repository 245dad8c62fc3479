// SPDX-License-Identifier: Apache-2.0

/// The difference between the members of a to-many relationship now and at an earlier time: the last save, or the start
/// of a change event. An object that is added and removed again, or removed and added again, is no change.
struct MembershipChanges {
    private(set) var added = MemberList(isOrdered: false)
    private(set) var removed = MemberList(isOrdered: false)

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    mutating func isAdded(_ object: NSManagedObject) -> Bool { !added.isEmpty && added.contains(object) }
    mutating func isRemoved(_ object: NSManagedObject) -> Bool { !removed.isEmpty && removed.contains(object) }

    /// An object becomes a member.
    ///
    /// - Returns: whether it was no member at the earlier time.
    @discardableResult
    mutating func add(_ object: NSManagedObject) -> Bool {
        if !removed.isEmpty && removed.remove(object) { return false }
        added.append(object)
        return true
    }

    /// A member is removed.
    mutating func remove(_ object: NSManagedObject) {
        if added.isEmpty || !added.remove(object) { removed.append(object) }
    }

    /// All members are removed. Makes no hash, which most deletions never need.
    mutating func remove(all members: [NSManagedObject]) {
        if isEmpty {
            removed = MemberList(members, isOrdered: false)
        } else {
            for member in members { remove(member) }
        }
    }

    /// Forgets the change of an object.
    ///
    /// - Returns: whether the object was added, and whether it was removed.
    @discardableResult
    mutating func forget(_ object: NSManagedObject) -> (wasAdded: Bool, wasRemoved: Bool) {
        (!added.isEmpty && added.remove(object), !removed.isEmpty && removed.remove(object))
    }

    /// No member counts as removed.
    mutating func forgetRemovals() { removed = MemberList(isOrdered: false) }

    /// Replaces the earlier members. Changes that they already contain are dropped.
    mutating func rebase(onto earlier: inout MemberList) {
        added = MemberList(added.objects.filter { !earlier.contains($0) }, isOrdered: false)
        removed = MemberList(removed.objects.filter { earlier.contains($0) }, isOrdered: false)
    }
}

extension MembershipChanges {
    /// The changes that lead from earlier members to present ones.
    init(from earlier: inout MemberList, to members: inout MemberList) {
        added = MemberList(members.objects.filter { !earlier.contains($0) }, isOrdered: false)
        removed = MemberList(earlier.objects.filter { !members.contains($0) }, isOrdered: false)
    }
}
