// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The part of an object's URI that is unique to the object among those of its entity.
package enum SyncObjectKey {
    /// The number of a permanent ID, as in `x-coredata://STORE/Note/p12`; 0 for another ID.
    package static func key(of id: NSManagedObjectID) -> Int64 {
        let last = id.uriRepresentation().lastPathComponent
        return last.hasPrefix("p") ? Int64(last.dropFirst()) ?? 0 : 0
    }

    /// The ID of an object of the first store that has its entity; nil without such a store.
    package static func id(
        _ key: Int64, _ entityName: String, in stores: [NSPersistentStore]
    ) -> NSManagedObjectID? {
        for store in stores {
            guard let uuid = store.identifier, let url = URL(string: "x-coredata://\(uuid)/\(entityName)/p\(key)"),
                let id = store.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
            else { continue }
            return id
        }
        return nil
    }
}
