/// A scratch pad of objects: fetches them, tracks their changes, and saves all of them or none.
///
/// A context and its objects are used on the context's queue alone: inside `perform(_:)` and `performAndWait(_:)`, or on
/// the main queue for a context of that kind. The context holds changed objects strongly, the others only as long as
/// somebody uses them. What it shares with other contexts, the coordinator and its stores, has locks of its own.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    /// Which queue the context's work runs on.
    public let concurrencyType: NSManagedObjectContextConcurrencyType
    let queue: DispatchQueue
    let queueKey = DispatchSpecificKey<Bool>()

    final let handle: ContextHandle
    /// Objects without a store, by root entity.
    final var unsavedTables: [UInt32: IdentityTable] = [:]
    /// The class that was instantiated last, and its entity.
    final var lastEntity: (type: NSManagedObject.Type, entity: NSEntityDescription)?
    /// The table used last, since objects mostly come in runs of one entity.
    final var lastUnsavedTable: (root: UInt32, table: IdentityTable)?
    /// Objects of a store, by store and root entity.
    final var storedTables: [TableKey: IdentityTable] = [:]
    final var inserted = ChangeList()
    final var updated = ChangeList()
    final var deleted = ChangeList()
    /// Objects changed since the last change notification.
    final var pending: ContiguousArray<NSManagedObject> = []
    final var refreshedSinceEvent: [NSManagedObject] = []
    /// Objects whose insertion was told and then taken back since the last change notification.
    final var withdrawnSinceEvent: [NSManagedObject] = []
    /// What other contexts have inserted, to be told by the next change notification.
    final var mergedInsertions: [NSManagedObject] = []
    /// Unchanged objects that must be as the context saw them when it saves next.
    final var checkedObjects: Set<NSManagedObject> = []
    final var conflictPolicy = NSMergePolicy.error
    /// What the last change notification told as inserted: usually what the next save inserts, so one set serves both.
    /// Valid while the list of insertions has the same serial.
    final var announcedInsertions: (objects: Set<NSManagedObject>, serial: Int)?
    final var isProcessingScheduled = false
    final var isProcessing = false
    final var isSaving = false
    /// What kept a fault or a relationship from being read, since deletions were last propagated.
    final var readingFailure: (any Error)?
    /// Stores that objects were assigned to before their first save.
    final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]

    struct TableKey: Hashable {
        let store: Int
        let root: UInt32
    }

    /// The coordinator whose stores the context works on. Set it before the context has objects.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { handle.coordinator }
        set {
            if handle.coordinator !== newValue && !storedTables.isEmpty {
                programmingError(
                    "A context's coordinator can't be replaced while it has objects.", remedy: "Call reset() first, or make another context.")
            }
            if automaticallyMergesChangesFromParent { handle.coordinator?.mergeDelivery.unsubscribe(self) }
            handle.coordinator = newValue
            if automaticallyMergesChangesFromParent { newValue?.mergeDelivery.subscribe(self) }
            lastEntity = nil
        }
    }

    /// A name for logs and debugging.
    open var name: String?
    /// Values of the application.
    public let userInfo = NSMutableDictionary()
    /// The author noted with the context's transactions.
    open var transactionAuthor: String?
    /// Whether deletions reach related objects at the end of each event (the default) or only when saving.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether a fault whose row is gone counts as deleted (the default) or stops the program.
    open var shouldDeleteInaccessibleFaults = true

    /// Asked when a fault's row is gone: true lets the object count as deleted, with nil values; false stops the program.
    ///
    /// - Parameters:
    ///   - fault: the object.
    ///   - oid: its ID.
    ///   - property: the property that was read, if it is known.
    /// - Returns: `shouldDeleteInaccessibleFaults`, unless overridden.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    /// How conflicts are settled when the context saves: an `NSMergePolicy`, by default ``NSMergePolicy/error``.
    ///
    /// Stops the program for anything else.
    open var mergePolicy: Any {
        get { conflictPolicy }
        set {
            guard let policy = newValue as? NSMergePolicy else {
                programmingError("\(type(of: newValue)) is no merge policy.", remedy: "Set an NSMergePolicy, or an object of a subclass.")
            }
            conflictPolicy = policy
        }
    }

    /// Whether what other contexts of the coordinator save is merged into this one, on its queue, in the order of the saves. Off by default.
    open var automaticallyMergesChangesFromParent = false {
        didSet {
            if automaticallyMergesChangesFromParent && concurrencyType == .confinementConcurrencyType {
                programmingError("A context without a queue can't merge by itself.", remedy: "Make the context with a private queue or the main queue.")
            }
            guard automaticallyMergesChangesFromParent != oldValue, let delivery = handle.coordinator?.mergeDelivery else { return }
            if automaticallyMergesChangesFromParent { delivery.subscribe(self) } else { delivery.unsubscribe(self) }
        }
    }

    /// How old cached values may be, in seconds, when a fault takes them; older ones are fetched again. Negative (the default, -1) for any age.
    open var stalenessInterval: TimeInterval {
        get { handle.stalenessInterval }
        set { handle.stalenessInterval = newValue }
    }

    /// Makes a context.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        queue = ct == .mainQueueConcurrencyType ? .main : DispatchQueue(label: "NSManagedObjectContext")
        handle = ContextHandle()
        super.init()
        handle.context = self
        if ct == .privateQueueConcurrencyType {
            queue.setSpecific(key: queueKey, value: true)
            CurrentContext.own(queue, self)
        }
        if ct == .mainQueueConcurrencyType { MainQueue.mark() }
    }

    /// Makes a context.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.type) }

    deinit {
        // Break the cycles between objects, and let those that outlive the context know.
        for object in allRegistered { object.releaseLinks() }
        handle.context = nil
    }

    // MARK: What changed

    /// The objects that the next save inserts.
    open var insertedObjects: Set<NSManagedObject> { inserted.set }
    /// The objects that the next save updates.
    open var updatedObjects: Set<NSManagedObject> { updated.set }
    /// The objects that the next save deletes.
    open var deletedObjects: Set<NSManagedObject> { deleted.set }
    /// The objects that the context knows now.
    open var registeredObjects: Set<NSManagedObject> { Set(allRegistered) }
    /// Whether a save would write anything, or would have to look.
    open var hasChanges: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }

    final var allRegistered: [NSManagedObject] {
        var result: [NSManagedObject] = []
        for table in unsavedTables.values { result += table.all }
        for table in storedTables.values { result += table.all }
        return result
    }

    /// The coordinator, which must be there for anything that reaches a store.
    final func requireCoordinator() throws -> NSPersistentStoreCoordinator {
        if let coordinator = handle.coordinator { return coordinator }
        throw NSError(domain: NSCocoaErrorDomain, code: NSCoreDataError, userInfo: [
            NSLocalizedDescriptionKey: "The context\(name.map { " '\($0)'" } ?? "") has no persistent store coordinator. Set its persistentStoreCoordinator first.",
        ])
    }
}
