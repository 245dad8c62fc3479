// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The IDs of the objects of one save. Sets of IDs are made at their first use: most are never used.
///
/// It has the keys of the objects, not the objects, since a message with the IDs may be read by any task, after the
/// objects have changed.
final class SavedObjectIDs: Sendable {
    /// Objects that follow one another, with one layout and one store.
    private struct Run: Sendable {
        let layout: EntityLayout
        let store: StoreIdentity?
        /// The owner of the layout.
        let model: RetainedModel
        let keys: [Int64]
    }

    private let runs: [[Run]]
    private let sets: Mutex<[Set<NSManagedObjectID>?]>

    /// - Parameter lists: the inserted, the updated and the deleted objects.
    init(_ lists: [ContiguousArray<NSManagedObject>]) {
        runs = lists.map(Self.runs)
        sets = Mutex(lists.map { _ in nil })
    }

    var inserted: Set<NSManagedObjectID> { ids(0) }
    var updated: Set<NSManagedObjectID> { ids(1) }
    var deleted: Set<NSManagedObjectID> { ids(2) }

    var isEmpty: Bool { runs.allSatisfy { $0.isEmpty } }

    /// The sets that are not empty, by their keys in a notification.
    var userInfo: [AnyHashable: Any] {
        var userInfo: [AnyHashable: Any] = [:]
        for (index, key) in [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey].enumerated()
        where !runs[index].isEmpty { userInfo[key] = ids(index) }
        return userInfo
    }

    private func ids(_ index: Int) -> Set<NSManagedObjectID> {
        sets.withLock { sets in
            if let known = sets[index] { return known }
            var set = Set<NSManagedObjectID>(minimumCapacity: runs[index].reduce(0) { $0 + $1.keys.count })
            for run in runs[index] {
                for key in run.keys { set.insert(NSManagedObjectID(layout: run.layout, store: run.store, key: key)) }
            }
            sets[index] = set
            return set
        }
    }

    private static func runs(_ objects: ContiguousArray<NSManagedObject>) -> [Run] {
        var runs: [Run] = []
        var start = 0
        while start < objects.count {
            let (layout, store) = (objects[start].layout, objects[start].table?.store)
            var keys: [Int64] = []
            var end = start
            objects.withUnsafeBufferPointer { objects in
                while end < objects.count {
                    let key = objects.unretained(at: end)._withUnsafeGuaranteedRef { object in
                        object.layoutNumber == layout.number && object.isStored(in: store) ? object.primaryKey : nil
                    }
                    guard let key else { break }
                    keys.append(key)
                    end += 1
                }
            }
            runs.append(Run(layout: layout, store: store, model: layout.model.retainedModel, keys: keys))
            start = end
        }
        return runs
    }
}
