// SPDX-License-Identifier: Apache-2.0

/// The result of `mutableSetValue(forKey:)`: a set that reads and writes the relationship.
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

    // MARK: Reading

    override var count: Int { content.count }

    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSManagedObject, content.contains(object) else { return nil }
        return object
    }

    override func objectEnumerator() -> NSEnumerator { MemberEnumerator(content.members) }
    override func anyObject() -> Any? { content.anyMember }
    override var allObjects: [Any] { content.members }
    override func copy(with zone: NSZone? = nil) -> Any { content.set }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: content.members) }
    override var description: String { content.set.description }

    // MARK: Changing

    override func add(_ object: Any) { owner.addMember(checked(object), slot) }

    override func remove(_ object: Any) {
        if let object = object as? NSManagedObject { owner.removeMember(object, slot) }
    }

    override func removeAllObjects() { owner.replaceMembers([], slot) }
    override func setSet(_ otherSet: Set<AnyHashable>) { owner.replaceMembers(otherSet.map { checked($0.base) }, slot) }

    private func checked(_ object: Any) -> NSManagedObject {
        if let object = object as? NSManagedObject { return object }
        programmingError(
            """
            Relationship '\(slot.name)' of entity '\(owner.layout.name)' holds managed objects, not \
            \(type(of: object)).
            """,
            remedy: "Add an NSManagedObject of its destination entity.")
    }
}

/// Goes through the members that a relationship had when the enumeration began.
private final class MemberEnumerator: NSEnumerator {
    private var iterator: [NSManagedObject].Iterator

    init(_ members: [NSManagedObject]) { iterator = members.makeIterator() }

    override func nextObject() -> Any? { iterator.next() }
}
