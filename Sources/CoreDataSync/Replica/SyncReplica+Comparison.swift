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
            var blobs = row.blobs
            for (name, known) in plan.blobs[identity] ?? [:] { blobs[name] = known }
            let later = blobs.filter(\.value.isLater)
            if try self.digest(object, rows, later) == digest { return true }
        }
        return false
    }

    /// Makes pending changes of all objects that aren't as they were last sent or imported: insertions of unknown ones,
    /// changes of all properties of different ones, deletions of missing ones.
    ///
    /// When they were made isn't known: each change of another replica is later.
    ///
    /// - Parameter keepsPending: whether the pending changes are known to be all that programs have made of their
    ///   objects.
    func noteAll(keepsPending: Bool = false) throws {
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
                if let pending = try rows.noteDeletion(row, of: nil, base: state.base) { place(pending, state) }
            }
        }
        try noteInsertions(new, rows, state)
        // The new objects have UUIDs now, which the values of known ones may refer to.
        try rows.loadReferences(of: known.map(\.0))
        for (object, row) in known {
            // The program may have changed any value.
            guard let entity = schema.entity(of: object) else { continue }
            if keepsPending, try rows.unsent(row) != nil { continue }
            let waiting = entity.mayHaveBlobs ? row.keepPlaceholders(of: object, entity) : []
            guard try digest(object, rows, row.blobs) != row.digest else { continue }
            let names = entity.properties.keys.filter { !waiting.contains($0) }
            let bases = try rows.bases(of: names, row, state.base)
            let pending = try rows.unsent(row) ?? rows.makePending(row, .update)
            guard pending.kind != .delete else { continue }
            pending.bases = pending.bases.merging(bases) { _, new in new }
            place(pending, state)
        }
    }

    private func noteInsertions(_ new: [NSManagedObject], _ rows: SyncRows, _ state: SyncReplicaState) throws {
        let byID = Dictionary(new.map { ($0.objectID, $0) }) { one, _ in one }
        // An object comes after those that it refers to. Objects that refer to each other in a circle are one group.
        let order = SyncDependencyOrder(new.map(\.objectID)) { id in
            guard let object = byID[id] else { return [] }
            let properties = schema.entity(of: object)?.properties.values ?? [:].values
            return properties.flatMap { $0.references(of: object) }.filter { byID[$0] != nil }
        }
        try rows.load(
            identities: new.compactMap { object in
                schema.entity(of: object).flatMap { rows.identity(of: object, $0) }
            })
        for ids in order.groups {
            state.lastGroup += 1
            for object in ids.compactMap({ byID[$0] }) {
                guard let entity = schema.entity(of: object), let row = try rows.makeKnown(object, entity) else {
                    continue
                }
                let bases = try rows.bases(of: entity.properties.keys, row, state.base)
                let pending = try rows.unsent(row) ?? rows.makePending(row, .insert)
                if pending.kind == .delete { pending.kind = .update }
                pending.bases = bases
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

    /// The digest of an object as the model had it with which its row was made.
    ///
    /// - Parameter later: the large values that the object waits for.
    private func digest(
        _ object: NSManagedObject, _ rows: SyncRows, _ later: [String: SyncKnownBlob]
    ) throws -> Int64 {
        let values = try rows.values(of: object, blobs: later)
        guard let former = try formerNames(), let entity = schema.entity(of: object) else {
            return SyncDigest.of(values)
        }
        let names = former[entity.name] ?? []
        return SyncDigest.of(values.filter { names.contains($0.key) })
    }

    func objects(_ entity: SyncEntity) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.modelName)
        request.includesSubentities = false
        request.returnsObjectsAsFaults = false
        return try app.fetch(request)
    }
}
