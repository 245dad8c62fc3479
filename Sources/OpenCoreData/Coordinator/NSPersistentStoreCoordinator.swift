/// Stands between contexts and stores: knows the model, opens stores, and passes requests to the store that can answer.
///
/// May be used from any thread. Takes its model for good: the model can't be changed afterwards.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    /// The model of all stores.
    public let managedObjectModel: NSManagedObjectModel
    final let layouts: ModelLayout
    private let lock = NSLock()
    private var storesStorage: [NSPersistentStore] = []
    private var nameStorage: String?
    let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")
    let queueKey = DispatchSpecificKey<Bool>()
    /// Where asynchronous fetches ask the stores, one after the other, since a store answers one at a time.
    let fetchingQueue = DispatchQueue(label: "NSAsynchronousFetchRequest")
    /// One save at a time, so that commits have an order.
    let saving = NSRecursiveLock()
    let mergeDelivery = MergeDelivery()
    let newestGeneration = NewestGeneration()

    /// Makes a coordinator and freezes the model.
    public init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        layouts = ModelLayout.of(model)
        super.init()
        queue.setSpecific(key: queueKey, value: true)
        KnownModels.add(layouts)
    }

    deinit {
        for store in storesStorage { store.willRemove(from: nil) }
    }

    /// The stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { lock.withLock { storesStorage } }

    /// A name for logs and debugging.
    open var name: String? {
        get { lock.withLock { nameStorage } }
        set { lock.withLock { nameStorage = newValue } }
    }

    // MARK: Adding and removing

    /// Opens a store, creating it if it doesn't exist.
    ///
    /// - Parameters:
    ///   - storeType: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
    ///   - configuration: the configuration whose entities the store holds; nil for all.
    ///   - storeURL: the file; may be nil for a store in memory.
    ///   - options: `NSReadOnlyPersistentStoreOption`, `NSPersistentStoreTimeoutOption`, `NSSQLitePragmasOption`.
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000), `NSPersistentStoreIncompatibleVersionHashError` (134100)
    ///   for a store of another model, and file errors, all in `NSCocoaErrorDomain` and with the file's name;
    ///   `NSCoreDataError` (134060) if the program hasn't the class that the model names for an entity of the
    ///   configuration.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let type = try StoreTypes.type(named: storeType)
        if let configuration, managedObjectModel.entities(forConfigurationName: configuration) == nil {
            let known = managedObjectModel.configurations
            programmingError(
                "Unknown configuration '\(configuration)'.\(NearestNames.suggestion(for: configuration, in: known))",
                remedy: "The model has: \(known.joined(separator: ", ")).")
        }
        try checkClasses(configuration)
        guard let url = storeURL ?? type.defaultURL else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError,
                userInfo: [
                    NSLocalizedDescriptionKey: "A store of type \(storeType) needs a file URL."
                ])
        }
        guard url.isFileURL || type.defaultURL != nil else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: CocoaError.Code.fileReadUnsupportedScheme.rawValue,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "A store of type \(storeType) is a file: the URL \(url.absoluteString) is none.",
                    NSURLErrorKey: url,
                ])
        }
        guard type.defaultURL != nil || persistentStore(for: url) == nil else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "Can't add the same store twice: \(url.path) is one of this coordinator's stores already.",
                    NSFilePathErrorKey: url.path,
                    NSURLErrorKey: url,
                ])
        }
        let store = type.storeClass.init(
            persistentStoreCoordinator: self, configurationName: configuration, at: url, options: options)
        try store.loadMetadata()
        lock.withLock { storesStorage.append(store) }
        store.didAdd(to: self)
        postStoresDidChange([NSAddedPersistentStoresKey: [store]])
        return store
    }

    /// Stores hold objects, and objects need their classes: a class that isn't there is told before a file is made.
    private func checkClasses(_ configuration: String?) throws {
        let problems = (managedObjectModel.entities(forConfigurationName: configuration) ?? []).compactMap {
            entity -> ClassProblem? in
            // There are no objects of an abstract entity.
            if entity.isAbstract { return nil }
            do throws(ClassProblem) {
                _ = try entity.entityLayout.classBinding.resolve()
                return nil
            } catch {
                return error
            }
        }
        if !problems.isEmpty { throw ClassProblem.error(problems) }
    }

    /// Opens a store, creating it if it doesn't exist.
    @discardableResult
    public final func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store that a description describes.
    ///
    /// - Parameters:
    ///   - storeDescription: type, URL, configuration and options.
    ///   - block: called with the description and the error, if any; on this thread unless the description asks for
    ///     asynchronous adding.
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

    /// Closes a store. Its objects in contexts must not be used any more.
    open func remove(_ store: NSPersistentStore) throws {
        guard lock.withLock({ storesStorage.contains { $0 === store } }) else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError,
                userInfo: [
                    NSLocalizedDescriptionKey: "The store \(store.url?.path ?? "") doesn't belong to this coordinator.",
                    NSAffectedStoresErrorKey: [store],
                ])
        }
        NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
        store.willRemove(from: self)
        lock.withLock { storesStorage.removeAll { $0 === store } }
        store.detach()
        postStoresDidChange([NSRemovedPersistentStoresKey: [store]])
    }

    // MARK: Stores by URL, objects by URI

    /// The store at a URL.
    open func persistentStore(for URL: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url?.standardizedFileURL == URL.standardizedFileURL }
    }

    /// Where a store is.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    /// The ID of a URI that `NSManagedObjectID.uriRepresentation()` gave; nil if none of the stores has its UUID.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        guard url.scheme == "x-coredata", let host = url.host,
            let store = persistentStores.first(where: { $0.identifier.caseInsensitiveCompare(host) == .orderedSame })
        else { return nil }
        let parts = url.path.split(separator: "/").map(String.init)
        guard parts.count == 2, parts[1].hasPrefix("p"), let key = Int64(parts[1].dropFirst()), key > 0,
            let layout = layouts.byName[parts[0].removingPercentEncoding ?? parts[0]]
        else { return nil }
        return NSManagedObjectID(layout: layout, store: store.identity, key: key)
    }

    // MARK: Metadata

    /// What a store says of itself.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// Sets what a store says of itself; written with the next save.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata ?? [:] }

    // MARK: Queue

    /// Runs a block on the coordinator's queue and waits for it.
    public final func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        if DispatchQueue.getSpecific(key: queueKey) == true { return try block() }
        return try queue.sync(execute: block)
    }

    /// Runs a block on the coordinator's queue, later.
    public final func perform(_ block: @escaping () -> Void) {
        let work = UncheckedSendableBox(block)
        queue.async { work.value() }
    }
}
