extension NSPersistentStoreCoordinator {
    /// A store's metadata, read without opening the store and without a model.
    ///
    /// - Throws: a file error in `NSCocoaErrorDomain` with the file's name; nothing is created.
    public class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        let type = try StoreTypes.type(named: storeType)
        guard type.storeClass is SQLiteStore.Type else { return [NSStoreTypeKey: storeType] }
        return try SQLiteStore.metadata(at: url)
    }

    /// A store's metadata, read without opening the store and without a model.
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// The model that a SQLite store carries: the one its tables were made from. A copy that may be changed.
    ///
    /// - Throws: a file error, or `NSPersistentStoreOperationError` (134070) for a store without a cached model.
    public class func cachedModelForPersistentStore(at url: URL, options: [AnyHashable: Any]? = nil) throws
        -> NSManagedObjectModel
    {
        try SQLiteStore.cachedModel(at: url)
    }

    /// Writes metadata into a store that isn't open.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        let type = try StoreTypes.type(named: storeType)
        guard type.storeClass is SQLiteStore.Type else { return }
        try SQLiteStore.setMetadata(metadata ?? [:], at: url)
    }

    /// Empties a store and removes what belongs to it: the file, its log and shared memory, and external data.
    public final func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil)
        throws
    {
        let type = try StoreTypes.type(named: storeType)
        guard type.storeClass is SQLiteStore.Type else { return }
        try SQLiteStore.destroy(at: url)
    }

    /// Empties a store and removes what belongs to it.
    public final func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }
}
