/// What `mutableSetValue(forKey:)` gives: a set that writes through to the relationship.
final class RelationshipMutableSet: NSMutableSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(owner: NSManagedObject, slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(capacity: 0)
    }

    required init(capacity numItems: Int) {
        programmingError("A relationship's set can't be made on its own.", remedy: "Use mutableSetValue(forKey:).")
    }

    required convenience init?(coder: NSCoder) { nil }

    required override init(objects: UnsafePointer<AnyObject>?, count cnt: Int) {
        programmingError("A relationship's set can't be made on its own.", remedy: "Use mutableSetValue(forKey:).")
    }

    private var content: ToManyContent { owner.toManyContent(slot, loading: true) }

    override var count: Int { content.count }

    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSManagedObject, content.contains(object) else { return nil }
        return object
    }

    override func objectEnumerator() -> NSEnumerator { content.set.objectEnumerator() }

    override func add(_ object: Any) { owner.addMember(checked(object), slot) }

    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject { owner.removeMember(object, slot) }
    }

    override func copy(with zone: NSZone? = nil) -> Any { content.set }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: Array(content.members)) }
    override var description: String { content.set.description }

    private func checked(_ object: Any) -> NSManagedObject {
        if let object = object as? NSManagedObject { return object }
        programmingError(
            "Relationship '\(slot.name)' of entity '\(owner.layout.name)' holds managed objects, not \(type(of: object)).",
            remedy: "Add an NSManagedObject of its destination entity.")
    }
}
