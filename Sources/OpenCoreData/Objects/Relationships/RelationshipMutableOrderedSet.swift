// SPDX-License-Identifier: Apache-2.0

/// The result of `mutableOrderedSetValue(forKey:)`: an ordered set that writes through to the relationship.
///
/// `NSMutableOrderedSet` reads its own storage, so every mutator changes the storage and then the relationship. Other
/// changes of the relationship reach the storage by `reload(_:)`, `memberWasInserted` and `memberWasRemoved`. There is
/// at most one instance for each object and relationship; the contents refer to it.
final class RelationshipMutableOrderedSet: NSMutableOrderedSet {
    private var owner: NSManagedObject?
    private var slot: PropertySlot?
    /// The contents that the storage shows. Contents are replaced when the owner turns into a fault.
    private weak var content: ToManyContent?
    /// Above zero during a mutator or `reload(_:)`: Foundation's mutators call one another.
    private var depth = 0
    /// The members that the relationship got and lost during a mutator: the storage doesn't follow these changes.
    private var changesDuringMutator = 0

    /// The set of a relationship: the existing set, or a new set.
    ///
    /// The owner fires first. Otherwise its first change could replace the members by newer ones, and an index that the
    /// program has read would name another member.
    static func of(_ owner: NSManagedObject, _ slot: PropertySlot) -> RelationshipMutableOrderedSet {
        owner.fireFault(beforeChanging: slot, isWriting: false)
        let content = owner.toManyContent(slot, loading: true)
        if let known = content.mutableOrderedSet { return known }
        let new = RelationshipMutableOrderedSet(capacity: 0)
        new.owner = owner
        new.slot = slot
        new.attach(to: content)
        owner.context?.registry.keep(new)
        return new
    }

    required override init(capacity numItems: Int) { super.init(capacity: numItems) }
    required convenience init(arrayLiteral elements: Any...) {
        self.init(capacity: elements.count)
        for element in elements { super.add(element) }
    }
    required convenience init?(coder: NSCoder) { nil }

    // MARK: Changes from elsewhere

    private func attach(to content: ToManyContent) {
        self.content = content
        content.mutableOrderedSet = self
        if content.count >= Self.exchangedMemberCount {
            let copy = content.newMutableOrderedSet()
            if OrderedSetStorage.exchange(self, copy) { return }
        }
        reload(content.members)
    }

    /// The number of members from which on exchanging the storage takes less time than adding the members.
    private static let exchangedMemberCount = 8

    /// Shows other members.
    func reload(_ order: [NSManagedObject]) {
        if depth > 0 { changesDuringMutator += 1000 }
        withoutWritingThrough {
            super.removeAllObjects()
            for object in order { super.insert(object, at: super.count) }
        }
    }

    /// Shows an object that was added to the relationship.
    func memberWasInserted(_ object: NSManagedObject, at index: Int) {
        if depth > 0 { changesDuringMutator += 1 }
        withoutWritingThrough { super.insert(object, at: index) }
    }

    /// Hides an object that was removed from the relationship.
    ///
    /// - Parameter index: the index of the object; nil during a mutator.
    func memberWasRemoved(at index: Int?) {
        if depth > 0 { changesDuringMutator += 1 }
        if let index { withoutWritingThrough { super.removeObject(at: index) } }
    }

    /// The number of members in the storage.
    var memberCount: Int { super.count }

    /// Whether the storage must follow a change of the relationship. False during a mutator, which changes the storage
    /// itself.
    var followsChanges: Bool { depth == 0 }

    /// Whether the storage has exactly some members in their order, or shows other contents than the owner has by now;
    /// for tests.
    func showsMembers(_ order: [NSManagedObject]) -> Bool {
        guard let owner, let slot, let content, owner.link(slot.link) === content else { return true }
        return super.count == order.count
            && order.indices.allSatisfy { super.object(at: $0) as AnyObject === order[$0] }
    }

    private func withoutWritingThrough(_ change: () -> Void) {
        guard depth == 0 else { return }
        depth += 1
        change()
        depth -= 1
    }

    /// Shows the present contents if the owner has turned into a fault since.
    private func reattachIfNeeded() {
        guard depth == 0, let owner, let slot, content == nil || owner.link(slot.link) !== content else { return }
        owner.fireFault(beforeChanging: slot, isWriting: false)
        attach(to: owner.toManyContent(slot, loading: true))
    }

