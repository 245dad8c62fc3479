// SPDX-License-Identifier: Apache-2.0

/// An object space: fetches objects, tracks their changes, and saves all changes or none.
///
/// A context keeps one object for each row that it knows. It watches the objects, processes their changes at the end of
/// each event, and writes them to the stores in ``save()``. Until then other contexts don't see the changes.
///
/// ```swift
/// func rename(_ book: NSManagedObjectID, to title: String, in container: NSPersistentContainer) async throws {
///     let context = container.newBackgroundContext()
///     try await context.perform {
///         let object = try context.existingObject(with: book)
///         object.setValue(title, forKey: "title")
///         try context.save()
///     }
/// }
/// ```
///
/// **Queue.** A context and its objects are used on the context's queue alone: inside ``perform(_:)`` or
/// ``performAndWait(_:)->_``, or on the main queue for a main-queue context. Give object IDs, not objects, to other
/// queues. The launch argument `-com.apple.CoreData.ConcurrencyDebug 1` makes the program stop at a violation. The
/// coordinator and the stores are protected by their own locks.
///
/// **Memory.** The context retains inserted, changed and deleted objects. It refers to all other objects weakly, unless
/// ``retainsRegisteredObjects`` is set.
///
/// **Parents.** A context with a ``parent`` reads from its parent and saves into it. Only the context at the top of the
/// line writes to stores.
///
/// **Subclasses** may override every `open` member, and call `super`. The framework calls ``insert(_:)`` for each new
/// object, ``fetch(_:)-(NSFetchRequest<NSFetchRequestResult>)`` for the fetches of fetched properties, fetch request
/// expressions and fetched results controllers, ``delete(_:)`` for each object that a cascade rule deletes, and
/// ``refresh(_:mergeChanges:)`` for each object in ``refreshAllObjects()``. For its other work it doesn't call the
/// open members.
nonisolated open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    /// Which queue the context's work runs on.
    open var concurrencyType: NSManagedObjectContextConcurrencyType { queue.type }

    /// The queue. Used by `Queues/` alone, which tracks which thread holds it.
    final let queue: ContextQueue
    /// The part of the context that its objects, and contexts on other queues, refer to.
    final let handle: ContextHandle
    /// The registered objects.
    final let registry: ObjectRegistry
    /// The unsaved changes.
    final let unsavedChanges = UnsavedChanges()
    /// The change event under way.
    final let changeEvent = ChangeEvent()
    /// The query generation, the asynchronous fetches, and the last failure.
    final let reading: ReadState
    /// The merge policy, and the save under way.
    final let saving = SaveState()
    /// The undo manager, and what is registered with it.
    final let undoRegistration = UndoRegistration()
    /// The parent and the children.
    final let hierarchy: ContextHierarchy

    /// The coordinator whose stores the context works on. Set it before the context has objects.
    ///
    /// A context with a parent has the coordinator of the context at the top of the line. Setting another one stops the
    /// program, and so does replacing the coordinator of a context with objects.
    ///
    /// ```swift
    /// let worker = NSManagedObjectContext(.privateQueue)
    /// worker.persistentStoreCoordinator = context.persistentStoreCoordinator
    /// ```
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { handle.coordinator }
        set { setCoordinator(newValue) }
    }

    /// A name for logs and debugging. May be read and set on any thread.
    open var name: String? {
        get { handle.name.withLock { $0 } }
        set { handle.name.withLock { $0 = newValue } }
    }
    /// Values for the program's use. Change them on the context's queue.
    open var userInfo: NSMutableDictionary { userInfoStorage }
    private final let userInfoStorage = NSMutableDictionary()
    /// The author of the context's transactions in the history of stores with `NSPersistentHistoryTrackingKey`.
    ///
    /// A save records the author that is set when it writes; see ``NSPersistentHistoryTransaction/author``. The topmost
    /// context of a hierarchy writes: its author is recorded for what a child saves into it, and for a batch request
    /// that a child executes. May be read and set on any thread.
    open var transactionAuthor: String? {
        get { handle.transactionAuthor.withLock { $0 } }
        set { handle.transactionAuthor.withLock { $0 = newValue } }
    }
    /// Whether deletions reach related objects at the end of each event (the default) or only when saving.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether a fault whose row was deleted counts as deleted (the default), or stops the program when it is fired.
    open var shouldDeleteInaccessibleFaults = true

    /// Decides what happens when a fault is fired whose row was deleted.
    ///
    /// - Parameters:
    ///   - fault: the object.
    ///   - oid: its ID.
    ///   - property: the property that was read, if it is known.
    /// - Returns: true if the object counts as deleted and has nil values; false to stop the program. The value of
    ///   `shouldDeleteInaccessibleFaults`, unless overridden.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    /// How conflicts are resolved when the context saves: an `NSMergePolicy`, by default ``NSMergePolicy/error``.
    ///
    /// Stops the program for anything else.
    ///
    /// ```swift
    /// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    /// ```
    open var mergePolicy: Any {
        get { saving.mergePolicy }
        set {
            guard let policy = newValue as? NSMergePolicy else {
                programmingError(
                    "\(type(of: newValue)) is no merge policy.",
                    remedy: "Set an NSMergePolicy, or an object of a subclass.")
            }
            saving.setMergePolicy(policy)
        }
    }

    /// Whether the context merges the saves of other contexts automatically. False by default.
    ///
    /// A context without a parent merges the saves of all contexts of its coordinator. A child merges what its parent
    /// and the other children of that parent save, and what the parent merges.
    ///
    /// ```swift
    /// func makeViewContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    ///     let context = NSManagedObjectContext(.mainQueue)
    ///     context.persistentStoreCoordinator = coordinator
    ///     context.automaticallyMergesChangesFromParent = true
    ///     return context
    /// }
    /// ```
    ///
    /// Each save is merged on this context's queue, asynchronously, in the order of the saves, as by
    /// ``mergeChanges(fromContextDidSave:)``. Objects with unsaved changes keep them. Refreshed objects become faults
    /// and run no SQL until they fire.
    ///
    /// Set it on the context's queue. Stops the program for a context without a queue
    /// (`confinementConcurrencyType`).
    open var automaticallyMergesChangesFromParent = false {
        didSet {
            if automaticallyMergesChangesFromParent != oldValue { automaticMergingDidChange() }
        }
    }

    /// The undo manager that the context registers its changes with. Nil by default: no change can be undone.
    ///
    /// ```swift
    /// func renameAndUndo(_ song: Song, in context: NSManagedObjectContext) {
    ///     context.undoManager = UndoManager()
    ///     song.title = "Blue in Green"
    ///     context.processPendingChanges()
    ///     context.undo()
    /// }
    /// ```
    ///
    /// All changes of one change event are one action. It is registered before the event's change notification is
    /// posted, in the undo group that is open. For changes that can't be undone, call ``processPendingChanges()``,
    /// disable registration, make the changes, call ``processPendingChanges()`` again, and enable registration.
    ///
    /// The actions don't retain the context. Setting another manager removes the context's actions from the old one.
    /// Use the manager on the context's queue.
    open var undoManager: UndoManager? {
        get { undoRegistration.manager }
        set { setUndoManager(newValue) }
    }

    /// How old a cached row may be, in seconds, when a fault is fired with it. An older row is fetched again. The
    /// default is -1: negative values allow any age.
    ///
    /// ```swift
    /// // Other processes write to the store: each fired fault reads its row.
    /// context.stalenessInterval = 0
    /// ```
    open var stalenessInterval: TimeInterval {
        get { handle.stalenessInterval }
        set { handle.stalenessInterval = newValue }
    }

    /// Whether the context retains all registered objects, not only those with unsaved changes. False by default.
    ///
    /// It releases objects when their deletion is saved, and in ``reset()``.
    open var retainsRegisteredObjects: Bool {
        get { registry.retainsObjects }
        set {
            checkQueue()
            registry.retainsObjects = newValue
        }
    }

    /// Makes a context.
    ///
    /// ```swift
    /// let editor = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    /// editor.parent = context
    /// ```
    ///
    /// - Parameter ct: the kind of the context's queue.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        queue = ContextQueue(ct)
        handle = ContextHandle()
        registry = ObjectRegistry(handle: handle)
        hierarchy = ContextHierarchy(handle: handle)
        reading = ReadState(handle: handle)
        super.init()
        handle.context = self
        handle.link.refer(to: self)
    }

    /// Makes a context without a queue, for the thread or queue that makes it.
    @available(*, deprecated, message: "Use init(concurrencyType:) with a queue.")
    public convenience override init() { self.init(concurrencyType: .confinementConcurrencyType) }

    deinit {
        handle.link.remove()
        // Objects that outlive the context release their destinations, so that no retain cycle remains.
        for object in registry.objects { object.releaseLinks() }
        registry.retainsObjects = false
        handle.context = nil
        undoRegistration.detach(from: self)
        handle.observers.finish()
    }

    // MARK: Blocks

    /// Runs a block on the context's queue, asynchronously.
    ///
    /// ```swift
    /// func addSong(_ title: String, to context: NSManagedObjectContext) {
    ///     context.perform {
    ///         let song = Song(context: context)
    ///         song.title = title
    ///         do {
    ///             try context.save()
    ///         } catch {
    ///             print("The song can't be saved: \(error.localizedDescription)")
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Returns at once. The blocks of a context run one after another, in the order of the calls. Each block is a whole
    /// event: its changes are processed when it ends. The method itself runs no SQL. It may be called on any queue.
    /// Stops the program for a context without a queue.
    ///
    /// - Parameter block: the block. It and the context are retained until the block has run.
    @preconcurrency
    open func perform(_ block: @escaping @Sendable () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it.
    ///
    /// ```swift
    /// func forgetChanges(_ context: NSManagedObjectContext) {
    ///     context.performAndWait { context.rollback() }
    /// }
    /// ```
    ///
    /// A caller that is on the context's queue runs the block at once, as part of the current event. The same holds for
    /// a caller inside a block of another context, if this context's queue has called that block and waits for it.
    /// Otherwise the block is a whole event: its changes are processed when it ends. The method itself runs no SQL. It
    /// may be called on any queue.
    ///
    /// Two threads deadlock if each owns the queue of one context and waits for the queue of the other. So wait for a
    /// parent from its child's queue, never for a child from its parent's queue. Stops the program for a context
    /// without a queue.
    ///
    /// - Parameter block: the block.
    @preconcurrency
    open func performAndWait(_ block: @Sendable () -> Void) { performSynchronously(block, { _ in }) }

    // MARK: What changed

    /// The objects that the next save inserts. Used on the context's queue.
    open var insertedObjects: Set<NSManagedObject> {
        checkQueue()
        return unsavedChanges.inserted.set
    }
    /// The objects that the next save updates. Used on the context's queue.
    ///
    /// ```swift
    /// for object in context.updatedObjects { print(object.changedValues()) }
    /// ```
    open var updatedObjects: Set<NSManagedObject> {
        checkQueue()
        return unsavedChanges.updated.set
    }
    /// The objects that the next save deletes, and the objects whose deletion was merged in the current event. Used on
    /// the context's queue.
    open var deletedObjects: Set<NSManagedObject> {
        checkQueue()
        let deleted = unsavedChanges.deleted.set
        let others = changeEvent.deletedExternally
        return others.isEmpty ? deleted : deleted.union(others)
    }
    /// The registered objects. Used on the context's queue.
    ///
    /// ```swift
    /// for object in context.registeredObjects where !object.hasChanges {
    ///     context.refresh(object, mergeChanges: false)
    /// }
    /// ```
    open var registeredObjects: Set<NSManagedObject> {
        checkQueue()
        return Set(registry.objects)
    }
    /// Whether any object is inserted, updated or deleted. Used on the context's queue.
    ///
    /// An object counts as updated when a value was set, even to an equal value.
    ///
    /// ```swift
    /// if context.hasChanges { try context.save() }
    /// ```
    open var hasChanges: Bool {
        checkQueue()
        return !unsavedChanges.isEmpty
    }

    // MARK: Fetching

    /// Fetches the results of a request whose result type isn't known at compile time. The function with a result type
    /// does the same.
    ///
    /// Subclasses override this function: the function with a result type calls it, too, for contexts of a subclass.
    /// Call it on the context's queue.
    ///
    /// - Parameter request: what to fetch.
    /// - Returns: objects, their IDs, dictionaries or one count, by the request's result type.
    /// - Throws: what ``fetch(_:)-(NSFetchRequest<T>)`` throws.
    open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        checkQueue()
        resolveEntity(of: request)
        return try fetchResults(request)
    }

    /// Counts the results of a request whose result type isn't known at compile time. The function with a result type
    /// does the same.
    ///
    /// Subclasses override this function: the function with a result type calls it, too, for contexts of a subclass.
    /// Call it on the context's queue.
    ///
    /// - Parameter request: what to count.
    /// - Returns: the number of results that a fetch of the request would have.
    /// - Throws: what ``fetch(_:)-(NSFetchRequest<T>)`` throws.
    open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        checkQueue()
        resolveEntity(of: request)
        return try countResults(request)
    }

    /// Executes a request whose result is more than an array.
    ///
    /// An `NSAsynchronousFetchRequest` returns its result at once, and fills it when the stores have answered. An
    /// `NSFetchRequest` returns an `NSAsynchronousFetchResult` that is complete. An `NSBatchInsertRequest`,
    /// `NSBatchUpdateRequest` or `NSBatchDeleteRequest` changes the stores at once, without objects. Call it on the
    /// context's queue.
    ///
    /// ```swift
    /// let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Song"))
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameter request: a fetch, or a request that changes stores directly.
    /// - Returns: the result. Its class depends on the class of the request.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) for a request of another kind, and what the
    ///   request's execution throws.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        return try executeRequest(request)
    }

    // MARK: Objects by ID

    /// The object with an ID, if the context knows it.
    ///
    /// Runs no SQL. Call it on the context's queue.
    ///
    /// - Parameter objectID: a temporary or permanent ID.
    /// - Returns: the registered object, which may be a fault; nil if the context knows none with this ID.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        return object(registeredAs: objectID)
    }

    /// The object with an ID: the registered object, or a new fault.
    ///
    /// The context doesn't ask the store whether the row exists. Use it for IDs that are known to be good, for instance
    /// to use an object of another context here:
    ///
    /// ```swift
    /// func delete(_ book: NSManagedObject, in context: NSManagedObjectContext) {
    ///     let id = book.objectID
    ///     context.perform {
    ///         context.delete(context.object(with: id))
    ///     }
    /// }
    /// ```
    ///
    /// Runs no SQL. The first access of a value fires the fault: `SELECT … FROM ZBOOK t0 WHERE t0.Z_PK = ?`, unless the
    /// row cache has the row. If there is no row, ``shouldHandleInaccessibleFault(_:for:triggeredByProperty:)``
    /// decides. Call it on the context's queue.
    ///
    /// - Parameter objectID: a temporary or permanent ID. It may come from another coordinator with the same store.
    /// - Returns: the object, often a fault.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        return objectOrFault(objectID)
    }

    /// The object with an ID, with its values.
    ///
    /// Unlike ``object(with:)`` it fails for an ID whose row was deleted:
    ///
    /// ```swift
    /// func title(of book: NSManagedObjectID, in context: NSManagedObjectContext) throws -> String? {
    ///     do {
    ///         return try context.existingObject(with: book).value(forKey: "title") as? String
    ///     } catch CocoaError.managedObjectReferentialIntegrity {
    ///         return nil
    ///     }
    /// }
    /// ```
    ///
    /// An object that isn't a fault is returned at once. The row of a fault comes from the row cache, or from
    /// `SELECT … FROM ZBOOK t0 WHERE t0.Z_PK = ?`. Call it on the context's queue.
    ///
    /// - Parameter objectID: a temporary or permanent ID.
    /// - Returns: the object, which is no fault.
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) if the store has no such row, and what the store
    ///   throws. An object whose deletion isn't saved yet is returned.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue()
        return try loadedObject(objectID)
    }

    // MARK: Inserting and deleting

    /// Inserts an object: one that was made without a context, or one whose deletion isn't saved yet.
    ///
    /// `NSManagedObject.init(entity:insertInto:)` calls it for each new object, so it is seldom called directly:
    ///
    /// ```swift
    /// func addBook(_ title: String, to context: NSManagedObjectContext) -> NSManagedObject {
    ///     let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    ///     book.setValue(title, forKey: "title")
    ///     return book
    /// }
    /// ```
    ///
    /// The object gets a temporary ID and `awakeFromInsert()`. An object whose deletion is taken back keeps its ID and
    /// doesn't awake again. The next ``save()`` writes `INSERT INTO ZBOOK(…) VALUES(…)`. Call it on the context's
    /// queue.
    ///
    /// Stops the program if the object belongs to another context, if its entity is abstract, and in `didSave()` of a
    /// deleted object.
    ///
    /// - Parameter object: the object.
    open func insert(_ object: NSManagedObject) { insertObject(object) }

    /// Marks an object for deletion by the next save.
    ///
    /// The object's `prepareForDeletion()` runs now. Its deletion rules are applied when changes are processed: at the
    /// end of the event, or in ``save()`` if ``propagatesDeletesAtEndOfEvent`` is false. An object that was never saved
    /// leaves the context then.
    ///
    /// ```swift
    /// func deleteBooks(before year: Int, in context: NSManagedObjectContext) throws {
    ///     let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    ///     request.predicate = NSPredicate(format: "year < %d", year)
    ///     for book in try context.fetch(request) { context.delete(book) }
    ///     try context.save()
    /// }
    /// ```
    ///
    /// Deletion rules may read related objects, with one `SELECT` for each relationship. The next save runs
    /// `DELETE FROM ZBOOK WHERE Z_PK = ? AND Z_OPT = ?`. Call it on the context's queue.
    ///
    /// Does nothing for an object without a context, or one that is deleted already. Stops the program for an object of
    /// another context.
    ///
    /// - Parameter object: an object of this context.
    open func delete(_ object: NSManagedObject) {
        checkQueue()
        deleteObject(object)
    }

    /// Sets the store in which a new object will be saved. Required if several stores could take the object.
    ///
    /// Stops the program for anything but a new object that has no permanent ID. Call it on the context's queue.
    ///
    /// ```swift
    /// let cache = context.persistentStoreCoordinator?.persistentStores.first { $0.configurationName == "Cache" }
    /// let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
    /// if let cache { context.assign(song, to: cache) }
    /// ```
    ///
    /// - Parameters:
    ///   - object: an inserted object of this context.
    ///   - store: a store of the context's coordinator whose configuration has the object's entity.
    open func assign(_ object: Any, to store: NSPersistentStore) {
        checkQueue()
        assignStore(store, to: object)
    }

    /// Processes the changes since the last event: applies deletion rules, registers one action with the undo manager,
    /// and posts `NSManagedObjectContextObjectsDidChange`.
    ///
    /// The context processes changes by itself at the end of each block of ``perform(_:)``, at the end of each turn of
    /// the main queue, and before it saves or merges. A fetch sees the changes, but doesn't process them. Call it on
    /// the context's queue.
    ///
    /// ```swift
    /// let song = Song(context: context)
    /// song.title = "So What"
    /// context.processPendingChanges()  // The change notification is posted now.
    /// ```
    open func processPendingChanges() {
        checkQueue()
        processChanges()
    }

    // MARK: Saving

    /// Saves all changes, or none.
    ///
    /// ```swift
    /// func saveOrRollback(_ context: NSManagedObjectContext) throws {
    ///     guard context.hasChanges else { return }
    ///     do {
    ///         try context.save()
    ///     } catch {
    ///         context.rollback()
    ///         throw error
    ///     }
    /// }
    /// ```
    ///
    /// A save has these steps:
    /// 1. Pending changes are processed. A context without changes writes the metadata that was set on stores, posts
    ///    `NSManagedObjectContextDidSave` with an empty `userInfo`, and is done.
    /// 2. `NSManagedObjectContextWillSave` is posted, and `willSave()` is called on each changed object.
    /// 3. Deletion rules are applied, and objects are validated.
    /// 4. Each store writes its part in one transaction.
    /// 5. New objects get their permanent IDs, and `didSave()` is called.
    /// 6. `NSManagedObjectContextDidSave` and `NSManagedObjectContextDidSaveObjectIDs` are posted. An observer may call
    ///    `save()` again.
    ///
    /// A SQLite store runs these statements, one prepared statement for all rows of an entity:
    ///
    /// ```sql
    /// BEGIN IMMEDIATE
    /// UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?
    /// INSERT INTO ZBOOK(Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES(?, ?, ?, ?)
    /// UPDATE ZBOOK SET ZTITLE = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?
    /// DELETE FROM ZBOOK WHERE Z_PK = ? AND Z_OPT = ?
    /// COMMIT
    /// ```
    ///
    /// A statement that finds no row with the expected row version (`Z_OPT`) is a conflict, which ``mergePolicy``
    /// resolves.
    ///
    /// A child context writes into its parent, on the parent's queue, and runs no SQL. Its changes are unsaved changes
    /// of the parent then. New objects keep their temporary IDs until a context above saves them to a store.
    ///
    /// Call it on the context's queue.
    ///
    /// - Throws: in `NSCocoaErrorDomain`:
    ///   - a validation error (1550 to 1690), or `NSValidationMultipleErrorsError` (1560) for several;
    ///   - `NSManagedObjectMergeError` (133020) when a row was changed by another context or process, or the parent has
    ///     deleted an object, and the merge policy doesn't resolve the conflict;
    ///   - `NSManagedObjectConstraintMergeError` (133021) when values must be unique but aren't, and the merge policy
    ///     doesn't resolve the conflict;
    ///   - 132001 when it is called while this context saves: by `willSave()`, by `didSave()`, or by an observer of
    ///     `NSManagedObjectContextWillSave`;
    ///   - what the store throws.
    ///
    ///   After an error the context has the same unsaved changes as before, except for what the merge policy has
    ///   changed.
    open func save() throws {
        checkQueue()
        try saveChanges()
    }

    /// Gives new objects permanent IDs without saving them.
    ///
    /// The ID of a new object is temporary until the object is saved. A permanent ID can be stored, or given to another
    /// context, before that:
    ///
    /// ```swift
    /// func permanentURI(of book: NSManagedObject) throws -> URL {
    ///     try book.managedObjectContext?.obtainPermanentIDs(for: [book])
    ///     return book.objectID.uriRepresentation()
    /// }
    /// ```
    ///
    /// A SQLite store reserves the keys: `UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?`, once for each entity
    /// hierarchy. No row is written. Parent and child contexts that have the objects get the permanent IDs, too. Call
    /// it on the context's queue.
    ///
    /// - Parameter objects: objects of this context. Objects with permanent IDs are skipped.
    /// - Throws: `NSPersistentStoreSaveError` (134030) if no store can take an object, or
    ///   `CocoaError.fileWriteNoPermission` (513) if all stores that can take it are read-only, and the errors of the
    ///   store. No object has changed then.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue()
        try assignPermanentIDs(to: objects)
    }

    /// Includes an unchanged object in the optimistic locking of the next save: a newer row in the store is then a
    /// conflict.
    ///
    /// Changed and deleted objects are always checked. Call it on the context's queue.
    ///
    /// ```swift
    /// func copyLabel(of artist: Artist, to song: Song) throws {
    ///     // The save fails if another program has changed the artist, though only the song has changes.
    ///     song.setValue(artist.value(forKey: "label"), forKey: "label")
    ///     context.detectConflicts(for: artist)
    ///     try context.save()
    /// }
    /// ```
    ///
    /// - Parameter object: a saved object of this context. If it is a fault, it is fired now, since the check compares
    ///   the row version that was read.
    open func detectConflicts(for object: NSManagedObject) {
        checkQueue()
        checkVersionOnSave(of: object)
    }

    // MARK: Discarding changes and reading again

    /// Discards all unsaved changes.
    ///
    /// Inserted objects leave the context. Changed and deleted objects get their committed values back.
    ///
    /// Runs no SQL. Removes this context's actions from the undo manager, and posts
    /// `NSManagedObjectContextObjectsDidChange`. Call it on the context's queue.
    open func rollback() {
        checkQueue()
        if saving.holdsCells { return saving.postpone { self.discardChanges() } }
        discardChanges()
    }

    /// Empties the context: all objects leave it, and all unsaved changes are discarded.
    ///
    /// Don't use the objects afterwards. A reset frees memory between the batches of an import:
    ///
    /// ```swift
    /// func importBooks(_ titles: [[String]], into context: NSManagedObjectContext) throws {
    ///     for batch in titles {
    ///         for title in batch {
    ///             NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    ///                 .setValue(title, forKey: "title")
    ///         }
    ///         try context.save()
    ///         context.reset()
    ///     }
    /// }
    /// ```
    ///
    /// Runs no SQL. Removes this context's actions from the undo manager, moves a pinned context to the newest query
    /// generation, and posts `NSManagedObjectContextObjectsDidChange` with `NSInvalidatedAllObjectsKey`. Call it on the
    /// context's queue.
    open func reset() {
        checkQueue()
        if saving.holdsCells { return saving.postpone { self.removeAllObjects() } }
        removeAllObjects()
    }

    /// Replaces an object's committed values by the newest values of the store.
    ///
    /// ```swift
    /// func newestTitle(of book: NSManagedObject) -> String? {
    ///     book.managedObjectContext?.refresh(book, mergeChanges: true)
    ///     return book.value(forKey: "title") as? String
    /// }
    /// ```
    ///
    /// The coordinator's row cache drops the row. An object that becomes a fault reads its row at its next access. An
    /// object with unsaved changes reads its row at once: `SELECT … FROM ZBOOK t0 WHERE t0.Z_PK = ?`. In a child
    /// context the values come from the parent. The object is among `NSRefreshedObjectsKey` of the next change
    /// notification. Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - object: an object of this context. Any other object is ignored.
    ///   - flag: true keeps the unsaved changes and replaces the other values. False discards the unsaved changes and
    ///     makes the object a fault. A new object stays inserted, and has the default values when its fault fires. An
    ///     object to which the unsaved change of another object applies reads its row at once, and has that change.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        if saving.holdsCells { return saving.postpone { self.refreshObject(object, mergeChanges: flag) } }
        refreshObject(object, mergeChanges: flag)
    }

    /// Calls ``refresh(_:mergeChanges:)`` for all registered objects, and keeps unsaved changes.
    ///
    /// Objects without changes become faults. Call it on the context's queue.
    ///
    /// ```swift
    /// context.refreshAllObjects()  // The next use of each object reads its row.
    /// ```
    open func refreshAllObjects() {
        checkQueue()
        for object in registry.objects { refresh(object, mergeChanges: true) }
    }

    // MARK: Merging

    /// Merges the saved changes of another context.
    ///
    /// Objects that the other context has changed are refreshed, and keep this context's unsaved changes. Objects that
    /// it has inserted are registered as faults. Objects that it has deleted leave this context.
    ///
    /// ```swift
    /// func follow(_ other: NSManagedObjectContext, in context: NSManagedObjectContext) -> any NSObjectProtocol {
    ///     NotificationCenter.default.addObserver(
    ///         forName: .NSManagedObjectContextDidSave, object: other, queue: nil
    ///     ) { notification in
    ///         context.performAndWait { context.mergeChanges(fromContextDidSave: notification) }
    ///     }
    /// }
    /// ```
    ///
    /// ``automaticallyMergesChangesFromParent`` does the same by itself for contexts of one coordinator.
    ///
    /// Refreshed objects without changes become faults and run no SQL; an object with unsaved changes reads its row:
    /// from the row cache if the other context has the same coordinator, else by `SELECT … WHERE t0.Z_PK = ?`. Posts
    /// `NSManagedObjectContextObjectsDidChange` and `NSManagedObjectContextDidMergeChangesObjectIDs`.
    ///
    /// Call it on this context's queue. The other context may belong to another coordinator with the same store.
    ///
    /// - Parameter notification: the other context's `NSManagedObjectContextDidSave`,
    ///   `NSManagedObjectContextDidSaveObjectIDs` or `NSManagedObjectContextObjectsDidChange`.
    open func mergeChanges(fromContextDidSave notification: Notification) {
        checkQueue()
        mergeNotification(notification)
    }

    /// Merges saved changes of another process, or of another coordinator, into contexts.
    ///
    /// Each context merges on its own queue. The function returns when all have merged. It may be called on any queue
    /// for which none of the contexts' queues waits.
    ///
    /// ```swift
    /// func showDeletion(of ids: [NSManagedObjectID]) {
    ///     NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [context])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - changeNotificationData: object IDs or their URIs, in sets or arrays, under the keys of a save notification:
    ///     `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`, or the keys for IDs.
    ///   - contexts: the contexts that merge.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            var changes = MergedChanges(changeNotificationData, coordinator: context.handle.coordinator)
            changes.isForeign = true
            context.performSynchronously { context.merge(changes) }
        }
    }

    // MARK: Undoing

    /// Asks the undo manager to undo the last group of changes. Does nothing without an undo manager.
    ///
    /// ```swift
    /// func deleteAndUndo(_ song: Song, in context: NSManagedObjectContext) {
    ///     context.undoManager = UndoManager()
    ///     context.delete(song)
    ///     context.processPendingChanges()
    ///     context.undo()
    /// }
    /// ```
    ///
    /// Changes since the last change notification are processed first, and belong to the last group. An undo changes
    /// objects like any other code: notifications report it, and it must be saved. It calls only one of the life-cycle
    /// methods: `awake(fromSnapshotEvents:)`. Call it on the context's queue.
    open func undo() {
        checkQueue()
        undoManager?.undo()
    }

    /// Asks the undo manager to make the changes again that the last undo has taken back. Does nothing without an undo
    /// manager.
    ///
    /// Call it on the context's queue.
    open func redo() {
        checkQueue()
        undoManager?.redo()
    }

    // MARK: Query generations

    /// The query generation that the context reads: nil if it reads the newest rows, ``NSQueryGenerationToken/current``
    /// if its next read pins it, or if it has no store that it could be pinned to.
    ///
    /// Nil for a context with a parent: it reads the generation of the context at the top of the line.
    open var queryGenerationToken: NSQueryGenerationToken? { pinnedGenerationToken }

    /// Pins the context to a state of the stores, or lets it read the newest rows again.
    ///
    /// A pinned context reads everything from that state, whatever other contexts and processes save: fetches, faults,
    /// relationships, counts. Objects that have their values keep them. Refresh them, or reset the context, to see the
    /// values of the state.
    ///
    /// ```swift
    /// func titles(in context: NSManagedObjectContext) throws -> [String] {
    ///     try context.performAndWait {
    ///         try context.setQueryGenerationFrom(.current)
    ///         defer { context.reset() }
    ///         return try context.fetch(NSFetchRequest<Song>(entityName: "Song")).map(\.title)
    ///     }
    /// }
    /// ```
    ///
    /// The call runs no SQL. The next read opens another connection and begins a read transaction on it (`BEGIN
    /// DEFERRED`), which stays open while the generation is in use.
    ///
    /// Saving, merging and ``reset()`` move a pinned context to the newest state, as if `current` were set again. The
    /// write-ahead log of a SQLite store can't shrink while a context is pinned to an older state, so don't pin a
    /// context for long.
    ///
    /// A SQLite store can be pinned if its journal mode is WAL. Other stores, and stores that are added later, are read
    /// as they are. Call it on the context's queue.
    ///
    /// Stops the program for a context with a parent.
    ///
    /// - Parameter generation: a token of a context of the same coordinator, ``NSQueryGenerationToken/current`` for the
    ///   rows at the context's next read, or nil for no generation.
    /// - Throws: `NSCoreDataError` (134060) for a token of another coordinator.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        checkQueue()
        try pin(to: generation)
    }

    // MARK: Parent

    /// The parent context, which this context reads from and saves into; nil for a context that reads and saves stores
    /// directly. Parents may have parents, to any depth.
    ///
    /// ```swift
    /// func edit(_ id: NSManagedObjectID, in parent: NSManagedObjectContext) throws {
    ///     let child = NSManagedObjectContext(.privateQueue)
    ///     child.parent = parent
    ///     try child.performAndWait {
    ///         child.object(with: id).setValue("Blue in Green", forKey: "title")
    ///         try child.save()
    ///     }
    /// }
    /// ```
    ///
    /// A child sees all unsaved changes of the contexts above it. Its own saves go one level up: they change objects of
    /// the parent and run no SQL but the reads of these objects. It retains its parent.
    /// Its requests run on the parent's queue while the child waits; a parent never waits for its children.
    ///
    /// Set it before the context has objects. Stops the program if the context has objects or a coordinator, for a
    /// parent without a queue (`confinementConcurrencyType`), and for a parent that has this context above it.
    open var parent: NSManagedObjectContext? {
        get { hierarchy.parent }
        set { setParent(newValue) }
    }

    // MARK: Locking

    /// Locks the context against other threads that lock it. The lock is recursive.
    @available(*, deprecated, message: "Use a context with a queue, and perform(_:) or performAndWait(_:).")
    open func lock() { queue.lock.lock() }

    /// Releases one `lock()`, or one successful `tryLock()`, of this thread.
    @available(*, deprecated, message: "Use a context with a queue, and perform(_:) or performAndWait(_:).")
    open func unlock() { queue.lock.unlock() }

    /// Locks the context, unless another thread has locked it.
    ///
    /// - Returns: whether the context is locked by this thread now.
    @available(*, deprecated, message: "Use a context with a queue, and perform(_:) or performAndWait(_:).")
    open func tryLock() -> Bool { queue.lock.try() }
}
