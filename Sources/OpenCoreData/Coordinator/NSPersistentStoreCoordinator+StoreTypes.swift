// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStoreCoordinator {
    /// Opens a store, and creates it if there is none at the URL.
    ///
    /// - Parameters:
    ///   - type: the type of the store.
    ///   - configuration: the configuration whose entities the store contains; nil for all entities.
    ///   - storeURL: the URL of the file.
    ///   - options: the store's options.
    /// - Returns: the store.
    /// - Throws: the errors of ``addPersistentStore(ofType:configurationName:at:options:)``.
    @discardableResult
    public final func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// The ID of an object, from the text of its URI. Apple declares it since macOS 15.
    ///
    /// - Parameter string: the text of `uriRepresentation()` of an ID.
    /// - Returns: nil if the text is no URI, or names a store that the coordinator doesn't have.
    public final func managedObjectID(for string: String) -> NSManagedObjectID? {
        URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
    }
}
