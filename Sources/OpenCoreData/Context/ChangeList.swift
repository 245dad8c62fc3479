/// Objects in the order of their listing, each of which knows its position: adding and removing cost no hashing.
struct ChangeList {
    private(set) var objects: ContiguousArray<NSManagedObject> = []
    /// Counts the changes of the list itself.
    private(set) var serial = 0

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
    }

    mutating func removeAll() {
        serial &+= 1
        for object in objects { object.changeIndex = -1 }
        objects.removeAll()
    }
}
