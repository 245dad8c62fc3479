// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Notices saves into the stores of a coordinator, by contexts of the process and by other processes.
package final class SyncSaveObserver: @unchecked Sendable {
    // Sendable: nothing changes.
    private let observers: [any NSObjectProtocol]

    /// - Parameter didSave: called after a save, with the context if it is one of the process, on its queue. A save of
    ///   the process may be told twice.
    package init(
        _ coordinator: NSPersistentStoreCoordinator, didSave: @escaping @Sendable (NSManagedObjectContext?) -> Void
    ) {
        let center = NotificationCenter.default
        let stores = ObjectIdentifier(coordinator)
        observers = [
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil) { _ in
                didSave(nil)
            },
            center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { note in
                guard let context = note.object as? NSManagedObjectContext,
                    context.persistentStoreCoordinator.map(ObjectIdentifier.init) == stores
                else { return }
                didSave(context)
            },
        ]
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
}
