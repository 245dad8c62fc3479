// SPDX-License-Identifier: Apache-2.0

/// A store that need not be open: where it is, and how it is opened.
struct ClosedStore {
    var url: URL
    var type: String
    var options: [AnyHashable: Any]?
    /// The configuration whose entities a new store contains; nil for all entities.
    var configuration: String?

    /// The operations on stores of the type.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for a type that is not registered, and 262 for a URL of
    ///   another kind.
    var operations: any ClosedStoreOperations.Type {
        get throws { try StoreTypeRegistry.type(named: type).storeClass(at: url, type: type) }
    }

    /// The metadata, read without a model.
    func metadata() throws -> [String: Any] { try operations.metadata(at: url, options: options) }

    func setMetadata(_ metadata: [String: Any]) throws {
        try operations.setMetadata(metadata, at: url, options: options)
    }

    /// A copy of the model that the store was made from.
    func cachedModel() throws -> NSManagedObjectModel { try operations.cachedModel(at: url, options: options) }

    /// Whether the store is in memory, so that it doesn't exist before it is opened.
    var isInMemory: Bool { (try? operations.isInMemory(at: url)) ?? false }

    /// Whether there is a store at the URL.
    var exists: Bool { (try? operations.contents(at: url, options: options)) == .store }

    /// Whether an option is true.
    func isOn(_ option: String) -> Bool { (options?[option] as? NSNumber)?.boolValue ?? false }

    /// The seconds to wait for another process.
    var timeout: TimeInterval? { (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue }

    /// The store's place, for errors.
    var errorInfo: [String: Any] { url.errorInfo }

    /// Removes a store that a migration has begun to write.
    func remove() {
        guard let operations = try? operations, url.isFileURL, !isInMemory else { return }
        try? (operations as? any ReplaceableStore.Type)?.destroy(at: url, options: options)
        try? operations.removeFiles(at: url)
    }
}
