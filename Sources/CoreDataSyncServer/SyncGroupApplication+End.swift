// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The end of applied groups: merged objects, positions, and changes of the scopes.
extension SyncGroupApplication {
    /// Inserted objects that have a unique value of another one, and those objects. Each kind of pair is found: with an
    /// object of the store, and with another inserted one.
    func merging(_ conflicts: [NSConstraintConflict]) throws -> [UUID: UUID] {
        let identities = Dictionary(objects.map { ($0.value.objectID, $0.key) }) { one, _ in one }
        var result: [UUID: UUID] = [:]
        for conflict in conflicts {
            let ids = (conflict.conflictingObjects + [conflict.databaseObject].compactMap { $0 }).map(\.objectID)
            let known = try service.records(of: ids.filter { identities[$0] == nil }).mapValues(\.identity)
            // Nothing is said of an object that the account may not have.
            let visible = try visibility?.visible(Array(known.keys))
            let all = ids.compactMap { id in
                identities[id] ?? (visible?.contains(id) ?? true ? known[id] : nil)
            }.sorted()
            guard let target = all.first(where: { !inserted.contains($0) }) ?? all.first else { continue }
            for identity in all where inserted.contains(identity) && identity != target { result[identity] = target }
        }
        return result
    }

    /// Notes the merged objects, so that later changes find the ones that they are.
    mutating func finishMerges(at position: Int64) throws {
        for (identity, target) in merged {
            let known = try service.records([identity])[identity]
            // Another object, which the account may not have, has the UUID.
            if let known, known.isAlive {
                throw SyncRefusal(reason: .notUnique, object: identity, text: "Another object has the value.")
            }
            let record = try known ?? service.makeRecord(identity)
            record.entityName = try service.records([target])[target]?.entityName ?? records[target]?.entityName ?? ""
            record.target = target
            record.isAlive = false
            record.life += 1
            record.position = position
            record.stamps = SyncStamps(SyncStamps.Stamp(position: position, time: service.now(), replica: replica))
        }
    }

    /// Gives everything that changed a position: what was taken, and what delete rules and inverses changed.
    mutating func finish(at position: Int64) throws {
        context.processPendingChanges()
        finishInsertedAndDeleted(at: position)
        let order = inserted.sorted()
        try context.obtainPermanentIDs(for: order.compactMap { objects[$0] })
        for identity in order {
            if let object = objects[identity] { records[identity]?.key = SyncObjectKey.key(of: object.objectID) }
        }
        let known = try recordsOfChangedObjects()
        let others = Dictionary(known.values.map { ($0.identity, $0) }) { one, _ in one }
        for object in context.updatedObjects.union(context.insertedObjects) where !(object is SyncRecord) {
            guard let record = known[object.objectID], let entity = service.schema.entity(of: object) else { continue }
            let names = entity.names(object.changedValues().keys)
            for name in names where taken[record.identity]?[name] == nil {
                taken[record.identity, default: [:]][name] = SyncStamps.Stamp(
                    position: position, time: service.now(), replica: 0)
            }
        }
        for (identity, changes) in taken {
            guard let record = records[identity] ?? others[identity] else {
                continue
            }
            var stamps = stamps[identity] ?? record.stamps
            if inserted.contains(identity) {
                stamps = SyncStamps(
                    SyncStamps.Stamp(position: position, time: stamps.common.time, replica: stamps.common.replica))
            }
            for (name, stamp) in changes {
                stamps[name] = SyncStamps.Stamp(position: position, time: stamp.time, replica: stamp.replica)
            }
            record.stamps = stamps
            record.position = position
        }
        for identity in inserted where taken[identity] == nil {
            guard let record = records[identity], var stamps = stamps[identity] else { continue }
            stamps = SyncStamps(
                SyncStamps.Stamp(position: position, time: stamps.common.time, replica: stamps.common.replica))
            record.stamps = stamps
            record.position = position
        }
        for object in context.deletedObjects {
            if let record = known[object.objectID] { finishDeletion(record, at: position) }
        }
        try finishBlobs(known, others)
        if service.scopes != nil { try finishEdges(known, at: position) }
    }

    /// Notes the large values of what changed.
    private func finishBlobs(_ known: [NSManagedObjectID: SyncRecord], _ others: [UUID: SyncRecord]) throws {
        var changed: [SyncRecord: Set<String>?] = [:]
        for (identity, names) in taken where !inserted.contains(identity) {
            if let record = records[identity] ?? others[identity] { changed[record] = .some(Set(names.keys)) }
        }
        for identity in inserted { if let record = records[identity] { changed[record] = .some(nil) } }
        for object in context.deletedObjects {
            if let record = known[object.objectID] { changed[record] = .some(nil) }
        }
        try service.noteBlobs(changed, { try objects[$0.identity] ?? service.object(of: $0) }, known: blobs)
    }

    /// Notes what the changes mean for the scopes.
    private func finishEdges(_ known: [NSManagedObjectID: SyncRecord], at position: Int64) throws {
        var changed: [SyncRecord: Set<String>?] = [:]
        for object in context.updatedObjects where !(object is SyncRecord) {
            guard let record = known[object.objectID] else { continue }
            changed[record] = .some(Set(object.changedValues().keys))
        }
        for identity in inserted { if let record = records[identity] { changed[record] = .some(nil) } }
        for object in context.deletedObjects {
            if let record = known[object.objectID] { changed[record] = .some([]) }
        }
        try service.noteEdges(changed, at: position)
    }

    /// Notes the death of objects that were inserted and, by a change or a delete rule, deleted: the context forgets
    /// them.
    private mutating func finishInsertedAndDeleted(at position: Int64) {
        let present = context.insertedObjects
        for identity in inserted {
            if let object = objects[identity], present.contains(object) { continue }
            if let record = records[identity] { finishDeletion(record, at: position) }
            inserted.remove(identity)
            objects[identity] = nil
            taken[identity] = nil
        }
    }

    private func finishDeletion(_ record: SyncRecord, at position: Int64) {
        record.isAlive = false
        record.position = position
        record.stamps = SyncStamps(SyncStamps.Stamp(position: position, time: service.now(), replica: replica))
    }

    private func recordsOfChangedObjects() throws -> [NSManagedObjectID: SyncRecord] {
        var known: [NSManagedObjectID: SyncRecord] = [:]
        for (identity, object) in objects { known[object.objectID] = records[identity] }
        let changed = context.updatedObjects.union(context.deletedObjects)
            .filter { service.schema.entity(of: $0) != nil && known[$0.objectID] == nil }
        return known.merging(try service.records(of: changed.map(\.objectID))) { one, _ in one }
    }
}
