// SPDX-License-Identifier: Apache-2.0

/// A store whose lightweight migration can leave work for later.
package protocol DeferredMigrationStore: NSPersistentStore {
    /// Does parts of the work, until there is none.
    ///
    /// - Parameter tasks: the greatest number of parts.
    func finishDeferredMigration(tasks: Int) throws
}

extension NSPersistentStoreCoordinator {
    /// Does parts of the work that migrations have left, in the order of the stores.
    final func finishDeferredMigrations(tasks: Int) throws {
        try access.share {
            for case let store as any DeferredMigrationStore in persistentStores {
                try store.finishDeferredMigration(tasks: tasks)
            }
        }
    }
}
