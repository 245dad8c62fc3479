// SPDX-License-Identifier: Apache-2.0

/// Operations on stores that need not be open, with the type of the store as a value.
extension NSPersistentStoreCoordinator {
    /// Reads the metadata of a store; see ``metadataForPersistentStore(ofType:at:options:)``.
    ///
    /// - Parameters:
    ///   - storeType: the type of the store.
    ///   - storeURL: the URL of the store.
    ///   - options: the store's options.
    /// - Returns: the metadata.
    /// - Throws: the errors of ``metadataForPersistentStore(ofType:at:options:)``.
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Replaces the metadata of a store that is not open; see
    /// ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
    ///
    /// - Parameters:
    ///   - metadata: all metadata.
    ///   - storeType: the type of the store.
    ///   - storeURL: the URL of the store.
    ///   - options: the store's options.
    /// - Throws: the errors of ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Removes the objects of a store: the file remains, as an empty database.
    ///
    /// ```swift
    /// let url = URL(fileURLWithPath: "/var/lib/music/Music.sqlite")
    /// try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    /// // Either begin with a new store …
    /// try coordinator.addPersistentStore(type: .sqlite, at: url)
    /// ```
    ///
    /// A store of this coordinator is removed from it first, as by ``remove(_:)``. SQLite then empties the database
    /// under its own locks, and removes the write-ahead log. The files of external data that its rows have named are
    /// deleted, and the folder if nothing else is in it. A damaged database can be destroyed too; its external data
    /// remain, because no row can be read that names them. The file can be deleted afterwards.
    ///
    /// If another coordinator of the process has the store open, that store is closed: its next request or save throws
    /// `NSPersistentStoreOperationError` (134070). Another process finds an empty database.
    ///
    /// If there is no file at the URL of a SQLite store, the method creates an empty one, so that code which deletes
    /// the file of each destroyed store works. Nothing happens for a URL in a missing folder, for a missing binary or
    /// XML store, and for a store in memory. The method may be called on any thread.
    ///
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - storeType: the type of the store.
    ///   - options: `NSPersistentStoreTimeoutOption` and `NSReadOnlyPersistentStoreOption` are used.
    /// - Throws: errors in `NSCocoaErrorDomain` that name the file. Nothing is removed then: 256 for a folder or a
    ///   device, 259 for a file that is no SQLite database or a database that is no store, 257 and 513 for missing
    ///   permissions, `NSPersistentStoreTimeoutError` (134090) for a file that stays locked,
    ///   `NSPersistentStoreInvalidTypeError` (134000) for an unknown type.
    public final func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    /// Replaces a store by a copy of another one; see
    /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    ///
    /// ```swift
    /// let backup = URL(fileURLWithPath: "/var/backups/Music.sqlite")
    /// let url = URL(fileURLWithPath: "/var/lib/music/Music.sqlite")
    /// try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: backup, type: .sqlite)
    /// try coordinator.addPersistentStore(type: .sqlite, at: url)
    /// ```
    ///
    /// - Parameters:
    ///   - destinationURL: the URL of the store that is replaced. A store need not exist there.
    ///   - destinationOptions: the options of the replaced store.
    ///   - sourceURL: the URL of the store that is copied.
    ///   - sourceOptions: the options of the copied store.
    ///   - sourceType: the type of both stores.
    /// - Throws: the errors of the method above.
    public final func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: sourceType.rawValue)
    }

    /// **Extension**: copies a store while it is in use: a backup.
    ///
    /// ```swift
    /// func backUp(_ container: NSPersistentContainer, to url: URL) throws {
    ///     for store in container.persistentStoreCoordinator.persistentStores {
    ///         try container.persistentStoreCoordinator.backUpPersistentStore(store, to: url)
    ///     }
    /// }
    /// ```
    ///
    /// The copy has the state of the store when the method was called: each save is in it completely or not at all. It
    /// is an independent store, with its own external data, and the same UUID. An older backup at the URL is replaced
    /// in one step. The method may be called on any thread. It doesn't block saves.
    ///
    /// - Parameters:
    ///   - store: a store of the coordinator, of type SQLite, binary or XML.
    ///   - url: the URL of the copy.
    /// - Throws: `NSPersistentStoreOperationError` (134070) for a store in memory or of a type that the program
    ///   defines, and for a copy that would share the folder of external data with the store, because only the
    ///   extensions of the names differ. `NSPersistentStoreOpenError` (134080) for the URL of a store of the
    ///   coordinator, otherwise the errors of
    ///   ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    public final func backUpPersistentStore(_ store: NSPersistentStore, to url: URL) throws {
        let stores = try Self.replaceableStores(ofType: store.type, at: store.url)
        guard let source = store.url, !stores.isInMemory(at: source) else {
            throw Self.uncopyable(store.type, store.url)
        }
        if let own = persistentStore(for: url), own !== store { throw Self.uncopyable(store, to: url) }
        // Only options that concern the file itself: options that say what a save does are for the open store.
        let options = stores.accessOptions(store.options)
        try replaceStore(at: url, options: options, from: source, sourceOptions: options, ofType: store.type)
    }

    // MARK: Implementation

    final func replaceStore(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?,
        ofType storeType: String
    ) throws {
        let stores = try Self.replaceableStores(ofType: storeType, at: source)
        let options = try StoreOptionCheck.checked(options, at: destination)
        let sourceOptions = try StoreOptionCheck.checked(sourceOptions, at: source)
        let type = try StoreTypeRegistry.type(named: storeType)
        let destination = try type.location(destination, type: storeType, options: options)
        let source = try type.location(source, type: storeType, options: sourceOptions)
        if destination.namesSameStore(as: source) { throw Self.replacementByItself(destination) }
        try stores.checkReplacing(at: destination, options: options, from: source, sourceOptions: sourceOptions)
        let own = persistentStores.first { $0.type == storeType && $0.url?.namesSameStore(as: destination) == true }
        if let own { try remove(own) }
        try access.share {
            try stores.replace(at: destination, options: options, from: source, sourceOptions: sourceOptions)
        }
    }

    /// The error of a store that would be replaced by itself.
    package static func replacementByItself(_ url: URL) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreOperationError, "The store \(url.storeText) can\u{2019}t be replaced.",
            reason: "The store can\u{2019}t be replaced by itself.", suggestion: "Give the URLs of two stores.",
            userInfo: url.errorInfo)
    }

    /// The error of a copy to the URL of a store of the coordinator.
    static func uncopyable(_ store: NSPersistentStore, to url: URL) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreOpenError,
            "The store \(store.url?.storeText ?? "") can\u{2019}t be copied to \(url.storeText).",
            reason: "A store of the coordinator has this URL.", suggestion: "Give another URL.",
            userInfo: url.errorInfo)
    }

    static func replaceableStores(ofType type: String, at url: URL?) throws -> any ReplaceableStore.Type {
        if let stores = try StoreTypeRegistry.type(named: type).storeClass as? any ReplaceableStore.Type {
            return stores
        }
        throw uncopyable(type, url)
    }

    private static func uncopyable(_ type: String, _ url: URL?) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreOperationError, "The store \(url?.storeText ?? "") can\u{2019}t be copied.",
            reason: "A store of type \(type) has no file that could be copied.",
            suggestion: "Copy its objects: migratePersistentStore(_:to:options:type:).",
            userInfo: url.map { [NSURLErrorKey: $0.withoutSecrets] } ?? [:])
    }

    final func destroyStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]?) throws {
        let type = try StoreTypeRegistry.type(named: storeType)
        guard let stores = type.storeClass as? any ReplaceableStore.Type else { return }
        let options = try StoreOptionCheck.checked(options, at: url)
        let url = try type.location(url, type: storeType, options: options)
        try stores.checkDestroying(at: url, options: options)
        let own = persistentStores.first { $0.type == storeType && $0.url?.namesSameStore(as: url) == true }
        if let own { try remove(own) }
        try access.share { try stores.destroy(at: url, options: options) }
    }
}
