// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncReplica {
    /// The travelling properties of all objects that a context of the app's store sees, by the objects' UUIDs. An
    /// object that has no UUID yet isn't among them.
    package func contents(_ context: NSManagedObjectContext) throws -> [UUID: [String: SyncValue]] {
        try side.performAndWait {
            let rows = try side.fetch(NSFetchRequest<SyncKnownObject>(entityName: "KnownObject"))
            let identities = Dictionary(
                rows.compactMap { row in
                    id(row.key, row.entityName).map { ($0, row.identity) }
                }
            ) { one, _ in one }
            let blobs = Dictionary(rows.map { ($0.identity, $0.blobs.filter(\.value.isLater)) }) { one, _ in one }
            var result: [UUID: [String: SyncValue]] = [:]
            for entity in schema.concreteEntities {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.modelName)
                request.includesSubentities = false
                for object in try context.fetch(request) {
                    guard let identity = identities[object.objectID] else { continue }
                    result[identity] = try entity.properties.mapValues {
                        try $0.value(of: object, known: blobs[identity]?[$0.name]) { identities[$0] }
                    }
                }
            }
            return result
        }
    }
}
