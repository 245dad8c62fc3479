// SPDX-License-Identifier: Apache-2.0

/// Objects that a notification reports. Their set is made at its first use: most sets are never used.
///
/// Used on the context's queue.
final class ChangedObjects {
    private let objects: ContiguousArray<NSManagedObject>
    private var known: Set<NSManagedObject>?

    /// - Parameter objects: the objects; one may be there twice.
    init(_ objects: ContiguousArray<NSManagedObject>) { self.objects = objects }

    init(_ set: Set<NSManagedObject>) {
        objects = ContiguousArray(set)
        known = set
    }

    var isEmpty: Bool { objects.isEmpty }

    var set: Set<NSManagedObject> {
        if let known { return known }
        var set = Set<NSManagedObject>(minimumCapacity: objects.count)
        for object in objects { set.insert(object) }
        known = set
        return set
    }
}
