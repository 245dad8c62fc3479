/// An unsaved object as predicates and sort descriptors see it: keys of other entities of its hierarchy are nil, as
/// they are in a store, instead of a mistake.
final class PendingObject: NSObject, KeyValueCoding, KeyPathKnowing, ComparableByIdentity {
    let object: NSManagedObject

    init(_ object: NSManagedObject) { self.object = object }

    func value(forKey key: String) -> Any? {
        guard let slot = object.layout.slot(named: key) else {
            return object.layout.hierarchyKnows(key) ? nil : object.value(forKey: key)
        }
        let value = object.value(forKey: key)
        switch value {
        case let destination as NSManagedObject where slot.kind == .toOne: return PendingObject(destination)
        case let members as NSOrderedSet where slot.kind == .toMany:
            return NSOrderedSet(array: members.array.map(Self.wrapped))
        case let members as NSSet where slot.kind == .toMany: return NSSet(array: members.allObjects.map(Self.wrapped))
        default: return value
        }
    }

    private static func wrapped(_ member: Any) -> Any { (member as? NSManagedObject).map(PendingObject.init) ?? member }

    func leadsToMany(_ path: ArraySlice<String>) -> Bool { object.leadsToMany(path) }

    var comparisonIdentity: NSObject { object.comparisonIdentity }

    override func isEqual(_ object: Any?) -> Bool { (object as? PendingObject)?.object === self.object }
    override var hash: Int { self.object.hash }
    override var description: String { object.description }
}

extension EntityLayout {
    /// Whether any entity of the hierarchy has a property of that name.
    func hierarchyKnows(_ key: String) -> Bool {
        let first = model[root]
        return (first.number...(first.number + first.span)).contains { model[$0].position(of: key) != nil }
    }
}
