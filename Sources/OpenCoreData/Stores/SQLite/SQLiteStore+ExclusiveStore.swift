// SPDX-License-Identifier: Apache-2.0

extension SQLiteStore: ExclusiveStore {
    static func openExclusively(
        at url: URL, options: [AnyHashable: Any]?, timeout: TimeInterval
    ) throws -> any ExclusiveStoreAccess {
        for store in openStores(at: url) { store.database.close(.replaced) }
        return try SQLiteExclusiveAccess(at: url.path, options: SQLiteStoreOptions(options), timeout: timeout)
    }
}

extension SQLiteExclusiveAccess: ExclusiveStoreAccess {}
