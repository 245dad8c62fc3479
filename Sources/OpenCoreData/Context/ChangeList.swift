/// Objects in the order of their listing, each of which knows its position: adding and removing cost no hashing.
struct ChangeList {
    private(set) var objects: ContiguousArray<NSManagedObject> = []
    /// Counts the changes of the list itself.
    private(set) var serial = 0
    /// Objects listed since somebody has last taken them, some of which may have left again; kept only if wanted.
    private var recent: [NSManagedObject] = []
    private let keepsRecent: Bool
    /// The first objects of the list by the number of their layout, as far as somebody has asked; none once an object
    /// has left.
    private var groups: [UInt32: [NSManagedObject]] = [:]
    private var groupedCount = 0

    init(keepsRecent: Bool = false) { self.keepsRecent = keepsRecent }

    var isEmpty: Bool { objects.isEmpty }
    var set: Set<NSManagedObject> {
        var set = Set<NSManagedObject>(minimumCapacity: objects.count)
        for object in objects { set.insert(object) }
        return set
    }

    mutating func append(_ object: NSManagedObject) {
        serial &+= 1
        object.changeIndex = Int32(objects.count)
        objects.append(object)
        if keepsRecent { recent.append(object) }
    }

    mutating func remove(_ object: NSManagedObject) {
        let index = Int(object.changeIndex)
        guard index >= 0, index < objects.count, objects[index] === object else { return }
        serial &+= 1
        object.changeIndex = -1
        let last = objects.removeLast()
        if last !== object {
            objects[index] = last
            last.changeIndex = Int32(index)
        }
        if groupedCount > 0 { forgetGroups() }
    }

    mutating func removeAll() {
        serial &+= 1
        for object in objects { object.changeIndex = -1 }
        objects.removeAll()
        recent = []
        forgetGroups()
    }

    // MARK: Recent objects

    /// Whether objects were listed that nobody has taken yet.
    var hasRecent: Bool { !recent.isEmpty }

    mutating func takeRecent() -> [NSManagedObject] {
        defer { recent = [] }
        return recent
    }

    /// Gives objects back that were taken, to be taken again.
    mutating func returnRecent(_ objects: [NSManagedObject]) { recent += objects }

    // MARK: By entity

    /// The objects of an entity, in their order. While objects only come, asking again costs no look at the others.
    mutating func objects(of layout: EntityLayout, includingSubentities: Bool) -> [NSManagedObject] {
        if groupedCount < objects.count {
            for object in objects[groupedCount...] { groups[object.layoutNumber, default: []].append(object) }
            groupedCount = objects.count
        }
        guard includingSubentities, layout.span > 0 else { return groups[layout.number] ?? [] }
        let present = groups.keys.filter { $0 &- layout.number <= layout.span }
        let found = present.flatMap { groups[$0] ?? [] }
        return present.count > 1 ? found.sorted { $0.changeIndex < $1.changeIndex } : found
    }

    private mutating func forgetGroups() {
        groups = [:]
        groupedCount = 0
    }
}
