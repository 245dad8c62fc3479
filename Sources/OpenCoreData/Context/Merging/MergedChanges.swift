// SPDX-License-Identifier: Apache-2.0

/// The changes of another context or process, as object IDs.
struct MergedChanges: Sendable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
    var refreshed: Set<NSManagedObjectID> = []
    var invalidated: Set<NSManagedObjectID> = []
    /// Whether all objects are to be read again.
    var invalidatesAll = false
    /// The transactions of the changes in the history of their stores.
    var historyToken: NSPersistentHistoryToken?
    /// Whether the changes come from another coordinator or process, so that cached rows may be old.
    var isForeign = false

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && invalidated.isEmpty
            && !invalidatesAll
    }

    init() {}

    /// Reads the `userInfo` of a notification: objects, object IDs or URIs, in sets or arrays, under the keys for
    /// objects or the keys for IDs.
    ///
    /// - Parameters:
    ///   - userInfo: the dictionary. Other entries are ignored.
    ///   - coordinator: resolves URIs. URIs of stores that it doesn't have are skipped.
    ///   - includesTemporaryIDs: whether unsaved objects count. A child context counts the unsaved objects of its
    ///     parent.
    init(_ userInfo: [AnyHashable: Any], coordinator: NSPersistentStoreCoordinator?, includesTemporaryIDs: Bool = false)
    {
        func ids(_ keys: String...) -> Set<NSManagedObjectID> {
            Set(
                keys.flatMap { Self.members(userInfo[$0]) }.compactMap { Self.id($0, coordinator) }.filter {
                    includesTemporaryIDs || !$0.isTemporaryID
                })
        }
        inserted = ids(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated = ids(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
        deleted = ids(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
        refreshed = ids(NSRefreshedObjectsKey, NSRefreshedObjectIDsKey)
        invalidated = ids(NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey)
        invalidatesAll = userInfo[NSInvalidatedAllObjectsKey] != nil
        historyToken = userInfo[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    }

    private static func members(_ value: Any?) -> [Any] {
        switch value {
        case let objects as Set<NSManagedObject>: Array(objects)
        case let ids as Set<NSManagedObjectID>: Array(ids)
        case let urls as Set<URL>: Array(urls)
        case let set as NSSet: set.allObjects
        case let array as [Any]: array
        case let array as NSArray: array.map { $0 }
        default: []
        }
    }

    private static func id(_ value: Any, _ coordinator: NSPersistentStoreCoordinator?) -> NSManagedObjectID? {
        switch value {
        case let object as NSManagedObject: object.objectID
        case let id as NSManagedObjectID: id
        case let url as URL: coordinator?.managedObjectID(forURIRepresentation: url)
        case let url as NSURL: coordinator?.managedObjectID(forURIRepresentation: url as URL)
        default: nil
        }
    }

    /// The `userInfo` of `NSManagedObjectContextDidMergeChangesObjectIDs`.
    var userInfo: [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for (key, ids) in [
            (NSInsertedObjectIDsKey, inserted), (NSUpdatedObjectIDsKey, updated), (NSDeletedObjectIDsKey, deleted),
            (NSRefreshedObjectIDsKey, refreshed),
            (NSInvalidatedObjectIDsKey, invalidated),
        ] where !ids.isEmpty {
            result[key] = ids
        }
        if invalidatesAll { result[NSInvalidatedAllObjectsKey] = true }
        if let historyToken { result[NSPersistentHistoryTokenKey] = historyToken }
        return result
    }
}
