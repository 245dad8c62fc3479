// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The saves of the server's own program get positions, as pushes of a replica with the number 0 would.
extension SyncService {
    /// Gives a position to what others have saved since the last look.
    ///
    /// - Throws: errors of the stores. The records are then as before.
    func noteOtherWriters() throws {
        guard !variant.contains(.overlooksWriters), isChangedSinceLook() else { return }
        let coordinator = context.persistentStoreCoordinator
        let before = coordinator?.currentPersistentHistoryToken(fromStores: nil)
        let state = try state()
        do {
            var others = try transactions(after: seenToken ?? state.token)
            // A migration has ended the history, and the newest transaction is the server's own.
            if others == nil, state.transaction > 0, number(before) == state.transaction { others = [] }
            // A store that had objects before it synced: its history may not have their insertions.
            let isFirst = state.token == nil || others == nil
            var noted: [SyncObjectChange] = []
            if let others, !isFirst {
                noted = try note(SavedChange.last(in: others, schema, withAll: scopes != nil))
            } else {
                if others == nil { try noteDeletedHistory(state) }
                noted = try noteAll()
            }
            let newest = others?.last?.token
            seenToken = number(newest) > number(before) ? newest : before
            if isFirst || others?.isEmpty == false { try saveNoted() }
            forget()
            if !noted.isEmpty { log?(noted) }
        } catch {
            undo()
            throw error
        }
    }

    /// Gives positions to all saves, and notes that no other one came: a migration may end the history then.
    func noteEnd() throws {
        try noteOtherWriters()
        guard try state().transaction != number(seenToken) else { return }
        try saveNoted()
    }

    /// Saves the context, and how far the history was looked at.
    func saveNoted() throws {
        let state = try state()
        if let seenToken {
            state.token = seenToken
            state.transaction = number(seenToken) + 1
        }
        guard context.hasChanges else { return }
        try context.save()
        let token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        // The only transaction since the last look is the save.
        if seenToken != nil, number(token) == number(seenToken) + 1 { seenToken = token }
    }

    private func number(_ token: NSPersistentHistoryToken?) -> Int64 { token?.transactions.values.max() ?? 0 }

    /// Whether the store has a newer transaction than the last look at its history found.
    func isChangedSinceLook() -> Bool {
        let token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        return seenToken == nil || token != seenToken
    }

    /// The transactions of other authors; nil if some after the token were deleted.
    private func transactions(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction]? {
        guard let token else { return [] }
        return try context.transactions(
            after: token, where: NSPredicate(format: "author == nil OR author != %@", Self.author))
    }

    /// Gives all objects a position, as if each had changed, and notes the missing ones as deleted. When they changed
    /// isn't known: each change of a replica is later.
    private func noteDeletedHistory(_ state: SyncServerState) throws {
        let position = try takePosition()
        let fetch = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
        fetch.predicate = NSPredicate(format: "isAlive == YES")
        let records = try context.fetch(fetch)
        let objects = try objects(of: records)
        let time = Date.distantPast.timeIntervalSinceReferenceDate
        for record in records {
            record.isAlive = objects[record.objectID] != nil
            record.position = position
            record.stamps = SyncStamps(SyncStamps.Stamp(position: position, time: time, replica: 0))
        }
        let all = Dictionary(uniqueKeysWithValues: records.map { ($0, Set<String>?.none) })
        try noteBlobs(all) { objects[$0.objectID] }
        guard scopes != nil else { return }
        // The edges are found anew, and replicas take all objects of their scopes again.
        state.horizon = max(state.horizon, position)
        state.scopes = -1
    }

    // MARK: Notes

