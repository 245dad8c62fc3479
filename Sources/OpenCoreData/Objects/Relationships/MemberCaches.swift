// SPDX-License-Identifier: Apache-2.0

/// The sets that programs get of a to-many relationship, and the record of its order. They follow the transitions of
/// the membership.
struct MemberCaches {
    /// The mutable ordered set that shows the contents, if a program uses one.
    weak var mutableOrderedSet: RelationshipMutableOrderedSet?
    private var ordered = ShownOrderedSet()
    /// The set of members without order, if a program has read one.
    private var set: MemberSet?
    /// The record that depends on the present order.
    private var record: OrderRecord?

    // MARK: Reading

    /// The members of an unordered relationship: a set that stays as it is when the members change.
    ///
    /// - Parameter members: the members, if the set must be made.
    mutating func set(_ members: () -> [NSManagedObject]) -> NSSet {
        if set == nil { set = MemberSet(members()) }
        return set!.set
    }

    /// The members of an ordered relationship.
    mutating func orderedSet(of members: [NSManagedObject]) -> NSOrderedSet { ordered.set(of: members) }

    /// The members in order, in a new set of Foundation's class.
    func newMutableOrderedSet(of members: [NSManagedObject]) -> NSMutableOrderedSet { ordered.mutableSet(of: members) }

    /// The members as objects of a class; nil if one of them has another class.
    ///
    /// - Parameter members: the members, if the set must be made.
    mutating func members<Object: NSManagedObject>(
        as type: Object.Type, _ members: () -> [NSManagedObject]
    ) -> Set<Object>? {
        if set == nil { set = MemberSet(members()) }
        return set!.objects(as: type)
    }

    /// A record of the present order.
    mutating func orderRecord(of content: ToManyContent) -> OrderRecord {
        if let record, record.isPresentOrder(of: content) { return record }
        endRecord(content)
        let new = OrderRecord(following: content)
        record = new
        return new
    }

    // MARK: Following the members

    /// Whether a cache needs the index of a member that is removed.
    var needsIndices: Bool { ordered.isFollowing || mutableOrderedSet?.followsChanges == true }

    /// Called before a member is moved.
    func willMove(_ source: Int, to target: Int, _ content: ToManyContent) {
        record?.willMove(source, to: target, in: content.members)
    }

    /// Called before another change, and when the contents end.
    mutating func endRecord(_ content: ToManyContent) {
        guard record != nil else { return }
        // A record without another reference is no longer needed.
        if !isKnownUniquelyReferenced(&record) { record?.endFollowing(content.members) }
        record = nil
    }

    /// Called after each transition.
    ///
    /// - Parameter members: the members, if a cache must be made anew.
    mutating func follow(_ transition: MembershipTransition, _ members: () -> [NSManagedObject]) {
        switch transition {
        case .none, .recorded: break
        case .inserted(let object, let index):
            if let index {
                mutableOrderedSet?.memberWasInserted(object, at: index)
                ordered.insert(object, at: index)
            }
            if set?.insert(object) == false { set = nil }
        case .removed(let object, let index):
            mutableOrderedSet?.memberWasRemoved(at: index)
            if let index { ordered.remove(at: index) }
            if set?.remove(object) == false { set = nil }
        case .moved(let objects, let indexes, let target):
            for index in indexes.reversed() { ordered.remove(at: index) }
            for (offset, object) in objects.enumerated() { ordered.insert(object, at: target + offset) }
        case .replaced:
            ordered.discard()
            set = nil
            mutableOrderedSet?.reload(members())
        }
    }

    /// The differences from the members; for tests.
    func violations(_ members: [NSManagedObject]) -> [String] {
        var violations: [String] = []
        if !ordered.hasMembers(members) || set?.hasMembers(members) == false {
            violations.append("a set that a program gets has other members or another order")
        }
        if mutableOrderedSet?.showsMembers(members) == false {
            violations.append("the mutable ordered set shows other members")
        }
        return violations
    }
}
