/// A store whose rows are all in memory: it passes requests on to them.
protocol MemoryBackedStore: SnapshotStore {
    var database: MemoryDatabase { get }
}

extension MemoryBackedStore {
    func rows(_ query: StoreQuery) throws -> RowList { try database.rows(query) }

    func references(_ query: StoreQuery) throws -> [ObjectReference] { try database.references(query) }

    func values(_ query: StoreQuery) throws -> ProjectedRows { try database.values(query) }

    func count(_ query: StoreQuery) throws -> Int { try database.count(query) }

    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try database.snapshot(layout: layout, key: key)
    }

    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference] {
        try database.destinations(of: slot, ownerLayout: ownerLayout, key: key)
    }

    func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        try database.rows(layout: layout, keys: keys, properties: properties)
    }

    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        try database.contents(of: slot, ownerLayout: ownerLayout, keys: keys)
    }

    func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64] { try database.allocateKeys(layouts) }

    var sharesKeys: Bool { database.sharesKeys }

    func reserveKeys(through last: [UInt32: Int64]) throws { database.reserveKeys(through: last) }

    func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot] { try database.computedOnSave(layout) }

    func cache(_ rows: RowList, replacing: Bool) { database.cache(rows, replacing: replacing) }

    func cachedRow(layout: EntityLayout, key: Int64) -> RetainedRow? { database.cachedRow(layout: layout, key: key) }

    func evictSnapshot(layout: EntityLayout, key: Int64) { database.evictSnapshot(layout: layout, key: key) }

    func checkRowCache() -> [String] { database.checkRowCache() }
}
