// SPDX-License-Identifier: Apache-2.0

/// A store of a kind that a migration can open exclusively.
protocol ExclusiveStore: InPlaceMigratingStore {
    /// Opens a store that no other process has open. Other processes wait until the result is released. All stores of
    /// this process that have it open are closed.
    ///
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - options: the options of the store.
    ///   - timeout: the seconds to wait until other processes have closed the store.
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) if the store stays open elsewhere, and the errors of opening.
    static func openExclusively(
        at url: URL, options: [AnyHashable: Any]?, timeout: TimeInterval
    ) throws -> any ExclusiveStoreAccess
}

/// A store that nothing else can open.
protocol ExclusiveStoreAccess {
    /// Copies the store to an unused URL.
    ///
    /// - Throws: the errors of reading and writing.
    func copy(to url: URL) throws
    /// Replaces the store by a copy of another one, in one step.
    ///
    /// - Throws: the errors of reading and writing. The store is then as before.
    func replace(byCopyOf url: URL) throws
}
