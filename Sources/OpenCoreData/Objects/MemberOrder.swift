/// The members of an ordered relationship, in order.
///
/// Removed members stay in the list until the order is read; then all of them are removed in one pass.
struct MemberOrder {
    private var list: [NSManagedObject]
    /// Removed members that are still in the list.
    private var removed: Set<NSManagedObject> = []

    init(_ objects: [NSManagedObject] = []) { list = objects }

    var objects: [NSManagedObject] {
        mutating get {
            if !removed.isEmpty { compact() }
            return list
        }
    }

    /// Adds an object that is no member.
    ///
    /// - Parameter position: the index; nil for the end.
    /// - Returns: the object's index among the members.
    @discardableResult
    mutating func insert(_ object: NSManagedObject, at position: Int?) -> Int {
        if !removed.isEmpty && (position != nil || removed.contains(object)) { compact() }
        let index = min(position ?? .max, list.count)
        if index == list.count { list.append(object) } else { list.insert(object, at: index) }
        return index - removed.count
    }

    /// The index of a member, nil if it is none.
    mutating func index(of object: NSManagedObject) -> Int? {
        if !removed.isEmpty { compact() }
        if list.last === object { return list.count - 1 }
        return list.firstIndex { $0 === object }
    }

    /// Moves members, in their order.
    ///
    /// - Parameters:
    ///   - indexes: the indexes of the members.
    ///   - target: the index of the first of them after the move.
    /// - Returns: the members.
    mutating func move(_ indexes: IndexSet, to target: Int) -> [NSManagedObject] {
        if !removed.isEmpty { compact() }
        let objects = indexes.map { list[$0] }
        for range in indexes.rangeView.reversed() { list.removeSubrange(range) }
        list.insert(contentsOf: objects, at: target)
        return objects
    }

    /// Removes a member.
    ///
    /// - Parameter index: the member's index if it is known.
    mutating func remove(_ object: NSManagedObject, at index: Int? = nil) {
        if let index {
            list.remove(at: index)
        } else if removed.isEmpty && list.last === object {
            list.removeLast()
        } else {
            removed.insert(object)
        }
    }

    private mutating func compact() {
        if removed.count > 2 {
            list.removeAll(where: removed.contains)
        } else {
            for object in removed {
                if let index = list.firstIndex(where: { $0 === object }) { list.remove(at: index) }
            }
        }
        removed.removeAll()
    }
}

/// The members of a to-many relationship as a set of their class. The contents update it with each change of one
/// member once a typed accessor has read it, so that reading it between changes copies nothing.
class TypedMembers {
    /// Adds a member; false if the object has another class.
    func insert(_ object: NSManagedObject) -> Bool { false }
    /// Removes a member.
    func remove(_ object: NSManagedObject) {}
    /// Whether the set has exactly some members; for tests.
    func hasMembers(_ members: Set<NSManagedObject>) -> Bool { false }

    /// The members of one class.
    final class Of<Object: NSManagedObject>: TypedMembers {
        private(set) var objects: Set<Object>

        init(_ objects: Set<Object>) { self.objects = objects }

        override func insert(_ object: NSManagedObject) -> Bool {
            guard let object = object as? Object else { return false }
            objects.insert(object)
            return true
        }

        override func remove(_ object: NSManagedObject) {
            if let object = object as? Object { objects.remove(object) }
        }

        override func hasMembers(_ members: Set<NSManagedObject>) -> Bool { Set<NSManagedObject>(objects) == members }
    }
}