    override var count: Int {
        reattachIfNeeded()
        return super.count
    }
    override func object(at idx: Int) -> Any {
        reattachIfNeeded()
        if depth == 0 { require(idx, below: super.count) }
        return super.object(at: idx)
    }
    override func index(of object: Any) -> Int {
        reattachIfNeeded()
        return memberIndex(of: object) ?? super.index(of: object)
    }
    override func contains(_ object: Any) -> Bool {
        reattachIfNeeded()
        return super.contains(object)
    }

    /// The index of a member, found in the contents: Foundation compares the objects of its list one by one. Nil if the
    /// contents don't have it, or differ from the storage, as during a mutator.
    private func memberIndex(of value: Any) -> Int? {
        guard depth == 0, let object = value as? NSManagedObject, let content, content.contains(object) else {
            return nil
        }
        return content.index(of: object)
    }

    /// Whether the owner has left its context.
    var isDetached: Bool { owner?.flags.contains(.detached) == true }

    // MARK: Changing

    /// Runs one mutator on the set's storage, then on the relationship.
    ///
    /// - Parameters:
    ///   - needsMembers: whether the mutator depends on the members. Such a mutator fails if the members can't be read.
    ///   - changes: the number of members that the relationship gets and loses; nil if the function must find it out.
    private func change(
        needsMembers: Bool = true, _ body: () -> Void, changes: Int? = nil,
        notifying notify: ((NSManagedObject, PropertySlot) -> Void)? = nil
    ) {
        guard let owner, let slot else { return body() }
        if depth == 0 { owner.fireFault(beforeChanging: slot) }
        reattachIfNeeded()
        if depth == 0, needsMembers, let content, !content.isLoaded {
            // The storage doesn't have the members, so that an index of the program names no member. A save throws.
            content.recordUnreadChange()
            return owner.prepareForWriting()
        }
        depth += 1
        defer { depth -= 1 }
        let countBefore = super.count
        body()
        guard depth == 1 else { return }
        let expected = changes ?? abs(super.count - countBefore)
        changesDuringMutator = 0
        owner.context?.registry.keep(self)
        guard let notify else {
            owner.replaceMembers(array.map { Self.member($0, owner, slot) }, slot)
            return showPresentMembers(owner, slot)
        }
        notify(owner, slot)
        if changesDuringMutator != expected || owner.link(slot.link) !== content {
            showPresentMembers(owner, slot)
        }
    }

    /// Shows the members that the relationship has at the end of a mutator. The mutator may have called the program, by
    /// `awakeFromFetch()` of the owner or a member, and the program may have changed the members or made the owner a
    /// fault.
    private func showPresentMembers(_ owner: NSManagedObject, _ slot: PropertySlot) {
        guard let content, owner.link(slot.link) === content, content.isLoaded else {
            self.content = nil
            return
        }
        let members = content.members
        let isSame =
            super.count == members.count
            && members.indices.allSatisfy { super.object(at: $0) as AnyObject === members[$0] }
        if isSame { return }
        super.removeAllObjects()
        for object in members { super.insert(object, at: super.count) }
    }

    /// Runs a mutator that changes the order alone.
    private func move(_ body: () -> Void) {
        change(body) { owner, slot in owner.reorderMembers(self.array.map { Self.member($0, owner, slot) }, slot) }
    }

    private static func member(_ object: Any, _ owner: NSManagedObject, _ slot: PropertySlot) -> NSManagedObject {
        if let object = object as? NSManagedObject { return object }
        programmingError(
            """
            Relationship '\(slot.name)' of entity '\(owner.layout.name)' holds managed objects, not \
            \(type(of: object)).
            """,
            remedy: "Add an NSManagedObject of its destination entity.")
    }

    /// Stops the program with a message for an index out of range: Foundation's stops without one. Members that can't
    /// be read have no range.
    private func require(_ index: Int, below end: Int) {
        if index >= 0, index < end { return }
        if let content, !content.isLoaded { return }
        let place = slot.flatMap { slot in owner.map { "'\(slot.name)' of entity '\($0.layout.name)'" } } ?? "the set"
        programmingError(
            "Index \(index) is out of range: \(place) has \(Wording.count(super.count, "member")).",
            remedy: "Use an index from 0 to \(Swift.max(end - 1, 0)).")
    }

    private func require(_ indexes: IndexSet, below end: Int) {
        if depth == 0, let last = indexes.last { require(last, below: end) }
    }

