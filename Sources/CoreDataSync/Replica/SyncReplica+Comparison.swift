// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Changes that no history tells: the replica compares the objects of the app's store with what it knows of them.
extension SyncReplica {
    /// Notes changes after the program has deleted history that the replica hasn't seen.
    func noteDeletedHistory(_ token: NSPersistentHistoryToken?, _ state: SyncReplicaState) throws {
        // The history would tell whether the save of an import that was interrupted was made.
        if let record = try planRecord() {
            if let plan = record.plan, try record.isSaved || isVisible(plan) {
                try mark(plan)
            } else {
                side.delete(record)
            }
        }
        try noteAll()
        state.token = token
        state.unseenImports = 0
        seenToken = token
        try side.save()
        settings.report(.historyDeleted)
    }

    /// Whether the app's store has what a plan changes.
    private func isVisible(_ plan: SyncImportPlan) throws -> Bool {
        app.reset()
        for key in plan.keys.values {
            guard let id = id(key.key, key.entityName) else { continue }
            if try app.objectIfPresent(id) != nil { return true }
        }
        let rows = SyncRows(self)
        let known = try known(Set(plan.digests.keys).union(plan.deleted))
        let objects = try rows.objects(known.values)
        for (identity, row) in known {
            let object = objects[identity]
            if plan.deleted.contains(identity), row.key != 0, object == nil { return true }
            guard let object, let digest = plan.digests[identity], digest != row.digest else { continue }
            if try SyncDigest.of(rows.values(of: object)) == digest { return true }
        }
        return false
    }

    /// Makes pending changes of all objects that aren't as they were last sent or imported: insertions of unknown ones,
    /// changes of all properties of different ones, deletions of missing ones.
    ///
    /// When they were made isn't known: each change of another replica is later.
    func noteAll() throws {
        let state = try state()
        app.reset()
        var (new, known): ([NSManagedObject], [(NSManagedObject, SyncKnownObject)]) = ([], [])
        let rows = SyncRows(self)
        for entity in schema.concreteEntities {
            let request = NSFetchRequest<SyncKnownObject>(entityName: "KnownObject")
            request.predicate = NSPredicate(format: "key != 0 AND entityName == %@", entity.name)
            var byKey = Dictionary(try side.fetch(request).map { ($0.key, $0) }) { one, _ in one }
            for object in try objects(entity) {
                if let row = byKey.removeValue(forKey: SyncObjectKey.key(of: object.objectID)) {
                    known.append((object, row))
                } else {
                    new.append(object)
                }
            }
            for row in byKey.values {
                if let pending = try rows.noteDeletion(row, of: nil) { place(pending, state) }
            }
        }
        try noteInsertions(new, rows, state)
        // The new objects have UUIDs now, which the values of known ones may refer to.
        try rows.loadReferences(of: known.map(\.0))
        for (object, row) in known where try SyncDigest.of(rows.values(of: object)) != row.digest {
            let pending = try rows.unsent(row) ?? rows.makePending(row, .update)
            guard pending.kind != .delete, let entity = schema.entity(of: object) else { continue }
            pending.bases = entity.properties.mapValues { _ in state.base }.merging(pending.bases) { _, old in old }
            place(pending, state)
        }
    }

    private func noteInsertions(_ new: [NSManagedObject], _ rows: SyncRows, _ state: SyncReplicaState) throws {
        for objects in SyncInsertionOrder(new, schema).groups {
            state.lastGroup += 1
            for object in objects {
                guard let entity = schema.entity(of: object), let row = try rows.makeKnown(object, entity) else {
                    continue
                }
                let pending = try rows.unsent(row) ?? rows.makePending(row, .insert)
                if pending.kind == .delete { pending.kind = .update }
                pending.bases = entity.properties.mapValues { _ in state.base }
                pending.group = state.lastGroup
                pending.time = Date.distantPast.timeIntervalSinceReferenceDate
            }
        }
    }

    /// Gives a change a group of its own, if it has none, and no time.
    private func place(_ pending: SyncPendingObject, _ state: SyncReplicaState) {
        if pending.group == 0 {
            state.lastGroup += 1
            pending.group = state.lastGroup
        }
        pending.time = Date.distantPast.timeIntervalSinceReferenceDate
    }

    func objects(_ entity: SyncEntity) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.modelName)
        request.includesSubentities = false
        request.returnsObjectsAsFaults = false
        return try app.fetch(request)
    }
}

/// The order in which new objects are sent: an object after those that it refers to. Objects that refer to each other
/// in a circle are one group.
struct SyncInsertionOrder {
    private(set) var groups: [[NSManagedObject]] = []
    private var order: [NSManagedObjectID: Int] = [:]
    private var lowest: [NSManagedObjectID: Int] = [:]
    private var open: [NSManagedObject] = []
    private var isOpen: Set<NSManagedObjectID> = []

    init(_ objects: [NSManagedObject], _ schema: SyncSchema) {
        let new = Dictionary(objects.map { ($0.objectID, $0) }) { one, _ in one }
        func targets(_ object: NSManagedObject) -> [NSManagedObject] {
            let properties = schema.entity(of: object)?.properties.values ?? [:].values
            return properties.flatMap { $0.references(of: object) }.compactMap { new[$0] }
        }
        // Tarjan's algorithm for strongly connected components, without recursion.
        for object in objects where order[object.objectID] == nil {
            var path: [(object: NSManagedObject, rest: [NSManagedObject])] = []
            visit(object)
            path.append((object, targets(object)))
            while let (current, rest) = path.last {
                let id = current.objectID
                guard let next = rest.last else {
                    path.removeLast()
                    if let parent = path.last?.object.objectID { lower(parent, to: lowest[id]) }
                    if lowest[id] == order[id] { close(current) }
                    continue
                }
                path[path.count - 1].rest.removeLast()
                if order[next.objectID] == nil {
                    visit(next)
                    path.append((next, targets(next)))
                } else if isOpen.contains(next.objectID) {
                    lower(id, to: order[next.objectID])
                }
            }
        }
    }

    private mutating func visit(_ object: NSManagedObject) {
        let id = object.objectID
        order[id] = order.count
        lowest[id] = order[id]
        open.append(object)
        isOpen.insert(id)
    }

    private mutating func lower(_ id: NSManagedObjectID, to number: Int?) {
        if let number, let present = lowest[id], number < present { lowest[id] = number }
    }

    /// Ends the group whose first object this is.
    private mutating func close(_ object: NSManagedObject) {
        var group: [NSManagedObject] = []
        while let last = open.popLast() {
            isOpen.remove(last.objectID)
            group.append(last)
            if last.objectID == object.objectID { break }
        }
        groups.append(group)
    }
}
