// SPDX-License-Identifier: Apache-2.0

/// The rows of a store, which can be written. Every method may be called on any thread.
package protocol StoreDatabase: SnapshotSource {
    /// A source of the present rows, which stay the same while the result exists; nil for rows that can't be kept.
    func generation() throws -> (any SnapshotSource)?
    /// Reserves permanent keys for new objects.
    func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64]
    /// Whether all entities take their keys from one sequence, so that a key names an object of any entity.
    var sharesKeys: Bool { get }
    /// Reserves the keys of rows that are going to be copied from another store: new keys are greater.
    ///
    /// - Parameter last: the greatest key of each root entity, by the number of its layout.
    func reserveKeys(through last: [UInt32: Int64]) throws
    /// The derived attributes whose values a save must contain, because the store doesn't compute them.
    func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot]
    /// The bytes that a save writes for a transformable value; nil if the store keeps such values as objects. Calls the
    /// program, so it is asked before the save.
    ///
    /// - Throws: `NSCoreDataError` (134060) if the value can't be encoded.
    func archive(_ value: Any, _ slot: PropertySlot) throws -> Data?
    /// Whether a save writes all values of a changed object, not only its changed values.
    var archivesWholeRows: Bool { get }
    /// Writes all changes in one transaction, or none.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - beforeCommit: called after all writing, before the commit. An error undoes the transaction and is thrown.
    /// - Throws: `StoreConflict`, and the store's errors. Nothing is written then.
    func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult
    /// The present generation of the row cache.
    var rowCacheGeneration: Int { get }
    /// Adds committed rows to the row cache.
    ///
    /// - Parameters:
    ///   - replacing: whether the row cache may have older rows of the same keys.
    ///   - generation: the generation of the row cache before the save.
    func cache(_ buffers: [RowBuffer], replacing: Bool, savedIn generation: Int)
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
}

extension StoreDatabase {
    /// Evicts a row from the row cache, so that the next fault is fetched.
    package func evictSnapshot(layout: EntityLayout, key: Int64) { evictSnapshots(root: layout.root, keys: [key]) }

    package func cachedSnapshot(layout: EntityLayout, key: Int64) -> RetainedRow? { nil }
    package func storedSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try snapshot(layout: layout, key: key)
    }
    package func generation() throws -> (any SnapshotSource)? { nil }
    package func archive(_ value: Any, _ slot: PropertySlot) throws -> Data? {
        try TransformableCoding.encode(value, slot: slot)
    }
    package var archivesWholeRows: Bool { false }
    package var sharesKeys: Bool { false }
    package func reserveKeys(through last: [UInt32: Int64]) throws {}
}
