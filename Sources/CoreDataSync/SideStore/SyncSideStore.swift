// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The file of the side store.
package enum SyncSideStore {
    /// `Notes-sync.sqlite` beside `Notes.sqlite`.
    package static func url(of store: URL) -> URL {
        guard store.path != "/dev/null" else { return store }
        let name = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appendingPathComponent("\(name)-sync.sqlite")
    }

    /// Opens a side store, which is made if it is missing.
    ///
    /// - Throws: errors of the store.
    package static func open(at url: URL) throws -> NSPersistentStoreCoordinator {
        let side = NSPersistentStoreCoordinator(managedObjectModel: SyncSideModel.model)
        _ = try side.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            ])
        return side
    }
}
