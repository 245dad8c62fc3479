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
            if let plan = record.plan, try record.isSaved || isVisible(plan) { try mark(plan) } else { side.delete(record) }
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
            if let id = SyncObjectKey.id(key.key, key.entityName, in: coordinator), try existing(id) != nil { return true }
        }
        let rows = try known(Set(plan.digests.keys).union(plan.deleted))
        for (identity, row) in rows {
            let object = try object(row)
            if plan.deleted.contains(identity), row.key != 0, object == nil { return true }
            guard let object, let digest = plan.digests[identity], digest != row.digest else { continue }
            if try self.digest(object) == digest { return true }
        }
        return false
    }

    /// The digest of an object as it is in the context of the app's store.
    func digest(_ object: NSManagedObject) throws -> Int64 {
        let properties = schema.entity(of: object)?.properties ?? [:]
        return try SyncDigest.of(
            properties.mapValues { try $0.value(of: object) { try known(of: $0)?.identity } })
    }

    /// Makes pending changes of all objects that aren't as they were last sent or imported: insertions of unknown ones,
    /// changes of all properties of different ones, deletions of missing ones.
    ///
    /// When they were made isn't known: each change of another replica is later.
    func noteAll() throws {
        let state = try state()
        app.reset()
        var (new, known): ([NSManagedObject], [(NSManagedObject, SyncKnownObject)]) = ([], [])
        for entity in schema.entities.values.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
            let request = NSFetchRequest<SyncKnownObject>(entityName: "KnownObject")
            request.predicate = NSPredicate(format: "key != 0 AND entityName == %@", entity.name)
            var rows = Dictionary(try side.fetch(request).map { ($0.key, $0) }) { one, _ in one }
            for object in try objects(entity) {
                if let row = rows.removeValue(forKey: SyncObjectKey.key(of: object.objectID)) {
                    known.append((object, row))
                } else {
                    new.append(object)
                }
            }
            for row in rows.values {
                if let pending = try noteDeletion(row) { place(pending, state) }
            }
        }
        try noteInsertions(new, state)
        // The new objects have UUIDs now, which the values of known ones may refer to.
        for (object, row) in known where try digest(object) != row.digest {
            let pending = try unfrozen(row) ?? makePending(row, .update)
            guard pending.kind != .delete, let entity = schema.entity(of: object) else { continue }
            pending.bases = entity.properties.mapValues { _ in state.base }.merging(pending.bases) { _, old in old }
            place(pending, state)
        }
    }

    private func noteInsertions(_ new: [NSManagedObject], _ state: SyncReplicaState) throws {
        for objects in try SyncInsertionOrder(new, schema).groups {
            state.lastGroup += 1
            for object in objects {
                guard let entity = schema.entity(of: object), let row = try identify(object.objectID, entity) else {
                    continue
                }
                let pending = try unfrozen(row) ?? makePending(row, .insert)
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
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
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

    init(_ objects: [NSManagedObject], _ schema: SyncSchema) throws {
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
