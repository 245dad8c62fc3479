// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncService {
    /// A page of the changes since a position; nil for all objects.
    ///
    /// - Parameters:
    ///   - since: the position that the replica has: a state has the properties that changed after it.
    ///   - after: the position of the last page; nil for the first page.
    /// - Throws: ``SyncFailure`` for a position that this server never had.
    func changes(_ replica: UUID, since: SyncPosition?, after: SyncPosition?) throws -> SyncChanges {
        let state = try state()
        for position in [since, after].compactMap({ $0 }) { try check(position, state) }
        let start = (after ?? since)?.number ?? 0
        let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
        request.predicate = NSPredicate(format: "position > %ld", start)
        request.sortDescriptors = [NSSortDescriptor(key: "position", ascending: true)]
        request.fetchLimit = limits.pageObjects + 1
        var records = try context.fetch(request)
        var reached = state.position
        var isLast = true
        if records.count > limits.pageObjects, let last = records.last?.position {
            isLast = variant.contains(.cutsPages)
            // A page has all objects of its last position.
            let rest = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
            rest.predicate = NSPredicate(format: "position == %ld", last)
            records = records.filter { $0.position < last }
            if records.isEmpty { records = try context.fetch(rest) }
            let number = records.last?.position ?? last
            reached = SyncPosition(epoch: state.epoch, number: number, nonce: try nonce(number) ?? 0)
            if number == state.number { isLast = true }
        }
        return SyncChanges(
            position: reached, isLast: isLast, objects: try states(records, after: since?.number ?? 0),
            answeredPush: try replicaRecord(replica)?.answeredPush ?? 0)
    }

    private func check(_ position: SyncPosition, _ state: SyncServerState) throws {
        guard !variant.contains(.ignoresNonces) else { return }
        guard position.epoch == state.epoch, position.number <= state.number, position.number >= 0,
            try position.number == 0 || nonce(position.number) == position.nonce
        else {
            throw SyncFailure(.restored, "The server doesn't know the position \(position.number): it was restored.")
        }
    }

    private func nonce(_ number: Int64) throws -> Int64? {
        let request = NSFetchRequest<SyncSaveRecord>(entityName: "SyncSave")
        request.predicate = NSPredicate(format: "number == %ld", number)
        return try context.fetch(request).first?.nonce
    }

    // MARK: States

    /// The present states of objects, whole. An object that the server never had is dead in its life 0.
    func states(of identities: Set<UUID>) throws -> [SyncObjectState] {
        let known = try records(Array(identities))
        let absent = identities.filter { known[$0] == nil }
            .map { SyncObjectState(object: $0, entity: "", kind: .dead, life: 0, values: [:]) }
        return try (states(Array(known.values), after: 0) + absent).sorted {
            $0.object.uuidString < $1.object.uuidString
        }
    }

    /// The states of objects, with the properties that changed since a position.
    private func states(_ records: [SyncRecord], after position: Int64) throws -> [SyncObjectState] {
        let objects = try objects(of: records)
        let identities = try identities(ofReferencesIn: objects.values)
        return try records.map { record in
            guard let object = objects[record.objectID], let entity = schema.entities[record.entityName] else {
                return SyncObjectState(
                    object: record.identity, entity: record.entityName, kind: .dead, life: record.life, values: [:])
            }
            let stamps = record.stamps
            var values: [String: SyncValue] = [:]
            for (name, property) in entity.properties where stamps[name].position > position {
                values[name] = try property.value(of: object) { identities[$0] }
            }
            return SyncObjectState(
                object: record.identity, entity: record.entityName, kind: .put, life: record.life, values: values)
        }
    }

    /// The living objects of records, by the IDs of the records. One fetch for each entity reads them.
    private func objects(of records: [SyncRecord]) throws -> [NSManagedObjectID: NSManagedObject] {
        let living = records.filter { $0.isAlive && schema.entities[$0.entityName] != nil }
        var result: [NSManagedObjectID: NSManagedObject] = [:]
        for (name, records) in Dictionary(grouping: living, by: \.entityName) {
            let ids = Dictionary(
                records.compactMap { record in id(of: record).map { ($0, record.objectID) } }
            ) { one, _ in one }
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.predicate = NSPredicate(format: "SELF IN %@", Array(ids.keys))
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) {
                if let record = ids[object.objectID] { result[record] = object }
            }
        }
        return result
    }

    /// The UUIDs of the objects that objects refer to.
    private func identities(
        ofReferencesIn objects: some Collection<NSManagedObject>
    ) throws -> [NSManagedObjectID: UUID] {
        var targets: Set<NSManagedObjectID> = []
        for object in objects {
            for property in schema.entity(of: object)?.properties.values ?? [:].values {
                targets.formUnion(property.references(of: object))
            }
        }
        return try records(of: targets).mapValues(\.identity)
    }
}
