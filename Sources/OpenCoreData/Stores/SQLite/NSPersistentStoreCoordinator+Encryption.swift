// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStoreCoordinator {
    /// **Extension**: encrypts a store again with another key.
    ///
    /// ```swift
    /// let url = URL(fileURLWithPath: "/var/lib/music/Music.sqlite")
    /// try NSPersistentStoreCoordinator.changeEncryptionKey(
    ///     ofPersistentStoreAt: url, options: [NSSQLiteEncryptionKeyOption: "old passphrase"], to: "new passphrase")
    /// ```
    ///
    /// The store must not be open anywhere. The file has the old key or the new one, even if the process ends during
    /// the change. The method may be called on any thread, and takes time in proportion to the size of the file.
    /// Encryption is available if the program is built with the trait `SQLCipher`.
    ///
    /// - Parameters:
    ///   - url: the URL of a SQLite store.
    ///   - options: the options of the store, with its present key as `NSSQLiteEncryptionKeyOption`.
    ///   - key: the new key, in the form of that option.
    /// - Throws: errors in `NSCocoaErrorDomain` that name the file: `NSPersistentStoreOperationError` (134070) for a
    ///   store that this process has open and for options without a key, `NSPersistentStoreOpenError` (134080) for a
    ///   wrong key and for a store that isn't encrypted, `NSPersistentStoreTimeoutError` (134090) for a store that
    ///   another process has open, and file errors.
    public final class func changeEncryptionKey(
        ofPersistentStoreAt url: URL, options: [AnyHashable: Any], to key: Any
    ) throws {
        try SQLiteStoreFile.changeEncryptionKey(
            at: url, options: SQLiteStoreOptions(options), to: SQLiteEncryptionKey(option: key),
            isOpen: !SQLiteStore.openStores(at: url).isEmpty)
    }
}
