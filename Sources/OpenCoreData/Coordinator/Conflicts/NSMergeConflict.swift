/// A row that was changed by somebody else since a context fetched it.
///
/// There are two kinds. Either another context of the same coordinator has saved the row: then ``cachedSnapshot`` holds
/// the values that the coordinator knows now, and ``persistedSnapshot`` is nil. Or the store itself was changed, by
/// another coordinator or process: then ``cachedSnapshot`` holds what was known of the row, and ``persistedSnapshot``
/// what the store has now.
///
/// Snapshots hold attributes and to-one relationships, these as `NSManagedObjectID`; nil values are `NSNull`. Used on
/// the queue of the source object's context.
open class NSMergeConflict: NSObject {
    /// The context's object.
    public let sourceObject: NSManagedObject
    /// The object's values in the context, nil if the context deletes it.
    public let objectSnapshot: [String: Any]?
    /// The values that the coordinator knows: newer than the object's, or those that the store has replaced.
    public let cachedSnapshot: [String: Any]?
    /// The values that the store has now, nil if the row was deleted or the conflict is with the coordinator's own
    /// values.
    public let persistedSnapshot: [String: Any]?
    /// The version that the store has now, 0 if the row was deleted.
    public let newVersionNumber: Int
    /// The version that the context saw.
    public let oldVersionNumber: Int
    /// The row as the store has it, if the conflict was found by a save.
    final let persistedRow: RetainedRow?

    /// Describes a conflict.
    ///
    /// - Parameters:
    ///   - srcObject: the context's object.
    ///   - newvers: the version that the store has now, 0 if the row was deleted.
    ///   - oldvers: the version that the context saw.
    ///   - cachesnap: the values that the coordinator knows.
    ///   - persnap: the values that the store has now.
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
        objectSnapshot = object.isDeleted ? nil : ConflictSnapshot.values(of: object)
        super.init()
    }

    open override var description: String {
        """
        NSMergeConflict for \(sourceObject.layout.name) \
        \(sourceObject.objectID.uriRepresentation().absoluteString): version \(oldVersionNumber) was fetched, 
        """
            + (newVersionNumber == 0 ? "the row is gone now" : "the store has version \(newVersionNumber)")
    }
}
