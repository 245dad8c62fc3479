// SPDX-License-Identifier: Apache-2.0

/// The contents of a to-many relationship of one object: the membership, and the caches that follow it.
///
/// Each function that changes the membership makes one of its transitions (`Membership`) and tells the caches. The
/// owner changes other objects, for instance their inverse relationship. Used on the context's queue.
final class ToManyContent {
    private var membership: Membership
    private var caches = MemberCaches()
    /// Whether the members were read while the owner had no row. The row that the owner gets later may be newer than
    /// the members.
    var wereReadWithoutRow = false
    /// Whether all members, or their order, were changed while the members could not be read. A save would then not
    /// write the members that the program has set.
    private(set) var hasUnreadChange = false
    /// Whether the last attempt to read the members has failed: the program has seen none.
    var hasFailedRead = false

    init(isOrdered: Bool, isLoaded: Bool) { membership = Membership(isOrdered: isOrdered, isLoaded: isLoaded) }

    deinit { caches.endRecord(self) }

    // MARK: Members

    var isOrdered: Bool { membership.isOrdered }
    var isLoaded: Bool { membership.isLoaded }
    var count: Int { membership.count }

    /// The members of loaded contents, in order if the relationship is ordered.
    var members: [NSManagedObject] { membership.members }

    var anyMember: NSManagedObject? { membership.anyMember }
    func contains(_ object: NSManagedObject) -> Bool { membership.contains(object) }
    func index(of object: NSManagedObject) -> Int? { membership.index(of: object) }

    /// The members as a program gets them: a set that stays as it is when the members change.
    var set: NSSet { caches.set { membership.members } }
    /// The members as a program gets them, in order.
    var orderedSet: NSOrderedSet { caches.orderedSet(of: membership.members) }

    /// The members in order, in a new set of Foundation's class.
    func newMutableOrderedSet() -> NSMutableOrderedSet { caches.newMutableOrderedSet(of: membership.members) }

    /// The members as objects of a class; nil if one of them has another class.
    func members<Object: NSManagedObject>(as type: Object.Type) -> Set<Object>? {
        caches.members(as: type) { membership.members }
    }

    /// The mutable ordered set that shows the contents, if a program uses one.
    var mutableOrderedSet: RelationshipMutableOrderedSet? {
        get { caches.mutableOrderedSet }
        set { caches.mutableOrderedSet = newValue }
    }

    /// A record of the present order of loaded, ordered contents. Call it before they are changed.
    func orderRecord() -> OrderRecord { caches.orderRecord(of: self) }

    // MARK: Changes since the last save

    var isChanged: Bool { hasUnreadChange || membership.isChanged }
    var additions: [NSManagedObject] { membership.additions }
    var removals: [NSManagedObject] { membership.removals }
    var pendingAdditions: [NSManagedObject] { membership.pendingAdditions }
    var hasReaddedMembers: Bool { membership.hasReaddedMembers }
    func isAdded(_ object: NSManagedObject) -> Bool { membership.isAdded(object) }
    func isRemoved(_ object: NSManagedObject) -> Bool { membership.isRemoved(object) }
    var committed: [NSManagedObject] { membership.committed }
    var placements: [Range<Int>]? { membership.placements }

    /// Records a change of members that could not be read: a save throws.
    func recordUnreadChange() { hasUnreadChange = true }

    /// Whether unloaded contents have recorded already that an object was added, or removed.
    func isChanged(_ object: NSManagedObject, _ isRemoved: Bool) -> Bool {
        isRemoved ? self.isRemoved(object) : isAdded(object)
    }

    // MARK: Transitions

    /// Makes a transition, and tells the caches.
    ///
    /// - Returns: whether anything has changed.
    @inline(__always)
    @discardableResult
    private func perform(_ transition: (inout Membership) -> MembershipTransition) -> Bool {
        caches.endRecord(self)
        return follow(transition(&membership))
    }

    @inline(__always)
    private func follow(_ transition: MembershipTransition) -> Bool {
        caches.follow(transition) { membership.members }
        return transition.isChange
    }

    /// Adds an object; false if it is a member.
    ///
    /// - Parameter position: the index in ordered contents; nil for the end.
    @discardableResult
    func insert(_ object: NSManagedObject, at position: Int? = nil) -> Bool {
        perform { $0.insert(object, at: position) }
    }

    /// Removes an object; false if it is no member.
    @discardableResult
    func remove(_ object: NSManagedObject) -> Bool {
        let findsIndex = isOrdered && caches.needsIndices
        return perform { $0.remove(object, findsIndex: findsIndex) }
    }

    func removeAll() { perform { $0.removeAll() } }
    func load(_ stored: [NSManagedObject]) { perform { $0.load(stored) } }
    /// The members stay as they are, so a record follows on.
    func commit() { _ = follow(membership.commit()) }
    func rollback() {
        hasUnreadChange = false
        perform { $0.rollback() }
    }
    func undo(_ object: NSManagedObject) { perform { $0.undo(object) } }
    func discard(_ object: NSManagedObject) { perform { $0.discard(object) } }
    func discardCommittedMembers() {
        hasUnreadChange = false
        perform { $0.discardCommittedMembers() }
    }
    func rebase(onto stored: [NSManagedObject], policy: NSManagedObject.RebasePolicy) {
        perform { $0.rebase(onto: stored, policy: policy) }
    }

    // MARK: Transitions of the order

    func reorder(_ objects: [NSManagedObject]) { perform { $0.reorder(objects) } }
    func moveToEnd(_ objects: [NSManagedObject]) { perform { $0.moveToEnd(objects) } }

    /// Moves members of loaded, ordered contents, in their order.
    ///
    /// - Parameters:
    ///   - indexes: the indexes of the members.
    ///   - target: the index of the first moved member after the move.
    func move(_ indexes: IndexSet, to target: Int) {
        guard membership.canMove(indexes, to: target) else { return }
        if let index = indexes.first, indexes.count == 1 {
            caches.willMove(index, to: target, self)
        } else {
            caches.endRecord(self)
        }
        _ = follow(membership.move(indexes, to: target))
    }

    /// Exchanges two members of loaded, ordered contents.
    func exchange(_ index: Int, _ other: Int) {
        guard index != other else { return }
        let (first, last) = (min(index, other), max(index, other))
        move([first], to: last)
        if last - first > 1 { move([last - 1], to: first) }
    }

    // MARK: Invariants

    /// The violated invariants; for tests, on the context's queue.
    func checkInvariants() -> [String] {
        membership.checkInvariants() + (isLoaded ? caches.violations(membership.members) : [])
    }
}
