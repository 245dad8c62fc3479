// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Identities that objects have before the replica has looked at them: their CloudKit records'. The side store keeps
/// them until the first start has given them to the objects. After that, keys of a restored store could be others'.
extension SyncReplica {
    /// Takes the names of CloudKit records as identities, in place of those that it took before.
    ///
    /// - Returns: the number of objects that get one.
    /// - Throws: ``SyncReplicaError/unadoptable(_:)``, and errors of the stores. The side store is then as before.
    package func adopt(_ recordNames: [NSManagedObjectID: String]) throws -> Int {
        try onQueue {
            do {
                guard try !state().isBegun else {
                    throw SyncReplicaError.unadoptable("The store syncs already: its objects have identities.")
                }
                try deleteRecorded()
                var objects: [UUID: NSManagedObjectID] = [:]
                for (id, name) in recordNames {
                    guard !id.isTemporaryID, let entity = schema.entity(of: id) else { continue }
                    let identity = SyncIdentity.uuid(ofRecord: name)
                    if let other = objects.updateValue(id, forKey: identity) {
                        let ids = [id, other].map { $0.uriRepresentation().absoluteString }.sorted()
                        throw SyncReplicaError.unadoptable(
                            "\(ids[0]) and \(ids[1]) have the same CloudKit record \(name): a record has one object.")
                    }
                    let row = insert(NSManagedObject.self, SyncSideModel.recordedName)
                    row.setValue(identity, forKey: "identity")
                    row.setValue(entity.name, forKey: "entityName")
                    row.setValue(NSNumber(value: SyncObjectKey.key(of: id)), forKey: "key")
                }
                try side.save()
                return objects.count
            } catch {
                side.rollback()
                throw error
            }
        }
    }

    /// Reads the identities, for a first start.
    func loadRecorded() throws {
        recorded = [:]
        let request = NSFetchRequest<NSDictionary>(entityName: SyncSideModel.recordedName)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["identity", "entityName", "key"]
        for row in try side.fetch(request) {
            guard let identity = row["identity"] as? UUID, let name = row["entityName"] as? String,
                let key = row["key"] as? NSNumber
            else { continue }
            recorded[name, default: [:]][key.int64Value] = identity
        }
    }

    /// The identity that an object has by its record; nil for one without, and after the first start.
    func recordedIdentity(of id: NSManagedObjectID, _ entity: SyncEntity) -> UUID? {
        recorded.isEmpty ? nil : recorded[entity.name]?[SyncObjectKey.key(of: id)]
    }

    /// Forgets the identities: the objects have them.
    func deleteRecorded() throws {
        recorded = [:]
        let request = NSFetchRequest<NSManagedObject>(entityName: SyncSideModel.recordedName)
        for row in try side.fetch(request) { side.delete(row) }
    }
}
