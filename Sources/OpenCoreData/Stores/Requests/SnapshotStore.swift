/// What the rows of a store are read from: the store, which has the newest, or one of its query generations. Every
/// method may be called on any thread.
protocol SnapshotSource: AnyObject, Sendable {
    /// The store that the rows are of.
    var identity: StoreIdentity { get }
    /// Whether predicates may hold fetches of the same store (``StoredFetchNode``).
    var runsFetchesInPredicates: Bool { get }
    /// The rows of a query, in order.
    func rows(_ query: StoreQuery) throws -> RowList
    /// The keys of a query, in order.
    func references(_ query: StoreQuery) throws -> [ObjectReference]
    /// The values of a query with a projection, in order.
    func values(_ query: StoreQuery) throws -> ProjectedRows
    /// The number of objects, or of results of a projection.
    func count(_ query: StoreQuery) throws -> Int
    /// The row of one object, nil if there is none; the row cache is asked first.
    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow?
    /// The objects of a to-many relationship, in order if it has one.
    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference]
    /// The rows of objects of an entity or its subentities by key, in no order; none for a key that the store doesn't
    /// have.
    ///
    /// - Parameter properties: positions of the properties whose values are wanted; nil for all.
    func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList
    /// The objects of a to-many relationship of many owners, with their rows.
    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents
}

/// What the coordinator asks of a store that answers in rows. Every method may be called on any thread.
protocol SnapshotStore: NSPersistentStore, SnapshotSource {
    /// The store as it is now, to be read so for as long as the result lives; nil for a store that can't be read other
    /// than it is.
    func generation() throws -> (any SnapshotSource)?
    /// Permanent keys for new objects.
    func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64]
    /// The derived attributes whose values a save must bring along, because the store doesn't keep them by itself.
    func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot]
    /// Writes all changes or none.
    ///
    /// - Parameter beforeCommit: called when everything is written but can still be undone; what it throws undoes it.
    func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult
    /// Lists committed rows in the row cache.
    ///
    /// - Parameter replacing: whether older rows of the same keys may be there.
    func cache(_ rows: RowList, replacing: Bool)
    /// The newest row of an object that a context of the coordinator has read or saved, if one still uses it.
    func cachedRow(layout: EntityLayout, key: Int64) -> RetainedRow?
    /// Forgets a cached row, so that the next fault is fetched.
    func forget(layout: EntityLayout, key: Int64)
    /// Changes with every save into the store, by whomever; nil for a store that can't tell.
    func contentStamp() -> StoreStamp?
}

extension SnapshotStore {
    func contentStamp() -> StoreStamp? { nil }
    func generation() throws -> (any SnapshotSource)? { nil }
}

extension SnapshotSource {
    var runsFetchesInPredicates: Bool { false }
}