    override func insert(_ object: Any, at idx: Int) {
        if depth == 0 { require(idx, below: count + 1) }
        change({ super.insert(object, at: idx) }, notifying: { $0.addMember(Self.member(object, $0, $1), $1, at: idx) })
    }
    override func add(_ object: Any) {
        change(needsMembers: false, { super.add(object) }, notifying: { $0.addMember(Self.member(object, $0, $1), $1) })
    }
    override func removeObject(at idx: Int) {
        if depth == 0 { require(idx, below: count) }
        let object = depth == 0 && idx < count ? self.object(at: idx) as? NSManagedObject : nil
        change({ super.removeObject(at: idx) }, notifying: object.map { object in { $0.removeMember(object, $1) } })
    }
    override func remove(_ val: Any) {
        let object = val as? NSManagedObject
        reattachIfNeeded()
        if let object, let index = memberIndex(of: object) {
            return change({ super.removeObject(at: index) }, notifying: { $0.removeMember(object, $1) })
        }
        change(
            needsMembers: object == nil, { super.remove(val) },
            notifying: object.map { object in { $0.removeMember(object, $1) } })
    }
    override func replaceObject(at idx: Int, with obj: Any) {
        if depth == 0 { require(idx, below: count) }
        let old = depth == 0 && idx < count ? self.object(at: idx) as? NSManagedObject : nil
        // The new object is no member yet: one member leaves, and one is added.
        guard let old, let new = obj as? NSManagedObject, !contains(new) else {
            return change { super.replaceObject(at: idx, with: obj) }
        }
        change(
            { super.replaceObject(at: idx, with: new) }, changes: 2,
            notifying: { owner, slot in
                owner.removeMember(old, slot)
                owner.addMember(new, slot, at: idx)
            })
    }
    override func addObjects(from array: [Any]) { change { super.addObjects(from: array) } }
    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        if depth == 0 { for index in [idx1, idx2] { require(index, below: count) } }
        change(
            { super.exchangeObject(at: idx1, withObjectAt: idx2) },
            notifying: { $0.moveMembers($1) { content in content.exchange(idx1, idx2) } })
    }
    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        require(indexes, below: count)
        if depth == 0 { require(idx, below: count - indexes.count + 1) }
        // Foundation's needs a pass for each object.
        guard indexes.count <= 8 else { return move { super.moveObjects(at: indexes, to: idx) } }
        change(
            { super.moveObjects(at: indexes, to: idx) },
            notifying: { $0.moveMembers($1) { content in content.move(indexes, to: idx) } })
    }
    override func insert(_ objects: [Any], at indexes: IndexSet) {
        require(indexes, below: count + objects.count)
        change { super.insert(objects, at: indexes) }
    }
    override func setObject(_ obj: Any, at idx: Int) {
        if depth == 0 { require(idx, below: count + 1) }
        change { super.setObject(obj, at: idx) }
    }
    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        require(indexes, below: count)
        change { super.replaceObjects(at: indexes, with: objects) }
    }
    override func removeObjects(at indexes: IndexSet) {
        require(indexes, below: count)
        change { super.removeObjects(at: indexes) }
    }
    override func removeObjects(in array: [Any]) { change { super.removeObjects(in: array) } }
    override func removeObjects(in range: NSRange) {
        if range.length > 0 {
            require(IndexSet(integersIn: range.location..<range.location + range.length), below: count)
        }
        change { super.removeObjects(in: range) }
    }
    override func removeAllObjects() { change { super.removeAllObjects() } }
    override func intersect(_ other: NSOrderedSet) {
        // Foundation's never ends.
        change { super.removeObjects(in: array.filter { !other.contains($0) }) }
    }
    override func minus(_ other: NSOrderedSet) { change { super.minus(other) } }
    override func union(_ other: NSOrderedSet) { change { super.union(other) } }
    override func intersectSet(_ other: Set<AnyHashable>) { change { super.intersectSet(other) } }
    override func minusSet(_ other: Set<AnyHashable>) { change { super.minusSet(other) } }
    override func unionSet(_ other: Set<AnyHashable>) { change { super.unionSet(other) } }
    override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) { move { super.sort(comparator: cmptr) } }
    override func sort(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) {
        move { super.sort(options: opts, usingComparator: cmptr) }
    }
    override func sortRange(
        _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        move { super.sortRange(range, options: opts, usingComparator: cmptr) }
    }
}
