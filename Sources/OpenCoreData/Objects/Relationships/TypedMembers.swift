// SPDX-License-Identifier: Apache-2.0

/// The members of a to-many relationship as a set of their class. The contents update it with each change of one
/// member once a typed accessor has read it, so that reading it between changes copies nothing.
class TypedMembers {
    /// Adds a member; false if the object has another class.
    func insert(_ object: NSManagedObject) -> Bool { false }
    /// Removes a member.
    func remove(_ object: NSManagedObject) {}
    /// Whether the set has exactly some members; for tests.
    func hasMembers(_ members: [NSManagedObject]) -> Bool { false }

    /// The members of one class.
    final class Of<Object: NSManagedObject>: TypedMembers {
        private(set) var objects: Set<Object>

        /// Nil if one of the members has another class.
        init?(_ members: [NSManagedObject]) {
            objects = Set(minimumCapacity: members.count)
            super.init()
            for member in members {
                guard let member = member as? Object else { return nil }
                objects.insert(member)
            }
        }

        override func insert(_ object: NSManagedObject) -> Bool {
            guard let object = object as? Object else { return false }
            objects.insert(object)
            return true
        }

        override func remove(_ object: NSManagedObject) {
            if let object = object as? Object { objects.remove(object) }
        }

        override func hasMembers(_ members: [NSManagedObject]) -> Bool {
            Set<NSManagedObject>(objects) == Set(members)
        }
    }
}
