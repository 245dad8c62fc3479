// SPDX-License-Identifier: Apache-2.0

/// A request that a context sends to stores: the base class of fetch requests, save requests and batch requests.
nonisolated open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores that execute the request (objects of class `NSPersistentStore`); nil for all stores. A higher module
    /// adds the public property.
    package final var affectedStoresStorage: [AnyObject]?

    /// The options of a fetch request; nil for every other request. Stores handle an `NSFetchRequest` of any result
    /// type through it.
    package final var fetchDescriptionStorage: FetchDescription?

    /// Whether the request belongs to an immutable model, and is immutable too.
    final var belongsToImmutableModel = false

    /// Creates a request for all stores.
    public override init() { super.init() }

    /// The kind of the request. Subclasses must override it.
    open var requestType: NSPersistentStoreRequestType {
        programmingError("\(Swift.type(of: self)) must override requestType.")
    }

    /// A mutable copy. Subclasses must override it.
    ///
    /// - Parameter zone: ignored.
    open func copy(with zone: NSZone? = nil) -> Any {
        programmingError("\(Swift.type(of: self)) must override copy(with:).")
    }

    /// Stops the program if the request belongs to an immutable model. Every setter calls it.
    package final func willModify(_ key: String) {
        if belongsToImmutableModel {
            programmingError(
                """
                Can't modify a named fetch request in an immutable model. Key '\(key)', entity \
                '\(fetchDescriptionStorage?.entityName ?? "")': change a copy of the request (copy()).
                """)
        }
    }
}

/// The kinds of requests that a coordinator sends to stores.
public enum NSPersistentStoreRequestType: UInt, Sendable {
    /// An `NSFetchRequest`.
    case fetchRequestType = 1
    /// An `NSSaveChangesRequest`.
    case saveRequestType = 2
    /// An `NSBatchInsertRequest`.
    case batchInsertRequestType = 5
    /// An `NSBatchUpdateRequest`.
    case batchUpdateRequestType = 6
    /// An `NSBatchDeleteRequest`.
    case batchDeleteRequestType = 7
}
