/// What `mutableOrderedSetValue(forKey:)` gives: an ordered set that writes through to the relationship.
///
/// `NSMutableOrderedSet` reads its own storage, so every mutator changes that and then tells the owner the new content.
final class RelationshipMutableOrderedSet: NSMutableOrderedSet {
    private var owner: NSManagedObject?
    private var slot: PropertySlot?

    init(owner: NSManagedObject, slot: PropertySlot) {
        super.init(capacity: 0)
        for object in owner.toManyContent(slot, loading: true).order { super.insert(object, at: super.count) }
        self.owner = owner
        self.slot = slot
    }

    required override init(capacity numItems: Int) { super.init(capacity: numItems) }
    required convenience init(arrayLiteral elements: Any...) {
        self.init(capacity: elements.count)
        for element in elements { super.add(element) }
    }
    required convenience init?(coder: NSCoder) { nil }

    private func tellOwner() {
        guard let owner, let slot else { return }
        owner.replaceMembers(array.map { object in
            if let object = object as? NSManagedObject { return object }
            programmingError(
                "Relationship '\(slot.name)' of entity '\(owner.layout.name)' holds managed objects, not \(type(of: object)).",
                remedy: "Add an NSManagedObject of its destination entity.")
        }, slot)
    }

    override func insert(_ object: Any, at idx: Int) { super.insert(object, at: idx); tellOwner() }
    override func removeObject(at idx: Int) { super.removeObject(at: idx); tellOwner() }
    override func replaceObject(at idx: Int, with obj: Any) { super.replaceObject(at: idx, with: obj); tellOwner() }
    override func add(_ object: Any) { super.add(object); tellOwner() }
    override func addObjects(from array: [Any]) { super.addObjects(from: array); tellOwner() }
    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) { super.exchangeObject(at: idx1, withObjectAt: idx2); tellOwner() }
    override func moveObjects(at indexes: IndexSet, to idx: Int) { super.moveObjects(at: indexes, to: idx); tellOwner() }
    override func remove(_ val: Any) { super.remove(val); tellOwner() }
    override func removeAllObjects() { super.removeAllObjects(); tellOwner() }
    override func removeObjects(in array: [Any]) { super.removeObjects(in: array); tellOwner() }
    override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) { super.sort(comparator: cmptr); tellOwner() }
}
