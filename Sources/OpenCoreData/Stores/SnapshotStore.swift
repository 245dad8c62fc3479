/// A store whose data are rows. Every method may be called on any thread.
package protocol SnapshotStore: NSPersistentStore, StoreDatabase {
    /// The source that a context reads from.
    ///
    /// - Parameters:
    ///   - context: the context that asks; nil if there is none.
    ///   - description: the fetch that it executes; nil for other reads.
    func source(for context: NSManagedObjectContext?, fetching description: FetchDescription?) -> any SnapshotSource
    /// Called when the store has read its metadata, before it belongs to its coordinator.
    func didLoadMetadata() throws
    /// Whether metadata was set that no save has written.
    var hasMetadataChanges: Bool { get }
    /// The signature of the store's files, which changes with every save by any process; nil for a store without files.
    func fingerprint() -> StoreFingerprint?
}

extension SnapshotStore {
    package func fingerprint() -> StoreFingerprint? { nil }
    package var hasMetadataChanges: Bool { false }
    package func didLoadMetadata() throws {}
    package func source(for context: NSManagedObjectContext?, fetching description: FetchDescription?)
        -> any SnapshotSource
    {
        self
    }
}

/// A store whose public API passes managed objects: a store of the program's own.
///
/// Its saves get the objects of the changes (``StoreChanges/objects``), and new objects get their IDs before.
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
