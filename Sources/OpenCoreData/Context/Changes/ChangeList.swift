// SPDX-License-Identifier: Apache-2.0

/// A list of changed objects. Each object stores its index in the list, so that adding and removing need no hashing.
struct ChangeList {
    private(set) var objects: ContiguousArray<NSManagedObject> = []
    /// Counts the changes of the list.
    private(set) var serial = 0
    /// The objects that were added since the last `removeUnprocessed()`; some may have been removed again. Empty unless
    /// `tracksUnprocessed`.
    private var unprocessed: [NSManagedObject] = []
    private let tracksUnprocessed: Bool
    /// The first `groupedCount` objects of the list, by the number of their layout. Emptied when an object is removed.
    private var groups: [UInt32: [NSManagedObject]] = [:]
    private var groupedCount = 0

    /// - Parameter tracksUnprocessed: whether the list remembers which objects are new to `removeUnprocessed()`.
    init(tracksUnprocessed: Bool = false) { self.tracksUnprocessed = tracksUnprocessed }

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
        if tracksUnprocessed { unprocessed.append(object) }
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
        if groupedCount > 0 { removeGroups() }
    }

    mutating func removeAll() {
        serial &+= 1
        objects.forEachUnretained { $1.changeIndex = -1 }
        objects.removeAll()
        unprocessed = []
        removeGroups()
    }

    // MARK: Unprocessed objects

    var hasUnprocessed: Bool { !unprocessed.isEmpty }

    /// The objects that were added since the last call.
    mutating func removeUnprocessed() -> [NSManagedObject] {
        defer { unprocessed = [] }
        return unprocessed
    }

    /// Puts objects back, so that the next `removeUnprocessed()` returns them again.
    mutating func appendUnprocessed(_ objects: [NSManagedObject]) { unprocessed += objects }

    // MARK: By entity

    /// The objects of an entity, in their order. As long as objects are only added, all calls together examine each
    /// object once.
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

    private mutating func removeGroups() {
        groups = [:]
        groupedCount = 0
    }
}
