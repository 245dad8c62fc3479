// SPDX-License-Identifier: Apache-2.0

/// The changes that a save sends to a custom store.
///
/// The objects belong to the context that saves; use them on its queue, inside of
/// `NSIncrementalStore.execute(_:with:)`.
nonisolated open class NSSaveChangesRequest: NSPersistentStoreRequest {
    private let inserted: Set<NSManagedObject>?
    private let updated: Set<NSManagedObject>?
    private let deleted: Set<NSManagedObject>?
    private let locked: Set<NSManagedObject>?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - insertedObjects: the new objects.
    ///   - updatedObjects: the changed objects.
    ///   - deletedObjects: the deleted objects.
    ///   - lockedObjects: unchanged objects whose versions must still be the versions that the context has read.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        inserted = insertedObjects
        updated = updatedObjects
        deleted = deletedObjects
        locked = lockedObjects
        super.init()
    }

    /// The new objects. They have permanent IDs.
    open var insertedObjects: Set<NSManagedObject>? { inserted }
    /// The changed objects.
    open var updatedObjects: Set<NSManagedObject>? { updated }
    /// The deleted objects.
    open var deletedObjects: Set<NSManagedObject>? { deleted }
    /// The objects of `NSManagedObjectContext.detectConflicts(for:)` that aren't changed.
    open var lockedObjects: Set<NSManagedObject>? { locked }

    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// A request with the same objects.
    ///
    /// - Parameter zone: ignored.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(inserted: inserted, updated: updated, deleted: deleted, locked: locked)
        copy.affectedStores = affectedStores
        return copy
    }
}
