/// A request that a context sends to stores: the common part of fetches, saves and batch operations.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// The stores that the request is for (objects of class `NSPersistentStore`); nil for all. The public property is
    /// added above.
    package final var affectedStoresStorage: [AnyObject]?

    /// What a fetch request asks for; nil for every other request. Stores handle an `NSFetchRequest` of any result type
    /// through it.
    package final var fetchDescriptionStorage: FetchDescription?

    /// Set on the named requests of an immutable model, which can't be changed.
    final var isPartOfImmutableModel = false

    /// Makes a request for all stores.
    public override init() { super.init() }

    /// The kind of the request.
    open var requestType: NSPersistentStoreRequestType {
        programmingError("\(Swift.type(of: self)) must override requestType.")
    }

    /// A copy that may be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        programmingError("\(Swift.type(of: self)) must override copy(with:).")
    }

    /// Stops if the request belongs to an immutable model; called before every change.
    package final func willModify(_ key: String) {
        if isPartOfImmutableModel {
            programmingError(
                "Can't modify a named fetch request in an immutable model. Key '\(key)', "
                    + "entity '\(fetchDescriptionStorage?.entityName ?? "")': change a copy of the request (copy()).")
        }
    }
}
