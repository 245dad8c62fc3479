// SPDX-License-Identifier: Apache-2.0

/// A store whose lightweight migration can leave work for later.
package protocol DeferredMigrationStore: NSPersistentStore {
    /// Does parts of the deferred work, until none is left.
    ///
    /// - Parameter tasks: the greatest number of parts.
    func finishDeferredMigration(tasks: Int) throws
}

extension NSPersistentStoreCoordinator {
    /// Does parts of the work that migrations have deferred, in the order of the stores.
    final func finishDeferredMigrations(tasks: Int) throws {
        try access.share {
            for case let store as any DeferredMigrationStore in persistentStores {
                try store.finishDeferredMigration(tasks: tasks)
            }
        }
    }
}
