/// A row that another context or process has changed since a context fetched it.
///
/// If another context of the same coordinator has saved the row, ``cachedSnapshot`` contains the new values of the row
/// cache, and ``persistedSnapshot`` is nil. If another coordinator or process has changed the store, ``cachedSnapshot``
/// contains the values that the context fetched, and ``persistedSnapshot`` the values of the store.
///
/// Snapshots contain attributes, and the IDs of to-one relationships. Nil values are `NSNull`. Used on the queue of the
/// source object's context.
open class NSMergeConflict: NSObject {
    /// The context's object.
    public let sourceObject: NSManagedObject
    /// The values with which the object was fetched. Its unsaved changes are not in it: read them from the object.
    public let objectSnapshot: [String: Any]?
    /// The values of the row cache: newer than the object's, or those that the store has replaced.
    public let cachedSnapshot: [String: Any]?
    /// The values of the store; nil if the row was deleted, or if the conflict is with another context of the
    /// coordinator.
    public let persistedSnapshot: [String: Any]?
    /// The version of the row in the store; 0 if the row was deleted.
    public let newVersionNumber: Int
    /// The version of the row that the context fetched.
    public let oldVersionNumber: Int
    /// The row in the store; nil if the program made the conflict.
    final let persistedRow: RetainedRow?

    /// Describes a conflict.
    ///
    /// - Parameters:
    ///   - srcObject: the context's object.
    ///   - newvers: the version of the row in the store, 0 if the row was deleted.
    ///   - oldvers: the version of the row that the context fetched.
    ///   - cachesnap: the values of the row cache.
    ///   - persnap: the values of the store.
    public convenience init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?,
        persistedSnapshot persnap: [String: Any]?
    ) {
        self.init(srcObject, newVersion: newvers, oldVersion: oldvers, cached: cachesnap, persisted: persnap, row: nil)
    }

    init(
        _ object: NSManagedObject, newVersion: Int, oldVersion: Int, cached: [String: Any]?, persisted: [String: Any]?,
        row: RetainedRow?
    ) {
        sourceObject = object
        newVersionNumber = newVersion
        oldVersionNumber = oldVersion
        cachedSnapshot = cached
        persistedSnapshot = persisted
        persistedRow = row
        objectSnapshot = ConflictSnapshot.values(of: object)
        super.init()
    }

    open override var description: String {
        """
        NSMergeConflict for \(sourceObject.layout.name) \
        \(sourceObject.objectID.uriRepresentation().absoluteString): version \(oldVersionNumber) was fetched, 
        """
            + (newVersionNumber == 0 ? "the row was deleted" : "the store has version \(newVersionNumber)")
    }
}
