// SPDX-License-Identifier: Apache-2.0

/// A row that another context or process has changed since a context fetched it.
///
/// If another context of the same coordinator has saved the row, ``cachedSnapshot`` contains the new values of the row
/// cache, and ``persistedSnapshot`` is nil. If another coordinator or process has changed the store, ``cachedSnapshot``
/// contains the values that the context fetched, and ``persistedSnapshot`` the values of the store.
///
/// Snapshots contain attributes, and the IDs of to-one relationships. Nil values are `NSNull`. Used on the queue of the
/// source object's context.
nonisolated open class NSMergeConflict: NSObject {
    /// The context's object.
    open private(set) var sourceObject: NSManagedObject
    /// The values with which the object was fetched. Its unsaved changes are not in it: read them from the object.
    open private(set) var objectSnapshot: [String: Any]?
    /// The values of the row cache: newer than the object's values, or older than the store's values.
    open private(set) var cachedSnapshot: [String: Any]?
    /// The values of the store; nil if the row was deleted, or if the conflict is with another context of the
    /// coordinator.
    open private(set) var persistedSnapshot: [String: Any]?
    /// The version of the row in the store; 0 if the row was deleted.
    open private(set) var newVersionNumber: Int
    /// The version of the row that the context fetched.
    open private(set) var oldVersionNumber: Int
    /// The row in the store; nil if the program made the conflict.
    final private(set) var persistedRow: RetainedRow?

    /// Describes a conflict.
    ///
    /// - Parameters:
    ///   - srcObject: the context's object.
    ///   - newvers: the version of the row in the store, 0 if the row was deleted.
    ///   - oldvers: the version of the row that the context fetched.
    ///   - cachesnap: the values of the row cache.
    ///   - persnap: the values of the store.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?,
        persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        objectSnapshot = ConflictSnapshot.values(of: srcObject)
        super.init()
    }

    convenience init(
        _ object: NSManagedObject, newVersion: Int, oldVersion: Int, cached: [String: Any]?, persisted: [String: Any]?,
        row: RetainedRow?
    ) {
        self.init(
            source: object, newVersion: newVersion, oldVersion: oldVersion, cachedSnapshot: cached,
            persistedSnapshot: persisted)
        persistedRow = row
    }

    open override var description: String {
        """
        NSMergeConflict for \(sourceObject.layout.name) \
        \(sourceObject.objectID.uriRepresentation().absoluteString): version \(oldVersionNumber) was fetched, 
        """
            + (newVersionNumber == 0 ? "the row was deleted" : "the store has version \(newVersionNumber)")
    }
}
