// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Changes of objects that are made again, in one save of a context of their own.
struct SyncRepetition {
    private struct Item {
        let change: SyncObjectChange
        let entity: SyncEntity
        /// The object; nil if the store hasn't got it.
        let id: NSManagedObjectID?
        /// The members of ordered relationships, as they are now.
        var orders: [String: [UUID]] = [:]
    }

    private var items: [Item] = []
    private var ids: [UUID: NSManagedObjectID] = [:]
    private var bytes: [SyncBlob: Data] = [:]

    /// - Throws: ``SyncReplicaError/unrepeatable(_:)`` for an entity that the model hasn't got, errors of the stores.
    init(_ replica: SyncReplica, _ changes: [SyncObjectChange]) throws {
        let rows = SyncRows(replica)
        var wanted: Set<UUID> = []
        for change in changes {
            guard let entity = replica.schema.entities[change.entity] else {
                throw SyncReplicaError.unrepeatable("The model has no entity “\(change.entity)” any more.")
            }
            let object = try rows.known(change.object).flatMap { try replica.object($0) }
            var item = Item(change: change, entity: entity, id: object?.objectID)
            for (name, property) in entity.properties where property.kind == .order {
                guard let object, change.properties[name] != nil else { continue }
                let members = try object.relatedIDs(forKey: property.key).compactMap { try rows.identity(of: $0) }
                item.orders[name] = members
                wanted.formUnion(members)
            }
            items.append(item)
            wanted.formUnion(change.properties.values.flatMap(\.change.objects))
            for blob in change.blobs { bytes[blob] = try replica.outgoing(blob) }
        }
        for (identity, known) in try replica.known(wanted) {
            if let object = try replica.object(known) { ids[identity] = object.objectID }
        }
    }

    /// - Throws: ``SyncReplicaError/unrepeatable(_:)`` if an object isn't in the store, errors of the store.
    func save(_ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try context.performAndWait {
            var objects: [UUID: NSManagedObject] = [:]
            for (identity, id) in ids { objects[identity] = try context.objectIfPresent(id) }
            // New objects first: others refer to them.
            for item in items where item.change.kind != .delete {
                objects[item.change.object] = try object(of: item, context)
            }
            for item in items {
                guard item.change.kind != .delete else {
                    if let id = item.id, let object = try context.objectIfPresent(id) { context.delete(object) }
                    continue
                }
                guard let object = objects[item.change.object] else { continue }
                for (name, change) in item.change.properties {
                    guard let property = item.entity.properties[name] else { continue }
                    try set(change.change, property, of: object, item, objects)
                }
            }
            try context.save()
        }
    }

    private func object(of item: Item, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        if let object = try item.id.flatMap({ try context.objectIfPresent($0) }) { return object }
        guard item.change.kind == .insert else {
            throw SyncReplicaError.unrepeatable("The object isn't in the store any more.")
        }
        return NSEntityDescription.insertNewObject(forEntityName: item.entity.modelName, into: context)
    }

    private func set(
        _ change: SyncPropertyChange.Change, _ property: SyncProperty, of object: NSManagedObject, _ item: Item,
        _ objects: [UUID: NSManagedObject]
    ) throws {
        func related(_ identities: [UUID]) -> [NSManagedObject] { identities.compactMap { objects[$0] } }
        let entity = item.entity.name
        switch (change, property.kind) {
        case (.value(.object(let identity)), .toOne): object.setValue(objects[identity], forKey: property.key)
        case (.value(.null), .toOne): object.setValue(nil, forKey: property.key)
        case (.value(.blob(let blob)), .attribute):
            if let data = bytes[blob] { object.setSyncValue(data, forKey: property.key) }
        case (.value(let value), .attribute):
            object.setSyncValue(try property.value(value, entity: entity), forKey: property.key)
        case (.difference(let difference), .attribute):
            let sum = try property.sum(object.value(forKey: property.key), difference, entity: entity)
            object.setSyncValue(sum, forKey: property.key)
        case (.members(let added, let removed), _):
            let members = object.mutableSetValue(forKey: property.key)
            for member in related(removed) { members.remove(member) }
            for member in related(added) { members.add(member) }
        case (.value(.objects(let identities)), .members):
            object.setValue(NSSet(array: related(identities)), forKey: property.key)
        case (.moves(let moves), _):
            let present = item.orders[property.name] ?? []
            let added = moves.map(\.object).filter { !present.contains($0) }
            let order = SyncMove.apply(moves, to: present + added)
            object.setValue(NSOrderedSet(array: related(order)), forKey: property.key)
        case (.value(.objects(let identities)), .order):
            object.setValue(NSOrderedSet(array: related(identities)), forKey: property.key)
        default: break
        }
    }
}