    /// - Returns: the changes for the log, if there is one.
    private func note(_ changes: [NSManagedObjectID: SavedChange]) throws -> [SyncObjectChange] {
        let known = try records(of: changes.keys)
        // An object that came and went since the last look needs no position.
        let changes = changes.filter { !$0.value.isDeleted || known[$0.key] != nil }
        guard !changes.isEmpty else { return [] }
        let position = try takePosition()
        var noted: [SyncObjectChange] = []
        var (changed, values): ([SyncRecord: Set<String>?], [SyncRecord: Set<String>?]) = ([:], [:])
        var taken: Set<UUID> = []
        // Deletions first: a new object may have the identifying value of a deleted one.
        func place(_ entry: (key: NSManagedObjectID, value: SavedChange)) -> (Int, String, Int64) {
            (entry.value.isDeleted ? 0 : 1, entry.key.entity.name ?? "", SyncObjectKey.key(of: entry.key))
        }
        let new = try newObjects(changes.keys.filter { known[$0] == nil })
        for (id, change) in changes.sorted(by: { place($0) < place($1) }) {
            guard let entity = schema.entity(of: id) else { continue }
            if change.isDeleted {
                guard let record = known[id] else { continue }
                record.isAlive = false
                record.position = position
                record.stamps = SyncStamps(stamp(position))
                changed[record] = .some([])
                values[record] = .some(nil)
                noted.append(self.change(record, .delete))
            } else if let record = known[id] {
                changed[record] = .some(change.names)
                if change.properties.isEmpty { continue }
                var stamps = record.stamps
                for name in change.properties { stamps[name] = stamp(position) }
                record.stamps = stamps
                record.position = position
                values[record] = .some(change.properties)
                noted.append(self.change(record, .update, change.properties))
            } else if let object = new[id], let record = try insertRecord(of: object, entity, position, &taken) {
                changed[record] = .some(nil)
                values[record] = .some(nil)
                noted.append(self.change(record, .insert, Set(entity.properties.keys)))
            }
        }
        try noteBlobs(values) { try object(of: $0) }
        try noteEdges(changed, at: position)
        return try forLog(noted)
    }

