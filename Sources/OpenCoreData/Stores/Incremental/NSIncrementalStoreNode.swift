// SPDX-License-Identifier: Apache-2.0

/// The values of one object in a store that reads a part of its objects at a time.
///
/// An attribute has the value that `value(forKey:)` of a managed object returns. The value of a to-one relationship is
/// an `NSManagedObjectID`, or `NSNull` for no destination. A node has no values for to-many relationships. A node may
/// be read on any thread; the store that makes it updates it on one thread at a time.
nonisolated open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
    private struct Content {
        var values: [String: Any]
        var version: UInt64
    }

    private let id: NSManagedObjectID
    private let content: Locked<Content>

    /// Makes the node of an object.
    ///
    /// - Parameters:
    ///   - objectID: the object's ID.
    ///   - values: the values by the names of properties. A missing attribute is nil; for a missing to-one relationship
    ///     the store's `newValue(forRelationship:forObjectWith:with:)` is called.
    ///   - version: the version of the values. Different values must have different versions: the version tells whether
    ///     the object was changed since a context read it.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        id = objectID
        content = Locked(Content(values: values, version: version))
        super.init()
    }

    /// The ID of the object.
    open var objectID: NSManagedObjectID { id }

    /// The version of the values.
    open var version: UInt64 { content.withLock { $0.version } }

    /// Replaces all values.
    ///
    /// - Parameters:
    ///   - values: the values by the names of properties.
    ///   - version: the version of the values.
    open func update(withValues values: [String: Any], version: UInt64) {
        content.withLock { $0 = Content(values: values, version: version) }
    }

    /// The value of a property: for an attribute as in managed objects, for a to-one relationship an
    /// `NSManagedObjectID` or `NSNull`; nil if the node has no value.
    ///
    /// - Parameter prop: a property of the object's entity.
    open func value(for prop: NSPropertyDescription) -> Any? { content.withLock { $0.values[prop.name] } }
}
