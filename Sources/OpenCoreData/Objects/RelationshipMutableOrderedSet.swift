/// What `mutableOrderedSetValue(forKey:)` gives: an ordered set that writes through to the relationship.
///
/// `NSMutableOrderedSet` reads its own storage, so every mutator changes that and then tells the owner; changes from
/// elsewhere come by `follow`. There is one living instance per object and relationship, listed by the content.
final class RelationshipMutableOrderedSet: NSMutableOrderedSet {
    private var owner: NSManagedObject?
    private var slot: PropertySlot?
    /// The content that the own storage follows; another one takes its place when the owner has become a fault.
    private weak var content: ToManyContent?
    /// Above zero while a mutator, or `follow`, is at work: Foundation's mutators call one another.
    private var depth = 0

    /// The set of a relationship: the living one, or a new one.
    static func of(_ owner: NSManagedObject, _ slot: PropertySlot) -> RelationshipMutableOrderedSet {
        let content = owner.toManyContent(slot, loading: true)
        if let known = content.view { return known }
        let new = RelationshipMutableOrderedSet(capacity: 0)
        new.owner = owner
        new.slot = slot
        new.follow(content)
        return new
    }

    required override init(capacity numItems: Int) { super.init(capacity: numItems) }
    required convenience init(arrayLiteral elements: Any...) {
        self.init(capacity: elements.count)
        for element in elements { super.add(element) }
    }
    required convenience init?(coder: NSCoder) { nil }

    // MARK: Following

    private func follow(_ content: ToManyContent) {
        self.content = content
        content.view = self
        follow(content.order)
    }

    /// Takes the relationship's content, which was changed elsewhere.
    func follow(_ order: [NSManagedObject]) {
        silently {
            super.removeAllObjects()
            for object in order { super.insert(object, at: super.count) }
        }
    }

    /// An object was added elsewhere.
    func followInsertion(of object: NSManagedObject, at place: Int) { silently { super.insert(object, at: place) } }

    /// An object was removed elsewhere.
    func followRemoval(of object: NSManagedObject) { silently { super.remove(object) } }

    private func silently(_ change: () -> Void) {
        guard depth == 0 else { return }
        depth += 1
        change()
        depth -= 1
    }

    /// The owner may have become a fault since, and its relationship has new content.
    private func catchUp() {
        guard depth == 0, let owner, let slot, content == nil || owner.link(slot.link) !== content else { return }
        follow(owner.toManyContent(slot, loading: true))
    }

    override var count: Int {
        catchUp()
        return super.count
    }
    override func object(at idx: Int) -> Any {
        catchUp()
        return super.object(at: idx)
    }
    override func index(of object: Any) -> Int {
        catchUp()
        return super.index(of: object)
    }
    override func contains(_ object: Any) -> Bool {
        catchUp()
        return super.contains(object)
    }

    // MARK: Changing

    /// Runs one mutator on the own storage, then on the relationship.
    private func change(_ body: () -> Void, telling tell: ((NSManagedObject, PropertySlot) -> Void)? = nil) {
        guard let owner, let slot else { return body() }
        catchUp()
        depth += 1
        defer { depth -= 1 }
        body()
        guard depth == 1 else { return }
        if let tell {
            tell(owner, slot)
        } else {
            owner.replaceMembers(array.map { Self.member($0, owner, slot) }, slot)
        }
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

    override func insert(_ object: Any, at idx: Int) {
        change({ super.insert(object, at: idx) }, telling: { $0.addMember(Self.member(object, $0, $1), $1, at: idx) })
    }
    override func add(_ object: Any) {
        change({ super.add(object) }, telling: { $0.addMember(Self.member(object, $0, $1), $1) })
    }
    override func removeObject(at idx: Int) {
        let object = depth == 0 && idx < count ? self.object(at: idx) as? NSManagedObject : nil
        change({ super.removeObject(at: idx) }, telling: object.map { object in { $0.removeMember(object, $1) } })
    }
    override func remove(_ val: Any) {
        let object = val as? NSManagedObject
        change({ super.remove(val) }, telling: object.map { object in { $0.removeMember(object, $1) } })
    }
    override func replaceObject(at idx: Int, with obj: Any) {
        let old = depth == 0 && idx < count ? self.object(at: idx) as? NSManagedObject : nil
        // The new object is none of the others: one goes, one comes.
        guard let old, let new = obj as? NSManagedObject, !contains(new) else {
            return change { super.replaceObject(at: idx, with: obj) }
        }
        change(
            { super.replaceObject(at: idx, with: new) },
            telling: { owner, slot in
                owner.removeMember(old, slot)
                owner.addMember(new, slot, at: idx)
            })
    }
    override func addObjects(from array: [Any]) { change { super.addObjects(from: array) } }
    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        move { super.exchangeObject(at: idx1, withObjectAt: idx2) }
    }
    override func moveObjects(at indexes: IndexSet, to idx: Int) { move { super.moveObjects(at: indexes, to: idx) } }
    override func insert(_ objects: [Any], at indexes: IndexSet) { change { super.insert(objects, at: indexes) } }
    override func setObject(_ obj: Any, at idx: Int) { change { super.setObject(obj, at: idx) } }
    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        change { super.replaceObjects(at: indexes, with: objects) }
    }
    override func removeObjects(at indexes: IndexSet) { change { super.removeObjects(at: indexes) } }
    override func removeObjects(in array: [Any]) { change { super.removeObjects(in: array) } }
    override func removeObjects(in range: NSRange) { change { super.removeObjects(in: range) } }
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
}