    /// Makes records of all objects that have none.
    private func noteAll() throws -> [SyncObjectChange] {
        var position: Int64?
        var noted: [SyncObjectChange] = []
        var changed: [SyncRecord: Set<String>?] = [:]
        var taken: Set<UUID> = []
        for entity in schema.concreteEntities {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.modelName)
            request.includesSubentities = false
            request.resultType = .managedObjectIDResultType
            let ids = try context.fetch(request)
            let known = try records(of: ids)
            let unknown = ids.filter { known[$0] == nil }
            let new = try newObjects(unknown)
            for object in unknown.compactMap({ new[$0] }) {
                if position == nil { position = try takePosition() }
                guard let record = try insertRecord(of: object, entity, position ?? 0, &taken) else { continue }
                changed[record] = .some(nil)
                noted.append(change(record, .insert, Set(entity.properties.keys)))
            }
        }
        try noteBlobs(changed) { try object(of: $0) }
        if let position { try noteEdges(changed, at: position) }
        return try forLog(noted)
    }

    /// The objects of IDs that are in the store. The records that may have their UUIDs are looked up at once: a fetch
    /// for each object would compare it with all records that aren't saved.
    private func newObjects(_ ids: [NSManagedObjectID]) throws -> [NSManagedObjectID: NSManagedObject] {
        var (objects, identities): ([NSManagedObjectID: NSManagedObject], [UUID]) = ([:], [])
        for (description, ids) in Dictionary(grouping: ids, by: \.entity) {
            guard let entity = schema.entity(description) else { continue }
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.modelName)
            request.includesSubentities = false
            request.predicate = NSPredicate(format: "SELF IN %@", ids)
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) {
                objects[object.objectID] = object
                if let identity = entity.identity(of: object) { identities += [identity] + former(entity, object) }
            }
        }
        _ = try records(identities)
        return objects
    }

    /// The UUIDs that other versions of the model give an object.
    private func former(_ entity: SyncEntity, _ object: NSManagedObject) -> [UUID] {
        entity.identityAttribute.map { versions.identities(entity, object.value(forKey: $0)) } ?? []
    }

    /// - Returns: nil for a second object with the same identifying value.
    private func insertRecord(
        of object: NSManagedObject, _ entity: SyncEntity, _ position: Int64, _ taken: inout Set<UUID>
    ) throws -> SyncRecord? {
        let named = entity.identity(of: object)
        let identity = named ?? makeUUID()
        if named == nil { found.absent.insert(identity) }
        let all = former(entity, object)
        let present = try records(all + [identity])
        let known = present[identity]
        guard taken.insert(identity).inserted, !present.values.contains(where: \.isAlive) else {
            report(SyncServerError.sameIdentity(entity.modelName, identity))
            return nil
        }
        let record = try known ?? makeRecord(identity)
        record.target = nil
        record.entityName = entity.name
        record.key = SyncObjectKey.key(of: object.objectID)
        record.life += 1
        record.isAlive = true
        record.position = position
        record.stamps = SyncStamps(stamp(position))
        return record
    }

    private func stamp(_ position: Int64) -> SyncStamps.Stamp {
        SyncStamps.Stamp(position: position, time: now(), replica: 0)
    }

    // MARK: The log

    private func change(
        _ record: SyncRecord, _ kind: SyncObjectChange.Kind, _ names: Set<String> = []
    ) -> SyncObjectChange {
        SyncObjectChange(
            object: record.identity, entity: record.entityName, kind: kind, life: record.life, time: now(),
            properties: Dictionary(
                uniqueKeysWithValues: names.map { ($0, SyncPropertyChange(base: .max, change: .value(.null))) }))
    }

    private func forLog(_ changes: [SyncObjectChange]) throws -> [SyncObjectChange] {
        try log == nil ? [] : changes.map { try withValues($0) }
    }

    /// A change of the log with the present values of its properties.
    private func withValues(_ change: SyncObjectChange) throws -> SyncObjectChange {
        var change = change
        guard change.kind != .delete, let record = try records([change.object])[change.object],
            let object = try object(of: record), let entity = schema.entity(of: object)
        else { return change }
        for name in change.properties.keys {
            guard let property = entity.properties[name] else { continue }
            let value = try property.value(of: object) { id in
                try records(of: [id])[id]?.identity
                    ?? context.insertedObjects.lazy.compactMap { $0 as? SyncRecord }
                    .first { $0.key == SyncObjectKey.key(of: id) && $0.entityName == schema.entity(of: id)?.name }?
                    .identity
            }
            change.properties[name]?.change = .value(value)
        }
        return change
    }
}

/// The change of an object by transactions of others in all.
private struct SavedChange {
    var isDeleted = false
    /// The changed properties that travel, and all changed ones.
    var (properties, names): (Set<String>, Set<String>) = ([], [])

    /// - Parameter withAll: whether changes count of properties that don't travel.
    static func last(
        in transactions: [NSPersistentHistoryTransaction], _ schema: SyncSchema, withAll: Bool
    ) -> [NSManagedObjectID: SavedChange] {
        var result: [NSManagedObjectID: SavedChange] = [:]
        for change in transactions.flatMap({ $0.changes ?? [] }) {
            guard let entity = schema.entity(of: change.changedObjectID) else { continue }
            let all = (change.updatedProperties ?? []).map(\.name)
            let names = entity.names(all)
            if change.changeType == .update, (withAll ? all : names).isEmpty { continue }
            result[change.changedObjectID, default: SavedChange()].properties.formUnion(names)
            result[change.changedObjectID]?.names.formUnion(all)
            if change.changeType == .delete { result[change.changedObjectID]?.isDeleted = true }
        }
        return result
    }
}

/// Mistakes of the server's program that a server reports to it.
enum SyncServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The program has inserted a second object with the identifying value of another one. It doesn't travel.
    case sameIdentity(String, UUID)

    var description: String {
        switch self {
        case .sameIdentity(let entity, let identity):
            "An object of “\(entity)” has the identifying value of another one, and doesn't travel: \(identity)."
        }
    }
}
