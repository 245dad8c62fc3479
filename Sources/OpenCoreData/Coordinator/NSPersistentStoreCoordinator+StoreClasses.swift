// SPDX-License-Identifier: Apache-2.0

/// Custom stores.
extension NSPersistentStoreCoordinator {
    /// Registers the class of a store type; see ``registerStoreClass(_:forStoreType:)``.
    ///
    /// - Parameters:
    ///   - storeClass: a subclass of `NSAtomicStore` or `NSIncrementalStore`; nil removes the type.
    ///   - storeType: the type, as in the metadata of its stores.
    public class func registerStoreClass(_ storeClass: AnyClass?, type storeType: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: storeType.rawValue)
    }

    static func register(_ storeClass: AnyClass?, _ storeType: String) {
        guard let storeClass else { return StoreTypeRegistry.register(nil, forType: storeType) }
        let subclass: (any ClosedStoreOperations.Type)? =
            storeClass as? NSAtomicStore.Type ?? storeClass as? NSIncrementalStore.Type
        guard let type = subclass else {
            programmingError(
                "The class \(storeClass) can't be registered for the store type '\(storeType)'.",
                remedy: "Register a subclass of NSAtomicStore or NSIncrementalStore.")
        }
        StoreTypeRegistry.register(RegisteredStoreType(storeClass: type, locations: .anyURL), forType: storeType)
    }
}
