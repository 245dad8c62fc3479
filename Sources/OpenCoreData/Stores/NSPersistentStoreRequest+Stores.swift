// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStoreRequest {
    /// The stores to which the request is sent; nil or empty for all stores that have the entity.
    public final var affectedStores: [NSPersistentStore]? {
        get { affectedStoresStorage as? [NSPersistentStore] }
        set {
            willModify("affectedStores")
            affectedStoresStorage = newValue
        }
    }
}
