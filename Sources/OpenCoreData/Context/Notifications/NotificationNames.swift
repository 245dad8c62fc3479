// SPDX-License-Identifier: Apache-2.0

/// The inserted objects of a change or save notification: a `Set<NSManagedObject>`.
public let NSInsertedObjectsKey = "inserted"
/// The updated objects of a change or save notification.
public let NSUpdatedObjectsKey = "updated"
/// The deleted objects of a change or save notification.
public let NSDeletedObjectsKey = "deleted"
/// The refreshed objects: their committed values have changed.
public let NSRefreshedObjectsKey = "refreshed"
/// The invalidated objects.
public let NSInvalidatedObjectsKey = "invalidated"
/// Present when all objects were invalidated: the context was reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The IDs of the inserted objects: a `Set<NSManagedObjectID>`.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The IDs of the updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The IDs of the deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The IDs of the refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The IDs of the invalidated objects.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// The query generation of the context: an `NSQueryGenerationToken`, missing if the context isn't pinned.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
/// The newest transaction in the history of the saved stores: an `NSPersistentHistoryToken`, missing for stores without
/// persistent history.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The URL of the store that was written to.
public let NSPersistentStoreURLKey = "storeURL"
/// The stores that were added: an array of `NSPersistentStore`.
public let NSAddedPersistentStoresKey = "added"
/// The stores that were removed: an array of `NSPersistentStore`.
public let NSRemovedPersistentStoresKey = "removed"
/// The store before and after its UUID has changed: an array of two.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension NSNotification.Name {
    /// Posted when a context has processed changes; the object is the context.
    public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
        "NSObjectsChangedInManagingContextNotification")
    /// Posted before a context saves.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// Posted after a context has saved.
    public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted after a context has saved, with object IDs.
    public static let NSManagedObjectContextDidSaveObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    /// Posted after a context has merged the changes of another context or process, with object IDs.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
    /// Posted when a coordinator's stores have changed; the object is the coordinator.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// Posted on Apple's platforms when the iCloud account changes. This framework doesn't post it.
    public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted after this coordinator, another coordinator or another process has written to a store; the object is the
    /// coordinator. Only for stores with the option `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
    /// Posted before a store is removed from its coordinator.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}

extension NSManagedObjectContext {
    /// Posted when a context has processed changes.
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// Posted before a context saves.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// Posted after a context has saved.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// Posted after a context has saved, with object IDs.
    public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
    /// Posted after a context has merged the changes of another context or process, with object IDs.
    public static let didMergeChangesObjectIDsNotification = Notification.Name
        .NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of a context's notifications.
    public enum NotificationKey: String, Sendable {
        /// The inserted objects.
        case insertedObjects = "inserted"
        /// The updated objects.
        case updatedObjects = "updated"
        /// The deleted objects.
        case deletedObjects = "deleted"
        /// The refreshed objects.
        case refreshedObjects = "refreshed"
        /// The invalidated objects.
        case invalidatedObjects = "invalidated"
        /// Present when all objects were invalidated.
        case invalidatedAllObjects = "invalidatedAll"
        /// The IDs of the inserted objects.
        case insertedObjectIDs = "inserted_objectIDs"
        /// The IDs of the updated objects.
        case updatedObjectIDs = "updated_objectIDs"
        /// The IDs of the deleted objects.
        case deletedObjectIDs = "deleted_objectIDs"
        /// The IDs of the refreshed objects.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// The IDs of the invalidated objects.
        case invalidatedObjectIDs = "invalidated_objectIDs"
        /// The query generation of the context.
        case queryGeneration = "newQueryGeneration"
    }
}
