extension SQLiteStore: ExclusiveStore {
    static func openExclusively(
        at url: URL, options: [AnyHashable: Any]?, timeout: TimeInterval
    ) throws -> any ExclusiveStoreAccess {
        try SQLiteExclusiveAccess(at: url.path, options: SQLiteStoreOptions(options), timeout: timeout)
    }
}

extension SQLiteExclusiveAccess: ExclusiveStoreAccess {}
