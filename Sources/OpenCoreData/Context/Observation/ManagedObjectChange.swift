/// **Extension.** What one change event did to an object that is observed by
/// ``NSManagedObject/changeStream(bufferingPolicy:)``.
public struct ManagedObjectChange: Sendable, Hashable {
    /// What happened to the object.
    public enum Kind: Sendable {
        /// It is new.
        case inserted
        /// Its values were changed in its context.
        case updated
        /// It took values of the store, or its unsaved changes were taken back.
        case refreshed
        /// It was deleted.
        case deleted
    }

    /// The object's ID as it is now: temporary until the object is saved.
    public let objectID: NSManagedObjectID
    /// What happened to the object.
    public let kind: Kind
    /// The names of the properties that have other values than they had after the last event; empty for a deleted
    /// object.
    public let keys: Set<String>
}

/// **Extension.** What one change event did to the objects of a context that is observed by
/// ``NSManagedObjectContext/changeStream(bufferingPolicy:)``.
///
/// IDs of objects that were never saved are temporary.
public struct ManagedObjectContextChange: Sendable, Hashable {
    /// The objects that are new in the context, also by a merge.
    public var inserted: Set<NSManagedObjectID> = []
    /// The objects whose values were changed in the context.
    public var updated: Set<NSManagedObjectID> = []
    /// The objects that were deleted.
    public var deleted: Set<NSManagedObjectID> = []
    /// The objects that took values of the store, or whose unsaved changes were taken back.
    public var refreshed: Set<NSManagedObjectID> = []
    /// Whether the context was reset: all its objects are gone.
    public var isReset = false
}
