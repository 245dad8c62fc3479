// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncService {
    /// The travelling properties of all living objects, by the objects' UUIDs.
    package func contents() throws -> [UUID: [String: SyncValue]] {
        try context.performAndWait {
            context.reset()
            let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
            request.predicate = NSPredicate(format: "isAlive == YES")
            let states = try states(of: Set(try context.fetch(request).map(\.identity)))
            return Dictionary(uniqueKeysWithValues: states.map { ($0.object, $0.values) })
        }
    }
}
