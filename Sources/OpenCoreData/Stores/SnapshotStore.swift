// SPDX-License-Identifier: Apache-2.0

/// A store whose data are rows. Every method may be called on any thread.
package protocol SnapshotStore: NSPersistentStore {
    associatedtype Database: StoreDatabase
    /// The rows. Only the coordinator calls it.
    var database: Database { get }
    /// The source that a context reads from.
    ///
    /// - Parameters:
    ///   - context: the context that asks; nil if there is none.
    ///   - description: the fetch that it executes; nil for other reads.
    func source(for context: ContextHandle?, fetching description: FetchDescription?) -> any SnapshotSource
    /// Writes all changes in one transaction, or none: see `StoreDatabase`. A store may write a file with them.
    func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult
    /// Called when the store has read its metadata, before it belongs to its coordinator.
    func didLoadMetadata() throws
    /// Whether metadata was set that no save has written.
    var hasMetadataChanges: Bool { get }
    /// The signature of the store's files, which changes with every save by any process; nil for a store without files.
    func fingerprint() -> StoreFingerprint?
    /// Whether saves of several threads may run at the same time: the store locks the rows of a save before it calls
    /// the block before the commit.
    var savesSideBySide: Bool { get }
    /// The greatest number of connections to a server that the store opens; nil for a store without a server.
    var connectionLimit: Int? { get }
}

extension SnapshotStore {
    package func fingerprint() -> StoreFingerprint? { nil }
    package var hasMetadataChanges: Bool { false }
    package var savesSideBySide: Bool { false }
    package var connectionLimit: Int? { nil }
    package func didLoadMetadata() throws {}

    package func source(for context: ContextHandle?, fetching description: FetchDescription?) -> any SnapshotSource {
        description == nil ? database : database.fetchSource
    }

    package func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        try database.save(changes, beforeCommit: beforeCommit)
    }
}

/// A custom store: its public API passes managed objects.
///
/// Its saves get the objects of the changes (``StoreChanges/objects``). New objects get their IDs before the save.
protocol ObjectStore: SnapshotStore {
    /// Reserves permanent keys for new objects. Called on the queue of their context.
    func allocateKeys(for objects: [NSManagedObject]) throws -> [Int64]
}

extension StoreChanges {
    /// The objects of the rows, for stores whose public API passes objects.
    final class Objects {
        /// The context that saves.
        let context: NSManagedObjectContext
        let inserted: [NSManagedObject]
        let updated: [NSManagedObject]
        let deleted: [NSManagedObject]
        /// The objects of the checked rows.
        var locked: [NSManagedObject] = []

        init(
            context: NSManagedObjectContext, inserted: [NSManagedObject], updated: [NSManagedObject],
            deleted: [NSManagedObject]
        ) {
            self.context = context
            self.inserted = inserted
            self.updated = updated
            self.deleted = deleted
        }
    }

    /// The objects of the rows; nil for a store that needs none.
    var objects: Objects? {
        get { objectsOfRows.map { unsafeDowncast($0, to: Objects.self) } }
        set { objectsOfRows = newValue }
    }
}
