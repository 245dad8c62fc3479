// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The rows that a request has looked up, until the context forgets its objects.
struct SyncFoundRows {
    struct Answer: Hashable {
        let replica: Int64
        let push: Int64
    }

    var state: SyncServerState?
    var replicas: [UUID: SyncReplicaRecord] = [:]
    /// Nil for an answer that doesn't exist.
    var answers: [Answer: SyncAnswerRecord?] = [:]
    var records: [UUID: SyncRecord] = [:]
    /// The UUIDs without a record.
    var absent: Set<UUID> = []
}

extension SyncService {
    /// Forgets all objects, with their changes: the next request reads them anew.
    func forget() {
        found = SyncFoundRows()
        context.reset()
    }

    /// Takes the changes of the context back.
    func undo() {
        found = SyncFoundRows()
        context.rollback()
    }

    /// The row with the counters. The first request makes it.
    func state() throws -> SyncServerState {
        if let known = found.state { return known }
        let request = NSFetchRequest<SyncServerState>(entityName: "SyncServerState")
        let state = try context.fetch(request).first ?? make(SyncServerState.self, "SyncServerState")
        found.state = state
        return state
    }

    /// Takes the next position. A second process that takes it too can't save: the number is unique.
    func takePosition() throws -> Int64 {
        let state = try state()
        state.number += 1
        state.nonce = makeNonce()
        let save = try make(SyncSaveRecord.self, "SyncSave")
        save.number = state.number
        save.nonce = state.nonce
        return state.number
    }

    func make<Row: NSManagedObject>(_ type: Row.Type, _ entity: String) throws -> Row {
        guard let row = NSEntityDescription.insertNewObject(forEntityName: entity, into: context) as? Row else {
            throw SyncFailure(.unavailable, "The server's model has another class for \(entity).")
        }
        return row
    }

    // MARK: Replicas

    func replicaRecord(_ replica: UUID) throws -> SyncReplicaRecord? {
        if let known = found.replicas[replica] { return known }
        let request = NSFetchRequest<SyncReplicaRecord>(entityName: "SyncReplica")
        request.predicate = NSPredicate(format: "replica == %@", replica as NSUUID)
        let record = try context.fetch(request).first
        found.replicas[replica] = record
        return record
    }

    /// The answer to a push of the replica with a number; nil if there is none.
    func answerRecord(_ replica: Int64, push: Int64) throws -> SyncAnswerRecord? {
        let answer = SyncFoundRows.Answer(replica: replica, push: push)
        if let known = found.answers[answer] { return known }
        let request = NSFetchRequest<SyncAnswerRecord>(entityName: "SyncAnswer")
        request.predicate = NSPredicate(format: "replica == %ld AND push == %ld", replica, push)
        let record = try context.fetch(request).first
        found.answers[answer] = .some(record)
        return record
    }

    func makeAnswerRecord(_ replica: Int64, push: Int64) throws -> SyncAnswerRecord {
        let record = try make(SyncAnswerRecord.self, "SyncAnswer")
        record.setValue(replica, forKey: "replica")
        record.setValue(push, forKey: "push")
        found.answers[SyncFoundRows.Answer(replica: replica, push: push)] = record
        return record
    }

    // MARK: Objects

    /// A new record of an object.
    func makeRecord(_ identity: UUID) throws -> SyncRecord {
        let record = try make(SyncRecord.self, "SyncObject")
        record.identity = identity
        found.records[identity] = record
        return record
    }

    /// The records of objects, by their UUIDs.
    func records(_ identities: [UUID]) throws -> [UUID: SyncRecord] {
        let unknown = identities.filter { found.records[$0] == nil && found.absent.insert($0).inserted }
        if !unknown.isEmpty {
            let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
            request.predicate = NSPredicate(format: "identity IN %@", unknown)
            for record in try context.fetch(request) { found.records[record.identity] = record }
        }
        return Dictionary(
            identities.compactMap { identity in found.records[identity].map { (identity, $0) } }
        ) { one, _ in one }
    }

    /// The records of objects, by their IDs.
    func records(of objects: some Collection<NSManagedObjectID>) throws -> [NSManagedObjectID: SyncRecord] {
        guard !objects.isEmpty else { return [:] }
        let byName = Dictionary(grouping: objects) { schema.entity(of: $0)?.name ?? "" }
        var result: [NSManagedObjectID: SyncRecord] = [:]
        for (name, ids) in byName {
            let byKey = Dictionary(ids.map { (SyncObjectKey.key(of: $0), $0) }) { one, _ in one }
            let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
            request.predicate = NSPredicate(
                format: "isAlive == YES AND entityName == %@ AND key IN %@", name, Array(byKey.keys))
            for record in try context.fetch(request) {
                if let id = byKey[record.key] { result[id] = record }
            }
        }
        return result
    }

    /// The object of a record; nil if it isn't in the store.
    func object(of record: SyncRecord) throws -> NSManagedObject? {
        guard record.isAlive, let id = id(of: record) else { return nil }
        return try context.objectIfPresent(id)
    }

    func id(of record: SyncRecord) -> NSManagedObjectID? {
        guard let coordinator = context.persistentStoreCoordinator, let entity = schema.entities[record.entityName]
        else { return nil }
        return SyncObjectKey.id(record.key, entity.modelName, in: coordinator.persistentStores)
    }
}
