// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The changes of the program that aren't on the server.
extension SyncReplica {
    /// The numbers of the objects with pending changes, and of the problems.
    ///
    /// - Parameter notesSaves: whether saves that weren't noted count. Only the process that syncs may note them.
    func counts(noting notesSaves: Bool) throws -> (pending: Int, problems: Int) {
        try onQueue {
            if notesSaves { try drainHistory() }
            let pending = NSFetchRequest<NSDictionary>(entityName: "PendingObject")
            pending.resultType = .dictionaryResultType
            pending.propertiesToFetch = ["identity"]
            pending.returnsDistinctResults = true
            return (
                try side.fetch(pending).count,
                try side.count(for: NSFetchRequest<NSManagedObject>(entityName: "Problem"))
            )
        }
    }

    func problems() throws -> [SyncProblem] {
        try onQueue {
            let request = NSFetchRequest<SyncProblemRecord>(entityName: "Problem")
            let records = try side.fetch(request).sorted {
                SyncObjectKey.key(of: $0.objectID) < SyncObjectKey.key(of: $1.objectID)
            }
            return try records.compactMap { try problem($0) }
        }
    }

    private func problem(_ record: SyncProblemRecord) throws -> SyncProblem? {
        guard let change = record.change else { return nil }
        let entity = schema.entities[change.entity]
        var values: [String: Any] = [:]
        for (name, change) in change.properties {
            guard let property = entity?.properties[name] else { continue }
            values[property.key] = try shownValue(change.change, property, change.change.objects)
        }
        return SyncProblem(
            id: record.objectID.uriRepresentation(), kind: change.problemKind,
            entityName: entity?.modelName ?? change.entity,
            objectID: try known([change.object])[change.object].flatMap { try object($0)?.objectID },
            reason: record.text, values: values)
    }

    /// A value for programs: see ``SyncProblem/value(forKey:)``.
    private func shownValue(
        _ change: SyncPropertyChange.Change, _ property: SyncProperty, _ identities: [UUID]
    ) throws -> Any {
        guard case .attribute = property.kind else {
            let known = try known(identities)
            let ids = try identities.compactMap { try known[$0].flatMap { try object($0)?.objectID } }
            return property.kind == .toOne ? ids.first ?? NSNull() : ids
        }
        switch change {
        case .value(.blob(let blob)): return try outgoing(blob) ?? NSNull()
        case .value(let value), .difference(let value): return try property.value(value, entity: "") ?? NSNull()
        case .members, .moves: return NSNull()
        }
    }

    private func problemRecord(_ id: URL) throws -> SyncProblemRecord? {
        guard let id = side.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id),
            id.entity.name == "Problem"
        else { return nil }
        return try side.objectIfPresent(id) as? SyncProblemRecord
    }

    func dropProblem(_ id: URL) throws {
        try onQueue {
            guard let record = try problemRecord(id) else { return }
            side.delete(record)
            try side.save()
        }
    }

    /// Makes the change again in a context of its own, whose author isn't the replica's.
    ///
    /// - Throws: ``SyncReplicaError/unrepeatable(_:)`` if the object isn't in the store; errors of the stores.
    func repeatProblem(_ id: URL) throws {
        try onQueue {
            guard let record = try problemRecord(id), let change = record.change else { return }
            let repetition = try SyncRepetition(self, change)
            try repetition.save(coordinator)
            side.delete(record)
            try side.save()
        }
    }
}

extension SyncObjectChange {
    fileprivate var problemKind: SyncProblem.Kind {
        switch kind {
        case .insert: .insertion
        case .update: .change
        case .delete: .deletion
        }
    }
}

/// A change of an object that is made again, with IDs in place of UUIDs.
private struct SyncRepetition {
    private let change: SyncObjectChange
    private let entity: SyncEntity
    private let id: NSManagedObjectID?
    private var ids: [UUID: NSManagedObjectID] = [:]
    /// The members of ordered relationships, as they are now.
    private var orders: [String: [UUID]] = [:]
    private var bytes: [SyncBlob: Data] = [:]

    init(_ replica: SyncReplica, _ change: SyncObjectChange) throws {
        self.change = change
        guard let entity = replica.schema.entities[change.entity] else {
            throw SyncReplicaError.unrepeatable("The model has no entity “\(change.entity)” any more.")
        }
        self.entity = entity
        let rows = SyncRows(replica)
        let object = try rows.known(change.object).flatMap { try replica.object($0) }
        id = object?.objectID
        var wanted = Set(change.properties.values.flatMap(\.change.objects))
        for (name, property) in entity.properties where property.kind == .order {
            guard let object, change.properties[name] != nil else { continue }
            let members = try object.relatedIDs(forKey: property.key).compactMap { try rows.identity(of: $0) }
            orders[name] = members
            wanted.formUnion(members)
        }
        for (identity, known) in try replica.known(wanted) {
            if let object = try replica.object(known) { ids[identity] = object.objectID }
        }
        for blob in change.blobs { bytes[blob] = try replica.outgoing(blob) }
    }

    func save(_ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try context.performAndWait {
            let present = try id.flatMap { try context.objectIfPresent($0) }
            guard change.kind != .delete else {
                if let present { context.delete(present) }
                return try context.save()
            }
            guard
                let object = present
                    ?? (change.kind == .insert
                        ? NSEntityDescription.insertNewObject(forEntityName: entity.modelName, into: context) : nil)
            else { throw SyncReplicaError.unrepeatable("The object isn't in the store any more.") }
            for (name, change) in change.properties {
                guard let property = entity.properties[name] else { continue }
                try set(change.change, property, of: object, context)
            }
            try context.save()
        }
    }

    private func set(
        _ change: SyncPropertyChange.Change, _ property: SyncProperty, of object: NSManagedObject,
        _ context: NSManagedObjectContext
    ) throws {
        func related(_ identities: [UUID]) -> [NSManagedObject] {
            identities.compactMap { ids[$0].map(context.object) }
        }
        switch (change, property.kind) {
        case (.value(.object(let identity)), .toOne):
            if let target = related([identity]).first { object.setValue(target, forKey: property.key) }
        case (.value(.null), .toOne): object.setValue(nil, forKey: property.key)
        case (.value(.blob(let blob)), .attribute):
            if let data = bytes[blob] { object.setSyncValue(data, forKey: property.key) }
        case (.value(let value), .attribute):
            object.setSyncValue(try property.value(value, entity: entity.name), forKey: property.key)
        case (.difference(let difference), .attribute):
            let sum = try property.sum(object.value(forKey: property.key), difference, entity: entity.name)
            object.setSyncValue(sum, forKey: property.key)
        case (.members(let added, let removed), _):
            let members = object.mutableSetValue(forKey: property.key)
            for member in related(removed) { members.remove(member) }
            for member in related(added) { members.add(member) }
        case (.value(.objects(let identities)), .members):
            object.setValue(NSSet(array: related(identities)), forKey: property.key)
        case (.moves(let moves), _):
            let present = orders[property.name] ?? []
            let added = moves.map(\.object).filter { !present.contains($0) }
            let order = SyncMove.apply(moves, to: present + added)
            object.setValue(NSOrderedSet(array: related(order)), forKey: property.key)
        case (.value(.objects(let identities)), .order):
            object.setValue(NSOrderedSet(array: related(identities)), forKey: property.key)
        default: break
        }
    }
}
