// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Notices saves into the stores of a coordinator, by contexts of the process and by other processes.
package final class SyncSaveObserver: Sendable {
    private let observers: [SyncObserver]

    /// - Parameter didSave: called after a save, with the context if it is one of the process, on its queue. A save of
    ///   the process may be told twice.
    package init(
        _ coordinator: NSPersistentStoreCoordinator, didSave: @escaping @Sendable (NSManagedObjectContext?) -> Void
    ) {
        let stores = ObjectIdentifier(coordinator)
        observers = [
            SyncObserver(.NSPersistentStoreRemoteChange, of: coordinator) { _ in didSave(nil) },
            SyncObserver(.NSManagedObjectContextDidSave) { note in
                guard let context = note.object as? NSManagedObjectContext,
                    context.persistentStoreCoordinator.map(ObjectIdentifier.init) == stores
                else { return }
                didSave(context)
            },
        ]
    }
}
