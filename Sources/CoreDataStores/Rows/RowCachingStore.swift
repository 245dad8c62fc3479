// SPDX-License-Identifier: Apache-2.0

/// A store with a row cache that all contexts of its coordinator share.
package protocol RowCachingStore: StoreDatabase {
    var rowCache: RowCache { get }
}

extension RowCachingStore {
    package var rowCacheGeneration: Int { rowCache.generation.current }

    package func cache(_ buffers: [RowBuffer], replacing: Bool, savedIn generation: Int) {
        rowCache.addSaved(buffers, replacing: replacing, savedIn: generation)
    }

    @inline(__always)
    package func cachedRow(layout: EntityLayout, key: Int64) -> RetainedRow? {
        rowCache.row(layout, key: key)
    }

    package func cachedSnapshot(layout: EntityLayout, key: Int64) -> RetainedRow? {
        cachedRow(layout: layout, key: key)
    }

    package func evictSnapshots(root: UInt32, keys: [Int64]) { rowCache.evict(root: root, keys: keys) }

    package func checkRowCache() -> [String] { rowCache.checkInvariants() }
}
