/// The members of a to-many relationship as a set of their class, kept in step with the content once somebody has asked
/// for it: reading it between changes copies nothing.
class TypedMembers {
    /// Follows an insertion; false if the object is none of the class.
    func insert(_ object: NSManagedObject) -> Bool { false }
    /// Follows a removal.
    func remove(_ object: NSManagedObject) {}

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
    }
}
