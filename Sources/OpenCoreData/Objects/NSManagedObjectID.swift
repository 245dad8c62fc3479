/// A compact, universal identifier of a managed object.
///
/// An object that was never saved has a temporary ID; saving gives it a permanent one. Equal IDs name the same object;
/// IDs may cross threads.
open class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    let layout: EntityLayout
    let storeIdentity: StoreIdentity?
    /// The primary key, negative for a temporary ID.
    let key: Int64

    init(layout: EntityLayout, store: StoreIdentity?, key: Int64) {
        self.layout = layout
        self.storeIdentity = store
        self.key = key
        super.init()
    }

    /// The entity of the object.
    open var entity: NSEntityDescription { layout.entity }

    /// The store that holds the object, nil for a temporary ID and when the store was removed.
    open var persistentStore: NSPersistentStore? { key < 0 ? nil : storeIdentity?.store }

    /// Whether the ID is temporary: the object was not saved yet.
    open var isTemporaryID: Bool { key < 0 }

    /// The ID as an archivable URI, `x-coredata://STORE-UUID/Entity/pKEY`.
    ///
    /// A temporary ID's URI, `x-coredata:///Entity/t…`, means nothing outside this process.
    open func uriRepresentation() -> URL {
        let name = layout.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? layout.name
        let text =
            key < 0
            ? "x-coredata:///\(name)/t\(TemporaryKeys.process)\(key.magnitude)"
            : "x-coredata://\(storeIdentity?.uuid ?? "")/\(name)/p\(key)"
        guard let url = URL(string: text) else {
            programmingError(
                "The entity name '\(layout.name)' makes no URI.",
                remedy: "Name entities with letters, digits and underscores.")
        }
        return url
    }

    /// The ID itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    open override var hash: Int { Int(truncatingIfNeeded: key) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        if self === other { return true }
        guard key == other.key else { return false }
        if key < 0 { return true }
        return layout.model[layout.root].name == other.layout.model[other.layout.root].name
            && (storeIdentity === other.storeIdentity || storeIdentity?.uuid == other.storeIdentity?.uuid)
    }

    open override var description: String { "<\(uriRepresentation().absoluteString)>" }
}
