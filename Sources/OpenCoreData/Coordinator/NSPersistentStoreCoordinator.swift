// SPDX-License-Identifier: Apache-2.0

/// Associates persistent stores with a model, and passes the requests of contexts to the stores.
///
/// A coordinator owns its model for good: from `init(managedObjectModel:)` on the model can't be changed. Most programs
/// get a coordinator from ``NSPersistentContainer`` and never make one:
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
/// try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/var/lib/music/Music.sqlite"))
/// let context = NSManagedObjectContext(.privateQueue)
/// context.persistentStoreCoordinator = coordinator
/// ```
///
/// A coordinator may be used from any thread. Requests of several contexts run at the same time, as far as the stores
/// allow. Saves run one after the other. Only saves into stores on servers run side by side; if two of these change the
/// same objects, the second one waits for the first. A block of ``perform(_:)->_`` or ``performAndWait(_:)->_`` runs
/// alone: requests, saves, and stores that are added or removed on other threads wait for its end.
///
/// Threads share these parts of a coordinator, each with its guard:
/// - the order of requests, saves and blocks: `access`; how many blocks of contexts run: the mutex of `blocks`;
/// - the list of stores and the name: the mutex `registration`;
/// - blocks of `perform(_:)` and asynchronous fetches, in order: the serial queue `queue`;
/// - the contexts that merge saves: the mutex of `mergeDelivery`; the newest query generation: the mutex of
///   `newestGeneration`;
/// - the monitors that watch the stores for writes of other processes: the mutex of `remoteChanges`.
///
/// `access` is entered before any other lock of the coordinator or of its stores; no lock is held while a notification
/// is posted or a completion handler runs, unless the caller has exclusive access.
nonisolated open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    private struct Registration {
        var stores: [NSPersistentStore] = []
        var name: String?
        /// The URLs at which stores are being opened.
        var openingURLs: [URL] = []
        /// The stores that are being removed.
        var removing: [ObjectIdentifier] = []
    }

    private let model: NSManagedObjectModel
    package final let layouts: ModelLayout
    final let access = StoreAccess()
    /// Limits the running blocks of contexts while there are stores on servers.
    final let blocks: BlockAdmission
    private let registration = Locked(Registration())
    final let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")
    final let mergeDelivery = MergeDelivery()
    final let newestGeneration = NewestGeneration()
    final let remoteChanges = RemoteChangeMonitors()
    package final let activity = StoreActivity()
    final let cloudKitEvents = RecentEvents()
    /// The weak reference of the stores to their coordinator.
    final let link = ObjectLink<NSPersistentStoreCoordinator>()

    /// Makes a coordinator for a model, which can't be changed from now on.
    ///
    /// - Parameter model: the model of all stores.
    public required init(managedObjectModel model: NSManagedObjectModel) {
        self.model = model
        layouts = ModelLayout.of(model)
        blocks = BlockAdmission(access: access)
        super.init()
        link.refer(to: self)
        KnownModels.add(layouts)
    }

    /// Makes a coordinator with a model without entities: to destroy, replace and copy stores.
    ///
    /// ```swift
    /// func remove(_ store: URL) throws {
    ///     try NSPersistentStoreCoordinator().destroyPersistentStore(at: store, type: .sqlite)
    /// }
    /// ```
    public convenience override init() { self.init(managedObjectModel: NSManagedObjectModel()) }

    deinit {
        link.remove()
        remoteChanges.stopAll()
        for store in persistentStores { store.willRemove(from: nil) }
    }

    /// The model of all stores.
    open var managedObjectModel: NSManagedObjectModel { model }

    /// The stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { registration.withLock { $0.stores } }

    /// A name for logs and debugging.
    open var name: String? {
        get { registration.withLock { $0.name } }
        set { registration.withLock { $0.name = newValue } }
    }

    // MARK: Store classes

    /// Registers the class of a store type, for all coordinators of the process.
    ///
    /// May be called on any thread. Stores that were added before stay as they are.
    ///
    /// - Parameters:
    ///   - storeClass: a subclass of `NSAtomicStore` or `NSIncrementalStore`, another class stops the program; nil
    ///     removes the type.
    ///   - storeType: the type, as in the metadata of its stores.
    open class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        register(storeClass, storeType)
    }

    // MARK: Adding and removing

    /// Opens a store, and creates it if there is none at the URL.
    ///
    /// ```swift
    /// let store = try coordinator.addPersistentStore(
    ///     ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/var/lib/music/Music.sqlite"),
    ///     options: [NSSQLitePragmasOption: ["synchronous": "FULL"]])
    /// ```
    ///
    /// A new SQLite store is created in one transaction. Before anything is written to an existing store, its version
    /// hashes are compared with the version hashes of the model's entities.
    /// `NSPersistentStoreCoordinatorStoresDidChange` is posted on the calling thread. The method may be called on any
    /// thread.
    ///
    /// A store of another model is refused, or migrated if `NSMigratePersistentStoresAutomaticallyOption` is true. The
    /// migration uses a matching mapping model from the program's resources. If there is none and
    /// `NSInferMappingModelAutomaticallyOption` is true, too, it infers the mapping. A store that can't be migrated
    /// stays as it is. See <doc:Migration>.
    ///
    /// - Parameters:
    ///   - storeType: `NSSQLiteStoreType`, `NSBinaryStoreType`, `NSXMLStoreType`, `NSInMemoryStoreType` or a type of
    ///     ``registerStoreClass(_:forStoreType:)``.
    ///   - configuration: the configuration whose entities the store contains; nil for all entities. A name that the
    ///     model doesn't have stops the program.
    ///   - storeURL: the URL of the file; nil only for a store of the type `NSInMemoryStoreType`. A SQLite store at
    ///     `file:///dev/null`, or below it, is a database in memory.
    ///   - options: for all stores `NSReadOnlyPersistentStoreOption`, `NSPersistentStoreTimeoutOption` and
    ///     `NSIgnorePersistentStoreVersioningOption`; for migrations `NSMigratePersistentStoresAutomaticallyOption`,
    ///     `NSInferMappingModelAutomaticallyOption`, `NSPersistentStoreStagedMigrationManagerOptionKey` and
    ///     `NSPersistentStoreDeferredLightweightMigrationOptionKey`; for SQLite stores `NSSQLitePragmasOption`,
    ///     `NSSQLiteAnalyzeOption`, `NSSQLiteManualVacuumOption`, `NSPersistentStoreConnectionPoolMaxSizeKey`,
    ///     `NSPersistentHistoryTrackingKey`, `NSPersistentStoreRemoteChangeNotificationPostOptionKey` and, as an
    ///     extension, `NSSQLiteEncryptionKeyOption`; for binary stores `NSBinaryStoreSecureDecodingClasses` and
    ///     `NSBinaryStoreInsecureDecodingCompatibilityOption`.
    /// - Returns: the store.
    /// - Throws: errors in `NSCocoaErrorDomain` that name the file under `NSFilePathErrorKey`:
    ///   `NSPersistentStoreInvalidTypeError` (134000) for an unknown type,
    ///   `NSPersistentStoreIncompatibleVersionHashError` (134100) for a store of another model,
    ///   `NSPersistentStoreIncompatibleSchemaError` (134020) for missing tables or columns,
    ///   `NSPersistentStoreOpenError` (134080) for a store that the coordinator has already,
    ///   `NSPersistentStoreTimeoutError` (134090) for a file that stays locked, and file errors (4, 256 to 262, 513).
    ///   A migration throws
    ///   `NSMigrationError` (134110) for a value that doesn't fit into the new model or a mapping model that doesn't
    ///   fit the models, `NSMigrationConstraintViolationError` (134111) for objects that violate a new uniqueness
    ///   constraint, `NSMigrationMissingSourceModelError` (134130) if no known model has made the store,
    ///   `NSMigrationMissingMappingModelError` (134140) if there is no mapping model and none may be inferred,
    ///   `NSInferredMappingModelError` (134190) if the mapping can't be inferred, and the errors of
    ///   ``NSMigrationManager`` (134150 to 134170) and of ``NSStagedMigrationManager`` (134504 to 134506).
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let type = try StoreTypeRegistry.type(named: storeType)
        let options = try StoreOptionCheck.checked(options, at: storeURL)
        if let configuration, managedObjectModel.entities(forConfigurationName: configuration) == nil {
            let known = managedObjectModel.configurations
            programmingError(
                "Unknown configuration '\(configuration)'.\(NearestNames.suggestion(for: configuration, in: known))",
                remedy: "The model has: \(known.joined(separator: ", ")).")
        }
        checkClasses(configuration)
        let url = try type.location(storeURL, type: storeType, options: options)
        let store = try access.share {
            let isUnique = !type.storeClass.isInMemory(at: url)
            if isUnique { try beginOpening(url) }
            defer { if isUnique { endOpening(url) } }
            let existing = ClosedStore(url: url, type: storeType, options: options, configuration: configuration)
            let store = try AutomaticMigration(model: managedObjectModel, store: existing).open {
                type.storeClass.init(
                    persistentStoreCoordinator: self, configurationName: configuration, at: url, options: options)
            }
            try store.snapshotStore?.didLoadMetadata()
            changeStores { $0.stores.append(store) }
            store.didAdd(to: self)
            return store
        }
        remoteChanges.start(store, of: self)
        postStoresDidChange([NSAddedPersistentStoresKey: [store]])
        return store
    }

    /// Reserves a URL while its store is opened, so that no other thread opens it too.
    private func beginOpening(_ url: URL) throws {
        let isDuplicate = registration.withLock { registration in
            if registration.openingURLs.contains(where: { $0.namesSameStore(as: url) })
                || registration.stores.contains(where: { $0.url?.namesSameStore(as: url) == true })
            {
                return true
            }
            registration.openingURLs.append(url)
            return false
        }
        guard isDuplicate else { return }
        throw CoreDataErrors.error(
            NSPersistentStoreOpenError, "The store \(url.storeText) can\u{2019}t be added.",
            reason: "Can\u{2019}t add the same store twice: it is one of this coordinator\u{2019}s stores already.",
            suggestion: "Use the store that persistentStore(for:) returns.",
            userInfo: url.errorInfo)
    }

    private func endOpening(_ url: URL) {
        registration.withLock { registration in
            if let index = registration.openingURLs.firstIndex(of: url) { registration.openingURLs.remove(at: index) }
        }
    }

    /// Logs which classes of a configuration's entities the program lacks.
    private func checkClasses(_ configuration: String?) {
        let missing = (managedObjectModel.entities(forConfigurationName: configuration) ?? []).compactMap {
            entity -> MissingClass? in
            // There are no objects of an abstract entity.
            if entity.isAbstract { return nil }
            do throws(MissingClass) {
                _ = try entity.entityLayout.classBinding.resolve()
                return nil
            } catch {
                return error
            }
        }
        MissingClass.report(missing)
    }

    /// Opens the store that a description describes.
    ///
    /// - Parameters:
    ///   - storeDescription: type, URL, configuration and options. A description with `shouldAddStoreAsynchronously` is
    ///     opened on another thread, and this method returns at once.
    ///   - block: called once, with the description and the error of
    ///     ``addPersistentStore(ofType:configurationName:at:options:)``, if any; on the thread that opened the store.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let work = UncheckedSendableBox((description: storeDescription, block: block))
        let add: @Sendable () -> Void = {
            let (description, block) = work.value
            do {
                try self.addPersistentStore(
                    ofType: description.type, configurationName: description.configuration, at: description.url,
                    options: description.storeOptions)
                block(description, nil)
            } catch {
                block(description, error)
            }
        }
        if storeDescription.shouldAddStoreAsynchronously {
            DispatchQueue.global().async(execute: add)
        } else {
            add()
        }
    }

    /// Closes a store. Objects of the store must not be used afterwards.
    ///
    /// `NSPersistentStoreCoordinatorWillRemoveStore` is posted before, `NSPersistentStoreCoordinatorStoresDidChange`
    /// afterwards, both on the calling thread. The method may be called on any thread.
    ///
    /// - Parameter store: a store of this coordinator.
    /// - Throws: `NSPersistentStoreOperationError` (134070) for a store that the coordinator doesn't have.
    open func remove(_ store: NSPersistentStore) throws {
        let isPresent = registration.withLock { registration in
            guard registration.stores.contains(where: { $0 === store }),
                !registration.removing.contains(ObjectIdentifier(store))
            else { return false }
            registration.removing.append(ObjectIdentifier(store))
            return true
        }
        guard isPresent else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError, "The store \(store.url?.storeText ?? "") can\u{2019}t be removed.",
                reason: "It doesn\u{2019}t belong to this coordinator.", userInfo: [NSAffectedStoresErrorKey: [store]])
        }
        NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
        remoteChanges.stop(store)
        access.share {
            store.willRemove(from: self)
            changeStores { registration in
                registration.stores.removeAll { $0 === store }
                registration.removing.removeAll { $0 == ObjectIdentifier(store) }
            }
            store.detach()
        }
        postStoresDidChange([NSRemovedPersistentStoresKey: [store]])
    }

    /// Registers a store in the place of another one.
    final func replaceRegistered(_ store: NSPersistentStore, by copy: NSPersistentStore) {
        changeStores { registration in
            registration.stores = registration.stores.map { $0 === store ? copy : $0 }
        }
    }

    /// Runs a block while a further store belongs to the coordinator.
    final func withTemporaryStore<T>(_ store: NSPersistentStore, _ body: () throws -> T) rethrows -> T {
        changeStores { $0.stores.append(store) }
        defer { changeStores { $0.stores.removeAll { $0 === store } } }
        return try body()
    }

    /// Changes the list of stores.
    private func changeStores(_ change: (inout Registration) -> Void) {
        let stores = registration.withLock { registration in
            change(&registration)
            return registration.stores
        }
        let limits = stores.compactMap { $0.snapshotStore?.connectionLimit }
        blocks.setLimit(limits.isEmpty ? nil : limits.reduce(0, +))
    }

    /// Whether a store is on a server.
    final var hasServers: Bool { blocks.isLimiting }

    /// Copies a store to another URL, with another type if wanted. The copy replaces the store in the coordinator.
    ///
    /// The new store has a new UUID, and the metadata that the program has set. The old store leaves the coordinator;
    /// its file stays as it is. If a store exists at the URL, the copies are added to its objects. Contexts keep their
    /// objects and unsaved changes: the IDs of their objects then name the copies. In three cases the copies need new
    /// IDs, and the program must fetch the objects again: in an existing store, in a store of a type that the program
    /// defines, and in a binary or XML store whose objects come from a SQLite or in-memory store.
    ///
    /// `NSPersistentStoreCoordinatorWillRemoveStore` is posted before the old store leaves, and
    /// `NSPersistentStoreCoordinatorStoresDidChange` at the end with the keys `NSAddedPersistentStoresKey`,
    /// `NSRemovedPersistentStoresKey` and `NSUUIDChangedPersistentStoresKey`. The method may be called on any thread.
    /// Requests and saves of other threads wait for its end.
    ///
    /// - Parameters:
    ///   - store: a store of this coordinator.
    ///   - URL: the URL of the new store.
    ///   - options: the options of the new store, as for
    ///     ``addPersistentStore(ofType:configurationName:at:options:)``.
    ///   - storeType: the type of the new store.
    /// - Returns: the new store.
    /// - Throws: the errors of reading the old store and of adding and saving the new store. The old store then stays
    ///   in the coordinator, and a file that was created for the new store is removed.
    ///   `NSPersistentStoreOperationError` (134070) for a store of another coordinator, and if another process makes a
    ///   store at the URL of a server during the copy. `NSPersistentStoreOpenError` (134080) for the URL of a store of
    ///   this coordinator.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try migrateStore(store, to: URL, options: options, ofType: storeType)
    }

    // MARK: Deferred migration

    /// Finishes the work that lightweight migrations have deferred because of
    /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`.
    ///
    /// ```swift
    /// for store in coordinator.persistentStores
    /// where store.metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] != nil {
    ///     try coordinator.finishDeferredLightweightMigration()
    /// }
    /// ```
    ///
    /// A SQLite store removes columns and tables that the model no longer uses. Reading and saving go on between the
    /// parts of the work. The method may be called on any thread.
    ///
    /// - Throws: what a save throws for a file that can't be written. The rest of the work remains then.
    open func finishDeferredLightweightMigration() throws { try finishDeferredMigrations(tasks: .max) }

    /// Does one part of the work that a lightweight migration has deferred, for a program that has little time; see
    /// ``finishDeferredLightweightMigration()``.
    ///
    /// - Throws: the errors of that method.
    open func finishDeferredLightweightMigrationTask() throws { try finishDeferredMigrations(tasks: 1) }

    // MARK: Stores by URL, objects by URI

    /// The store at a URL; nil if the coordinator has none there.
    ///
    /// ```swift
    /// if let store = coordinator.persistentStore(for: URL(fileURLWithPath: "Cache.sqlite")) {
    ///     try coordinator.remove(store)
    /// }
    /// ```
    open func persistentStore(for URL: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url?.namesSameStore(as: URL) == true }
    }

    /// The URL of a store.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: OperatingSystem.nullDevice) }

    /// Makes a store use another file.
    ///
    /// A SQLite store closes its file and opens the file at the URL, which must be a store of the same model: nothing
    /// is created. Faults then read the rows of that file. A binary or XML store, or a store of a type that the program
    /// defines, writes all its objects to the URL at the next save. Its old file stays as it is. The method may be
    /// called on any thread.
    ///
    /// - Parameters:
    ///   - url: the new URL.
    ///   - store: a store of this coordinator.
    /// - Returns: whether the store has the new URL. If not, the log says why, and the store is as before.
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { moveStore(store, to: url) }

    /// The ID of an object, from the URI that `NSManagedObjectID.uriRepresentation()` returned.
    ///
    /// ```swift
    /// func song(at link: URL) throws -> Song? {
    ///     guard let id = coordinator.managedObjectID(forURIRepresentation: link) else { return nil }
    ///     return try context.existingObject(with: id) as? Song
    /// }
    /// ```
    ///
    /// - Returns: nil if no store of the coordinator has the UUID of the URI, or the model has no such entity. The
    ///   object itself may be missing.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        guard let uri = ObjectURI(url),
            let store = persistentStores.first(where: {
                $0.identifier == uri.store || $0.identifier.caseInsensitiveCompare(uri.store) == .orderedSame
            }),
            let layout = layouts.byName[uri.entity]
        else { return nil }
        let text = uri.reference
        if let references = store.identity.references, !text.isEmpty {
            return NSManagedObjectID(
                layout: layout, store: store.identity, key: references.key(ofText: text, entity: layout.name))
        }
        // One row has one URI: neither p+1 nor p01 is p1.
        guard let key = Int64(text), key > 0, text.utf8.first != UInt8(ascii: "+"), text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return NSManagedObjectID(layout: layout, store: store.identity, key: key)
    }

    // MARK: Requests

    /// Executes a request for a context.
    ///
    /// ```swift
    /// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    /// let result = try coordinator.execute(request, with: context)
    /// ```
    ///
    /// `NSManagedObjectContext.execute(_:)` does the same, with typed results. Call the method on the context's queue.
    ///
    /// - Parameters:
    ///   - request: a fetch, a batch request, or a request on the history.
    ///   - context: a context of the coordinator, which gets the objects of a fetch.
    /// - Returns: an array for a fetch, otherwise what `NSManagedObjectContext.execute(_:)` returns.
    /// - Throws: `NSCoreDataError` (134060) for a context of another coordinator, and what
    ///   `NSManagedObjectContext.execute(_:)` throws.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try executeRequest(request, with: context)
    }

    // MARK: History

    /// A token of the newest transaction in the history of each store.
    ///
    /// An error of a store is logged. The method may be called on any thread.
    ///
    /// - Parameter stores: objects of class `NSPersistentStore`; nil for all stores of the coordinator.
    /// - Returns: nil if no store has a history.
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        currentToken(of: stores.map { $0.compactMap { $0 as? NSPersistentStore } } ?? persistentStores)
    }

    // MARK: Metadata

    /// The metadata of a store: Core Data's keys, and the keys that the program has set.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// Sets the metadata of a store. The next save into the store writes them.
    ///
    /// ```swift
    /// let store = coordinator.persistentStores[0]
    /// var metadata = coordinator.metadata(for: store)
    /// metadata["edition"] = 4
    /// coordinator.setMetadata(metadata, for: store)
    /// ```
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata ?? [:] }

    // MARK: Stores that need not be open

    /// Reads the metadata of a store, without a model and without adding the store.
    ///
    /// ```swift
    /// let url = URL(fileURLWithPath: "/var/lib/music/Music.sqlite")
    /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    /// if !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
    ///     print("The store \(metadata[NSStoreUUIDKey] ?? "") was made from another model.")
    /// }
    /// ```
    ///
    /// A SQLite store is read on a separate connection, which never writes: nothing is created, and the store may be
    /// open elsewhere. The store runs `SELECT … FROM Z_METADATA`. The method may be called on any thread.
    ///
    /// - Parameters:
    ///   - storeType: the type of the store.
    ///   - url: the URL of the store.
    ///   - options: `NSPersistentStoreTimeoutOption` and `NSSQLitePragmasOption` are used.
    /// - Returns: the metadata, with `NSStoreTypeKey`, `NSStoreUUIDKey` and `NSStoreModelVersionHashesKey`.
    /// - Throws: errors in `NSCocoaErrorDomain` that name the file: 260 for a missing file, 257 for a file that can't
    ///   be read, 259 for a file that is damaged or no store, `NSPersistentStoreTimeoutError` (134090) for a file that
    ///   stays locked, `NSPersistentStoreInvalidTypeError` (134000) for an unknown type.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try ClosedStore(url: url, type: storeType, options: StoreOptionCheck.checked(options, at: url)).metadata()
    }

    /// Reads the model from which a SQLite store was made.
    ///
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - options: `NSPersistentStoreTimeoutOption` and `NSSQLitePragmasOption` are used.
    /// - Returns: a model that may be changed.
    /// - Throws: the file errors of ``metadataForPersistentStore(ofType:at:options:)``, and
    ///   `NSPersistentStoreOperationError` (134070) for a store that doesn't contain its model.
    open class func cachedModelForPersistentStore(at url: URL, options: [AnyHashable: Any]? = nil) throws
        -> NSManagedObjectModel
    {
        try StoreTypeRegistry.operations(at: url).cachedModel(
            at: url, options: StoreOptionCheck.checked(options, at: url))
    }

    /// Replaces the metadata of a store that is not open.
    ///
    /// - Parameters:
    ///   - metadata: all metadata; a present key that this dictionary lacks is removed.
    ///   - storeType: the type of the store.
    ///   - url: the URL of the store.
    ///   - options: `NSPersistentStoreTimeoutOption`, `NSSQLitePragmasOption` and `NSReadOnlyPersistentStoreOption`
    ///     are used.
    /// - Throws: the errors of ``metadataForPersistentStore(ofType:at:options:)``, and 513 if the file can't be written
    ///   or the options say read-only.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try ClosedStore(url: url, type: storeType, options: StoreOptionCheck.checked(options, at: url))
            .setMetadata(metadata ?? [:])
    }

    /// Removes the objects of a store: the file remains, as an empty database.
    ///
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - storeType: the type of the store.
    ///   - options: `NSPersistentStoreTimeoutOption` and `NSReadOnlyPersistentStoreOption` are used.
    /// - Throws: the errors of ``destroyPersistentStore(at:type:options:)``, where the rules are.
    open func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws {
        try destroyStore(at: url, ofType: storeType, options: options)
    }

    /// Replaces a store by a copy of another one, in one step: to restore a backup, or to begin with delivered data.
    ///
    /// The copy has the source's UUID, metadata and history, and its own files of external data. The source stays as
    /// it is; it may be open and in use. A store of this coordinator at the destination is removed from it, with its
    /// notifications. Other coordinators and processes that have the destination open get
    /// `NSPersistentStoreOperationError` (134070) at their next request. The method may be called on any thread.
    ///
    /// - Parameters:
    ///   - destinationURL: the URL of the store that is replaced. A store need not exist there.
    ///   - destinationOptions: `NSPersistentStoreTimeoutOption` and `NSReadOnlyPersistentStoreOption` are used.
    ///   - sourceURL: the URL of the store that is copied.
    ///   - sourceOptions: `NSPersistentStoreTimeoutOption` and `NSSQLitePragmasOption` are used.
    ///   - storeType: the type of both stores: `NSSQLiteStoreType`, `NSBinaryStoreType` or `NSXMLStoreType`.
    /// - Throws: errors in `NSCocoaErrorDomain` that name the file. The destination is then as before: 260 for a
    ///   missing source, 259 for a source or destination that is no store, 4 for a missing folder, 256 for a
    ///   destination that is a folder or a device, 257 and 513 for missing permissions, 640 for a full disk,
    ///   `NSPersistentStoreTimeoutError` (134090) for a file that stays locked, `NSPersistentStoreInvalidTypeError`
    ///   (134000) for an unknown type, `NSPersistentStoreOperationError` (134070) for a type without files, and for two
    ///   URLs of one store.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try replaceStore(
            at: destinationURL, options: destinationOptions, from: sourceURL, sourceOptions: sourceOptions,
            ofType: storeType)
    }

    // MARK: Queue

    /// Runs a block on the coordinator's queue, and waits for its end.
    ///
    /// No request or save of another thread runs during the block. The block may use the coordinator, its contexts, and
    /// `performAndWait(_:)` again; it must not wait for another thread that uses the coordinator.
    ///
    /// - Parameter block: the work.
    @preconcurrency
    open func performAndWait(_ block: @Sendable () -> Void) { runAlone(block) }

    /// Runs a block on the coordinator's queue, later.
    ///
    /// Blocks run in the order of submission. No request or save of another thread runs during a block.
    ///
    /// - Parameter block: the work.
    @preconcurrency
    open func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async { self.access.exclude(block) }
    }
}
