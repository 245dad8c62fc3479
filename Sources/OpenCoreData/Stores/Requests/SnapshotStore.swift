/// A source of a store's rows: the store itself, with the newest rows, or one of its query generations. Every method
/// may be called on any thread.
package protocol SnapshotSource: AnyObject, Sendable {
    /// The identity of the store.
    var identity: StoreIdentity { get }
    /// Whether predicates may contain fetches of the same store (``StoredFetchNode``).
    var runsFetchesInPredicates: Bool { get }
    /// Whether the program answers, with the context that asks: on the context's queue, and with faults, not rows.
    var isContextBound: Bool { get }
    /// The rows of a query, in order.
    func rows(_ query: StoreQuery) throws -> RowList
    /// The rows of a query as they come; nil for a source that gives them together.
    func rowStream(_ query: StoreQuery) throws -> (any RowStream)?
    /// The keys of a query, in order.
    func references(_ query: StoreQuery) throws -> [ObjectReference]
    /// The values of a query with a projection, in order.
    func values(_ query: StoreQuery) throws -> ProjectedRows
    /// The number of objects, or of results of a projection.
    func count(_ query: StoreQuery) throws -> Int
    /// The row of one object; nil if there is none. The row cache comes first.
    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow?
    /// The members of a to-many relationship, in order if it is ordered.
    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference]
    /// The rows of objects of an entity or its subentities by key, in no order. A key without a row has no result.
    ///
    /// - Parameter properties: the positions of the properties to read; nil for all.
    func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList
    /// The members of a to-many relationship of many owners, with their rows.
    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents
}

/// A store whose data are rows. Every method may be called on any thread.
package protocol SnapshotStore: NSPersistentStore, SnapshotSource {
    /// A source of the present rows, which stay the same while the result exists; nil for a store that can't keep them.
    func generation() throws -> (any SnapshotSource)?
    /// The source that a context reads from.
    ///
    /// - Parameters:
    ///   - context: the context that asks; nil if there is none.
    ///   - description: the fetch that it executes; nil for other reads.
    func source(for context: NSManagedObjectContext?, fetching description: FetchDescription?) -> any SnapshotSource
    /// Called when the store has read its metadata, before it belongs to its coordinator.
    func didLoadMetadata() throws
    /// Reserves permanent keys for new objects.
    func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64]
    /// Whether all entities take their keys from one sequence, so that a key names an object of any entity.
    var sharesKeys: Bool { get }
    /// Makes new keys greater than those of rows that are going to be copied from another store.
    ///
    /// - Parameter last: the greatest key of each root entity, by the number of its layout.
    func reserveKeys(through last: [UInt32: Int64]) throws
    /// The derived attributes whose values a save must contain, because the store doesn't compute them.
    func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot]
    /// Writes all changes in one transaction, or none.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - beforeCommit: called after all writing, before the commit. An error undoes the transaction and is thrown.
    /// - Throws: `StoreConflict`, and the store's errors. Nothing is written then.
    func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult
    /// Whether metadata was set that no save has written.
    var hasMetadataChanges: Bool { get }
    /// Adds committed rows to the row cache.
    ///
    /// - Parameter replacing: whether the row cache may have older rows of the same keys.
    func cache(_ rows: RowList, replacing: Bool)
    /// The newest row of an object that a context of the coordinator has read or saved and still uses.
    func cachedRow(layout: EntityLayout, key: Int64) -> RetainedRow?
    /// The row that `snapshot(layout:key:)` would return without reading the store. Nil for a store without such a row,
    /// and for a store whose rows are in memory anyway.
    func cachedSnapshot(layout: EntityLayout, key: Int64) -> RetainedRow?
    /// The row of one object, after `cachedSnapshot(layout:key:)` has found none; nil if there is none.
    func storedSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow?
    /// Evicts rows of an entity hierarchy from the row cache, so that the next faults are fetched.
    ///
    /// - Parameter root: the number of the root entity's layout.
    func evictSnapshots(root: UInt32, keys: [Int64])
    /// Checks the invariants of the row cache, for tests.
    ///
    /// - Returns: a sentence for each violation.
    func checkRowCache() -> [String]
    /// The signature of the store's files, which changes with every save by any process; nil for a store without files.
    func fingerprint() -> StoreFingerprint?
}

extension SnapshotStore {
    /// Evicts a row from the row cache, so that the next fault is fetched.
    package func evictSnapshot(layout: EntityLayout, key: Int64) { evictSnapshots(root: layout.root, keys: [key]) }

    package func cachedSnapshot(layout: EntityLayout, key: Int64) -> RetainedRow? { nil }
    package func storedSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try snapshot(layout: layout, key: key)
    }
    package func fingerprint() -> StoreFingerprint? { nil }
    package func generation() throws -> (any SnapshotSource)? { nil }
    package var hasMetadataChanges: Bool { false }
    package var sharesKeys: Bool { false }
    package func reserveKeys(through last: [UInt32: Int64]) throws {}
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
package protocol ObjectStore: SnapshotStore {
    /// Reserves permanent keys for new objects. Called on the queue of their context.
    func allocateKeys(for objects: [NSManagedObject]) throws -> [Int64]
}

extension SnapshotSource {
    package var runsFetchesInPredicates: Bool { false }
    package var isContextBound: Bool { false }
    package func rowStream(_ query: StoreQuery) throws -> (any RowStream)? { nil }
}
