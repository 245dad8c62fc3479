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
    /// Whether a copy of another store is written by one save. A server gets it in groups, so that the memory doesn't
    /// grow with the number of objects.
    var takesCopyInOneSave: Bool { get }
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
    /// The newest rows of the objects that a context of the coordinator has read or saved and still uses.
    var rowCache: RowCache { get }
    /// The source of the fetches of contexts that aren't pinned: the database itself, or a source that may lag behind
    /// saves of other processes, but never behind saves of this process.
    var fetchSource: any SnapshotSource { get }
    /// The row of one object that the row cache doesn't have; nil if there is none.
    func storedSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow?
}

extension StoreDatabase {
    package var fetchSource: any SnapshotSource { self }
    package func storedSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try snapshot(layout: layout, key: key)
    }
    package func generation() throws -> (any SnapshotSource)? { nil }
    package func archive(_ value: Any, _ slot: PropertySlot) throws -> Data? {
        try TransformableCoding.encode(value, slot: slot)
    }
    package var archivesWholeRows: Bool { false }
    package var sharesKeys: Bool { false }
    package var takesCopyInOneSave: Bool { true }
    package func reserveKeys(through last: [UInt32: Int64]) throws {}
}
