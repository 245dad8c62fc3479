// SPDX-License-Identifier: Apache-2.0

/// The values of one object in a store that reads and writes its file as a whole.
///
/// An attribute has the value that `value(forKey:)` of a managed object returns. The value of a to-one relationship is
/// another node. The value of a to-many relationship is a set of nodes, or an ordered set if the relationship is
/// ordered. A node is used by its store only, on the thread that runs the store's method. It loses its values with its
/// store, and when a save has deleted its object, so that nodes that refer to each other are released.
nonisolated open class NSAtomicStoreCacheNode: NSObject, @unchecked Sendable {
    private let id: NSManagedObjectID
    private var values: NSMutableDictionary?

    /// Makes the node of an object.
    ///
    /// - Parameter moid: the object's ID, from ``NSAtomicStore/objectID(for:withReferenceObject:)``.
    public init(objectID moid: NSManagedObjectID) {
        id = moid
        super.init()
    }

    /// The ID of the object.
    open var objectID: NSManagedObjectID { id }

    /// The values by the names of properties; nil if no value was set.
    open var propertyCache: NSMutableDictionary? {
        get { values }
        set { values = newValue }
    }

    /// The value of a property; nil if it has none.
    ///
    /// Collections are Foundation's. A set is a copy: Foundation on Linux doesn't return the mutable set that its
    /// dictionary contains, so call ``setValue(_:forKey:)`` to change it.
    ///
    /// - Parameter key: the name of the property.
    open func value(forKey key: String) -> Any? {
        // Foundation's dictionary returns Swift collections. Collections of `Any` can't be compared.
        switch propertyCache?[NSString(string: key)] {
        case is NSNull: nil
        case let set as Set<AnyHashable>: NSSet(set: set)
        case let array as [Any]: NSArray(array: array)
        case let dictionary as [AnyHashable: Any]: NSDictionary(dictionary: dictionary)
        case let value: value
        }
    }

    /// Sets the value of a property.
    ///
    /// - Parameters:
    ///   - value: the value; nil removes it.
    ///   - key: the name of the property.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        if let value { cache[NSString(string: key)] = value } else { cache.removeObject(forKey: NSString(string: key)) }
        if propertyCache == nil { propertyCache = cache }
    }
}
