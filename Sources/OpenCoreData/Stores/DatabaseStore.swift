// SPDX-License-Identifier: Apache-2.0

/// A store that passes requests on to its rows.
package protocol DatabaseStore: SnapshotStore {
    associatedtype Database: StoreDatabase
    var database: Database { get }
}

extension DatabaseStore {
    package var runsFetchesInPredicates: Bool { database.runsFetchesInPredicates }

    package func rows(_ query: StoreQuery) throws -> RowList { try database.rows(query) }

    package func references(_ query: StoreQuery) throws -> [ObjectReference] { try database.references(query) }

    package func values(_ query: StoreQuery) throws -> ProjectedRows { try database.values(query) }

    package func count(_ query: StoreQuery) throws -> Int { try database.count(query) }

    package func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try database.snapshot(layout: layout, key: key)
    }

    package func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference]
    {
        try database.destinations(of: slot, ownerLayout: ownerLayout, key: key)
    }

    package func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        try database.rows(layout: layout, keys: keys, properties: properties)
    }

    package func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        try database.contents(of: slot, ownerLayout: ownerLayout, keys: keys)
    }

    package func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64] { try database.allocateKeys(layouts) }

    package var sharesKeys: Bool { database.sharesKeys }

    package func reserveKeys(through last: [UInt32: Int64]) throws { try database.reserveKeys(through: last) }

    package func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot] { try database.computedOnSave(layout) }

    package func archive(_ value: Any, _ slot: PropertySlot) throws -> Data? { try database.archive(value, slot) }

    package var archivesWholeRows: Bool { database.archivesWholeRows }

    package var rowCacheGeneration: Int { database.rowCacheGeneration }

    package func cache(_ buffers: [RowBuffer], replacing: Bool, savedIn generation: Int) {
        database.cache(buffers, replacing: replacing, savedIn: generation)
    }

    package func cachedRow(layout: EntityLayout, key: Int64) -> RetainedRow? {
        database.cachedRow(layout: layout, key: key)
    }

    package func evictSnapshots(root: UInt32, keys: [Int64]) { database.evictSnapshots(root: root, keys: keys) }

    package func checkRowCache() -> [String] { database.checkRowCache() }

    package func cachedSnapshot(layout: EntityLayout, key: Int64) -> RetainedRow? {
        database.cachedSnapshot(layout: layout, key: key)
    }

    package func storedSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try database.storedSnapshot(layout: layout, key: key)
    }

    package func generation() throws -> (any SnapshotSource)? { try database.generation() }

    package func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        try database.save(changes, beforeCommit: beforeCommit)
    }
}
