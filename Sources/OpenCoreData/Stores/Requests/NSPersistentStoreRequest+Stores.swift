extension NSPersistentStoreRequest {
    /// The stores that the request is sent to; nil, or none, for all that can answer it.
    public final var affectedStores: [NSPersistentStore]? {
        get { affectedStoresStorage as? [NSPersistentStore] }
        set {
            willModify("affectedStores")
            affectedStoresStorage = newValue
        }
    }
}
