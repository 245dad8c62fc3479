// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Migrates a store in stages on a copy, which then takes its place (``StoreReplacement``): the store is of its old
/// version or of the last one, also if a handler throws.
///
/// No other process may have the store open during the migration: a save between the copy and the replacement would be
/// lost. Other coordinators of this process lose the store.
package struct IsolatedStagedMigration {
    /// The seconds to wait until other processes have closed the store, unless `NSPersistentStoreTimeoutOption` says
    /// otherwise.
    private static let closingTimeout: TimeInterval = 10

    private let store: ClosedStore
    private let model: NSManagedObjectModel
    private let manager: NSStagedMigrationManager

    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - type: the type of the store.
    ///   - options: the options of the store.
    ///   - model: the model of the last version.
    ///   - manager: the stages.
    package init(
        at url: URL, ofType type: String, options: [AnyHashable: Any]?, model: NSManagedObjectModel,
        manager: NSStagedMigrationManager
    ) {
        store = ClosedStore(url: url, type: type, options: options, configuration: nil)
        self.model = model
        self.manager = manager
    }

    /// Migrates the store, unless another process has migrated it already.
    ///
    /// - Parameter isOnCopy: whether the work is done on a copy. A single step without handlers needs no copy, because
    ///   it is one transaction.
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) for a store that another process has open,
    ///   `NSPersistentStoreOperationError` (134070) for a kind of store without copies, and the errors of a staged
    ///   migration, which name the store, not the copy. The store is then as before.
    package func run(isOnCopy: Bool) throws {
        guard let stores = try store.operations as? any ExclusiveStore.Type else {
            throw failure(
                NSPersistentStoreOperationError, "Stores of the type \(store.type) can\u{2019}t be copied.",
                "Migrate the store by hand.")
        }
        MigrationLock.removeLeftovers(of: store.url)
        if !isOnCopy {
            // The store is open for a moment only, to learn whether another process has it open.
            if try isNeeded { _ = try open(stores) }
            return try StagedMigration(manager: manager, model: model, store: store).runIfNeeded()
        }
        try MigrationLock.withLock(of: store) {
            guard try isNeeded else { return }
            let access = try open(stores)
            try StoreReplacement(of: store).run(with: access) { url in
                var copy = store
                copy.url = url
                try StagedMigration(manager: manager, model: model, store: copy).runIfNeeded()
            }
        }
    }

    private var isNeeded: Bool {
        get throws { try !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: store.metadata()) }
    }

    private func open(_ stores: any ExclusiveStore.Type) throws -> any ExclusiveStoreAccess {
        do {
            return try stores.openExclusively(
                at: store.url, options: store.options, timeout: store.timeout ?? Self.closingTimeout)
        } catch let error as NSError where error.code == NSPersistentStoreTimeoutError {
            throw failure(
                NSPersistentStoreTimeoutError,
                "Another process has the store open.",
                "Close the store there, and try again.")
        }
    }

    private func failure(_ code: Int, _ reason: String, _ suggestion: String) -> NSError {
        CoreDataErrors.error(
            code, "The store \u{201c}\(store.url.path)\u{201d} can\u{2019}t be migrated.", reason: reason,
            suggestion: suggestion, userInfo: store.errorInfo)
    }
}
