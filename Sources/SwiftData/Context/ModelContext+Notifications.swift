// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension ModelContext {
    /// Posted before a context saves. The object is the context.
    public static let willSave = Notification.Name("NSModelContextWillSave")

    /// Posted after a context has saved. The object is the context; ``NotificationKey`` has the keys.
    public static let didSave = Notification.Name("NSModelContextDidSave")

    /// The keys of ``didSave``.
    public enum NotificationKey: String {
        /// The query generation that the context reads, if the context is pinned to one.
        case queryGeneration
        /// Whether all models were invalidated.
        case invalidatedAllIdentifiers
        /// The identifiers of the inserted models, an array of ``PersistentIdentifier``.
        case insertedIdentifiers = "inserted"
        /// The identifiers of the changed models, an array of ``PersistentIdentifier``.
        case updatedIdentifiers = "updated"
        /// The identifiers of the deleted models, an array of ``PersistentIdentifier``.
        case deletedIdentifiers = "deleted"
        /// The positions after the save in the histories of the stores: a dictionary of tokens (`any HistoryToken`) by
        /// the identifiers of stores.
        case historyTokens
    }
}

/// The models of a save, for the notification after it.
struct SavedModels {
    private let inserted: ContiguousArray<NSManagedObject>
    private let updated: ContiguousArray<NSManagedObject>
    private let deleted: ContiguousArray<NSManagedObject>

    /// Call it before the save, when all changes are processed.
    init(of context: NSManagedObjectContext) {
        (inserted, updated, deleted) = context.unsavedObjects
    }

    /// The identifiers. Inserted models have permanent identifiers by now.
    func userInfo(of context: ModelContext) -> [AnyHashable: Any] {
        var userInfo: [AnyHashable: Any] = [:]
        func add(_ objects: ContiguousArray<NSManagedObject>, _ key: ModelContext.NotificationKey) {
            if objects.isEmpty { return }
            userInfo[key.rawValue] = objects.map { PersistentIdentifier($0.objectID) }
        }
        add(inserted, .insertedIdentifiers)
        add(updated, .updatedIdentifiers)
        add(deleted, .deletedIdentifiers)
        userInfo[ModelContext.NotificationKey.historyTokens.rawValue] = context.savedHistoryTokens
        return userInfo
    }
}
