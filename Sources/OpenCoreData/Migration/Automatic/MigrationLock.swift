/// Has one process at a time migrate a store. A file beside the store is the lock; the system releases it when the
/// process ends.
enum MigrationLock {
    /// A file beside a store, hidden, whose name begins with that of the store.
    static func url(beside store: URL, suffix: String) -> URL {
        let store = store.resolvingSymlinksInPath()
        return store.deletingLastPathComponent().appendingPathComponent(".\(store.lastPathComponent).\(suffix)")
    }

    /// Runs a block while no other process, and no other coordinator of this one, migrates the store.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) if another one takes longer than the timeout.
    static func withLock(at store: URL, timeout: TimeInterval, _ body: () throws -> Void) throws {
        let path = url(beside: store, suffix: "migration").path
        let end = OperatingSystem.uptimeNanoseconds &+ UInt64(max(0, min(timeout, 1e9)) * 1e9)
        while true {
            if let lock = try OperatingSystem.LockedFile(path: path), lock.isInPlace {
                defer { lock.remove() }
                return try body()
            }
            if OperatingSystem.uptimeNanoseconds >= end {
                throw CoreDataErrors.error(
                    NSPersistentStoreTimeoutError, "The store \u{201c}\(store.path)\u{201d} can\u{2019}t be migrated.",
                    reason: "Another process is migrating it.",
                    suggestion: "Try again, or set NSPersistentStoreTimeoutOption.",
                    userInfo: [NSFilePathErrorKey: store.path, NSURLErrorKey: store])
            }
            OperatingSystem.pause()
        }
    }
}
