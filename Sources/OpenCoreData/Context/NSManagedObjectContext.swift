/// A scratch pad of objects: fetches them, tracks their changes, and saves all of them or none.
///
/// A context and its objects are used on the context's queue alone: inside `perform(_:)` and `performAndWait(_:)`, or
/// on the main queue for a context of that kind. The context holds changed objects strongly, the others only as long as
/// somebody uses them. What it shares with other contexts, the coordinator and its stores, has locks of its own.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    /// Which queue the context's work runs on.
    public let concurrencyType: NSManagedObjectContextConcurrencyType
    /// Where the context's work runs; nil for one that is confined. Used by `Queues/` alone, which notes who holds it.
    final let dispatchQueue: DispatchQueue?

    /// For code that locks contexts instead of using their queues.
    final let contextLock = NSRecursiveLock()

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
    final var deleted = ChangeList(keepsRecent: true)
    /// Objects that were inserted and deleted without a save in between, until they leave.
    final var deletedInsertions: [NSManagedObject] = []
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
    /// Whether it was told that a block waits long for the main queue. Guarded by the lock of `MainQueueWatch`.
    final var isKnownToWait = false
    final var isProcessing = false
    final var isSaving = false
    /// Changes are not noted: an object awakes with its fetched values.
    final var isChangeProcessingDisabled = false
    /// Whether a relationship may lead to an object that can't be saved with its owner.
    final var mayHaveDanglingReferences = false
    /// What kept a fault or a relationship from being read, since deletions were last propagated.
    final var readingFailure: (any Error)?
    /// What objects were before the event under way.
    final var changeEvent = ChangeEvent()
    final var undoRegistration = UndoRegistration()
    /// Which rows the context reads.
    final var queryPin = QueryPin.none { didSet { handle.mayBePinned.store(!queryPin.isNone, ordering: .relaxed) } }
    /// Whether the newest rows are read though the context is pinned: while it writes.
    final var readsNewest = false
    /// Stores that objects were assigned to before their first save.
    final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
    /// The context that takes the place of stores; nil for a context that works on stores itself.
    final var parentContext: NSManagedObjectContext?
    /// What the context and its children share.
    final let family = ContextFamily()
    /// The permanent keys of objects that had temporary ones, by these; kept where parents and children may still use
    /// the old ones.
    final var permanentKeys: [Int64: PermanentKey] = [:]
    /// How many of the permanent keys that the parent has noted were taken over.
    final var appliedKeyCount = 0

    struct TableKey: Hashable {
        let store: Int
        let root: UInt32
    }

    /// The coordinator whose stores the context works on. Set it before the context has objects.
    ///
    /// A context with a parent answers the coordinator at the top of its line; setting another one there stops the
    /// program.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { handle.coordinator }
        set {
            if parentContext != nil {
                if handle.coordinator === newValue { return }
                programmingError(
                    "A context with a parent can't have a coordinator of its own.",
                    remedy: "Set parent to nil first, or leave the coordinator to the parent.")
            }
            if handle.coordinator !== newValue && !storedTables.isEmpty {
                programmingError(
                    "A context's coordinator can't be replaced while it has objects.",
                    remedy: "Call reset() first, or make another context.")
            }
            if automaticallyMergesChangesFromParent { handle.coordinator?.mergeDelivery.unsubscribe(self) }
            if handle.coordinator !== newValue { queryPin.loosen() }
            handle.coordinator = newValue
            if automaticallyMergesChangesFromParent { newValue?.mergeDelivery.subscribe(self) }
            lastEntity = nil
            family.forEachChild { $0.followCoordinator(newValue) }
        }
    }

    /// A name for logs and debugging. May be read and set on any thread.
    open var name: String? {
        get { handle.name.withLock { $0 } }
        set { handle.name.withLock { $0 = newValue } }
    }
    /// Values of the application.
    public let userInfo = NSMutableDictionary()
    /// The author noted with the context's transactions.
    open var transactionAuthor: String?
    /// Whether deletions reach related objects at the end of each event (the default) or only when saving.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether a fault whose row is gone counts as deleted (the default) or stops the program.
    open var shouldDeleteInaccessibleFaults = true

    /// Asked when a fault's row is gone: true lets the object count as deleted, with nil values; false stops the
    /// program.
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
                programmingError(
                    "\(type(of: newValue)) is no merge policy.",
                    remedy: "Set an NSMergePolicy, or an object of a subclass.")
            }
            conflictPolicy = policy
        }
    }

    /// Whether what other contexts save to the coordinator, or to the parent, is merged into this one, on its queue, in
    /// the order of the saves; in a child also what the parent saves and merges itself. Off by default.
    open var automaticallyMergesChangesFromParent = false {
        didSet {
            if automaticallyMergesChangesFromParent && concurrencyType == .confinementConcurrencyType {
                programmingError(
                    "A context without a queue can't merge by itself.",
                    remedy: "Make the context with a private queue or the main queue.")
            }
            guard automaticallyMergesChangesFromParent != oldValue, let delivery = mergeSource else { return }
            if automaticallyMergesChangesFromParent { delivery.subscribe(self) } else { delivery.unsubscribe(self) }
        }
    }

    /// What takes changes back and makes them again; nil, at first, for nothing.
    ///
    /// The changes that each change notification tells are one action, registered before it is posted, in the group
    /// that is open. To make changes that can't be taken back, call `processPendingChanges()`, disable registration,
    /// make them, call `processPendingChanges()` again, and enable it. The actions don't keep the context; setting
    /// another manager removes them from the old one.
    open var undoManager: UndoManager? {
        get { undoRegistration.manager }
        set { follow(newValue) }
    }

    /// How old cached values may be, in seconds, when a fault takes them; older ones are fetched again. Negative (the
    /// default, -1) for any age.
    open var stalenessInterval: TimeInterval {
        get { handle.stalenessInterval }
        set { handle.stalenessInterval = newValue }
    }

    /// Whether the context keeps all its objects, also those without changes that nobody else uses. Off by default.
    ///
    /// Objects leave when their deletion is saved, and with ``reset()``.
    open var retainsRegisteredObjects: Bool {
        get { handle.retained != nil }
        set {
            checkQueue()
            guard newValue != retainsRegisteredObjects else { return }
            handle.retained =
                newValue
                ? Dictionary(allRegistered.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
                : nil
        }
    }

    /// Makes a context.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        dispatchQueue =
            switch ct {
            case .confinementConcurrencyType: nil
            case .privateQueueConcurrencyType: DispatchQueue(label: "NSManagedObjectContext")
            case .mainQueueConcurrencyType: .main
            }
        handle = ContextHandle()
        super.init()
        handle.context = self
        if ct == .mainQueueConcurrencyType { MainQueue.mark() }
    }

    /// Makes a context that is confined to the thread or queue it is made on.
    @available(*, deprecated, message: "Use init(concurrencyType:) with a queue.")
    public convenience override init() { self.init(concurrencyType: .confinementConcurrencyType) }

    /// Makes a context.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

    deinit {
        // Break the cycles between objects, and let those that outlive the context know.
        for object in allRegistered { object.releaseLinks() }
        handle.retained = nil
        handle.context = nil
        leaveUndoManager()
        handle.observers.finish()
    }

    // MARK: Blocks on the queue

    /// Runs a block on the context's queue, later, as an event of its own: its changes are processed when it has ended.
    ///
    /// Returns at once, on whatever thread it is called; blocks run one after another, in order. Stops the program for
    /// a context without a queue.
    ///
    /// - Parameter block: the block; it and the context are kept until it has run.
    open func perform(_ block: @escaping () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it.
    ///
    /// Called on that queue, it runs the block at once, as part of the event that is under way; so it does wherever the
    /// caller, or somebody who waits for the caller, has that queue already. Two threads that each have a context's
    /// queue and wait for the other's wait for ever: wait for a parent from its child's queue, never the other way.
    /// Stops the program for a context without a queue.
    open func performAndWait(_ block: () -> Void) { wait(block, { _ in }) }

    // MARK: What changed

    /// The objects that the next save inserts.
    open var insertedObjects: Set<NSManagedObject> {
        checkQueue()
        return inserted.set
    }
    /// The objects that the next save updates.
    open var updatedObjects: Set<NSManagedObject> {
        checkQueue()
        return updated.set
    }
    /// The objects that the next save deletes.
    open var deletedObjects: Set<NSManagedObject> {
        checkQueue()
        return deleted.set
    }
    /// The objects that the context knows now.
    open var registeredObjects: Set<NSManagedObject> {
        checkQueue()
        return Set(allRegistered)
    }
    /// Whether a save would write anything, or would have to look.
    open var hasChanges: Bool {
        checkQueue()
        return !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty)
    }

    final var allRegistered: [NSManagedObject] {
        var result: [NSManagedObject] = []
        for table in unsavedTables.values { result += table.all }
        for table in storedTables.values { result += table.all }
        return result
    }

    /// The coordinator, which must be there for anything that reaches a store.
    final func requireCoordinator() throws -> NSPersistentStoreCoordinator {
        if let coordinator = handle.coordinator { return coordinator }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSCoreDataError,
            userInfo: [
                NSLocalizedDescriptionKey: """
                The context\(name.map { " '\($0)'" } ?? "") has no persistent store coordinator. Set its \
                persistentStoreCoordinator first.
                """
            ])
    }
}
