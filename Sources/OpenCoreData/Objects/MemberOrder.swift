/// The members of an ordered relationship, in order. Those that leave are taken out when the order is next read, all at
/// once.
struct MemberOrder {
    private var list: [NSManagedObject]
    /// Members that have left, but are still listed.
    private var leaving: Set<NSManagedObject> = []

    init(_ objects: [NSManagedObject] = []) { list = objects }

    var objects: [NSManagedObject] {
        mutating get {
            if !leaving.isEmpty { settle() }
            return list
        }
    }

    /// Adds an object that is no member; at the end if there is no position.
    ///
    /// - Returns: its place among the members.
    @discardableResult
    mutating func insert(_ object: NSManagedObject, at position: Int?) -> Int {
        if !leaving.isEmpty && (position != nil || leaving.contains(object)) { settle() }
        let place = min(position ?? .max, list.count)
        if place == list.count { list.append(object) } else { list.insert(object, at: place) }
        return place - leaving.count
    }

    /// Removes a member.
    mutating func remove(_ object: NSManagedObject) {
        if leaving.isEmpty && list.last === object {
            list.removeLast()
        } else {
            leaving.insert(object)
        }
    }

    private mutating func settle() {
        if leaving.count > 2 {
            list.removeAll(where: leaving.contains)
        } else {
            for object in leaving {
                if let index = list.firstIndex(where: { $0 === object }) { list.remove(at: index) }
            }
        }
        leaving.removeAll()
    }
}
