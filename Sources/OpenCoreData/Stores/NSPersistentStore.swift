// SPDX-License-Identifier: Apache-2.0

/// A store of objects: a file, or memory.
///
/// `NSPersistentStoreCoordinator.addPersistentStore(type:configuration:at:options:)` makes stores. A store's properties
/// may be read on any thread.
nonisolated open class NSPersistentStore: NSObject, @unchecked Sendable {
    package final let identity: StoreIdentity
    private let state: StoreState
    /// This store, if its data are rows. A cast at each request would take longer than reading a cached row. The
    /// reference points to the object itself, so it is valid as long as the object exists.
    final private(set) unowned(unsafe) var snapshotStore: (any SnapshotStore)?

    /// Makes a store, which opens its file in ``loadMetadata()``.
    ///
    /// - Parameters:
    ///   - root: the coordinator to which the store is added.
    ///   - name: the configuration whose entities the store contains; nil for the default configuration.
    ///   - url: the URL of the store.
    ///   - options: the options with which the store is added.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        identity = StoreIdentity(uuid: UUID().uuidString)
        state = StoreState(
            coordinator: root, configurationName: name ?? NSManagedObjectModel.defaultConfigurationName, url: url,
            options: options, isReadOnly: (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false)
        super.init()
        snapshotStore = self as? any SnapshotStore
        identity.owner = self
        if let root { identity.keep(root.layouts) }
    }

    deinit { identity.removeStore() }

    /// The coordinator of the store; nil after the store was removed.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { state.coordinator }
    /// The configuration whose entities the store contains.
    open var configurationName: String { state.configurationName }
    /// The options with which the store was added.
    open var options: [AnyHashable: Any]? { state.options }
    /// The type of the store, as in its metadata. A subclass must override the property.
    open var type: String {
        programmingError("\(Swift.type(of: self)) has no store type.", remedy: "Override type in the store's class.")
    }
    /// The URL of the store.
    open var url: URL? {
        get { state.url }
        set { state.url = newValue }
    }
    /// The store's UUID.
    open var identifier: String! {
        get { identity.uuid }
        set { identity.uuid = newValue }
    }
    /// Whether saving into the store is refused.
    open var isReadOnly: Bool {
        get { state.isReadOnly }
        set { state.isReadOnly = newValue }
    }
    /// The metadata: Core Data's keys, for instance `NSStoreUUIDKey`, and the keys that the program has set.
    ///
    /// The next save into the store writes new values. The values must be property-list values.
    open var metadata: [String: Any]! {
        get { state.metadata }
        set { state.metadata = newValue }
    }

    /// Reads the metadata of a store that is not open. A subclass overrides it.
    ///
    /// - Parameter url: the URL of the store.
    /// - Returns: the metadata.
    /// - Throws: `NSPersistentStoreOperationError` (134070) for a class that doesn't override it.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw unsupported("read", "metadataForPersistentStore(with:)", url)
    }

    /// Replaces the metadata of a store that is not open. A subclass overrides it.
    ///
    /// - Parameters:
    ///   - metadata: all metadata.
    ///   - url: the URL of the store.
    /// - Throws: `NSPersistentStoreOperationError` (134070) for a class that doesn't override it.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw unsupported("written", "setMetadata(_:forPersistentStoreAt:)", url)
    }

    private class func unsupported(_ operation: String, _ method: String, _ url: URL) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreOperationError,
            "The metadata of the store \(url.path) can\u{2019}t be \(operation) while it isn\u{2019}t open.",
            reason: "The class \(Self.self) doesn\u{2019}t override \(method).", userInfo: [NSURLErrorKey: url])
    }

    /// The class of the managers that migrate stores of this type with a mapping model, when they are added.
    ///
    /// A subclass overrides it to use a subclass of ``NSMigrationManager``.
    open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }

    /// Opens the store, creates it if it doesn't exist, and reads its metadata.
    ///
    /// - Throws: the errors of `NSPersistentStoreCoordinator.addPersistentStore(ofType:configurationName:at:options:)`
    ///   for a file that can't be opened.
    open func loadMetadata() throws {}
    /// Called after the store was added to a coordinator.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}
    /// Called before the store is removed from its coordinator. The store closes its file.
    ///
    /// - Parameter coordinator: the coordinator; nil if the coordinator is being freed.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// Ends the store's membership in its coordinator. IDs no longer lead to the store.
    final func detach() {
        state.coordinator = nil
        identity.owner = nil
    }

    /// How errors name the store: by its file or its address, otherwise by its type.
    final var nameInErrors: String {
        guard let url, !OperatingSystem.isNullDevice(url.path) else { return "of type \(type)" }
        return url.isFileURL ? url.lastPathComponent : url.absoluteString
    }
}

/// The mutable values of a store. The lock guards all of them.
private final class StoreState: @unchecked Sendable {
    private let lock = NSLock()
    private var coordinatorLink: ObjectLink<NSPersistentStoreCoordinator>?
    private var urlStorage: URL?
    private var readOnlyStorage: Bool
    private var metadataStorage: [String: Any] = [:]
    let configurationName: String
    let options: [AnyHashable: Any]?

    init(
        coordinator: NSPersistentStoreCoordinator?, configurationName: String, url: URL, options: [AnyHashable: Any]?,
        isReadOnly: Bool
    ) {
        coordinatorLink = coordinator?.link
        self.configurationName = configurationName
        urlStorage = url
        self.options = options
        readOnlyStorage = isReadOnly
    }

    var coordinator: NSPersistentStoreCoordinator? {
        get { lock.withLock { coordinatorLink }?.object }
        set { lock.withLock { coordinatorLink = newValue?.link } }
    }
    var url: URL? {
        get { lock.withLock { urlStorage } }
        set { lock.withLock { urlStorage = newValue } }
    }
    var isReadOnly: Bool {
        get { lock.withLock { readOnlyStorage } }
        set { lock.withLock { readOnlyStorage = newValue } }
    }
    var metadata: [String: Any] {
        get { lock.withLock { metadataStorage } }
        set { lock.withLock { metadataStorage = newValue } }
    }
}

extension StoreIdentity {
    /// The store that has the identity, if it exists.
    package var store: NSPersistentStore? { owner.map { unsafeDowncast($0, to: NSPersistentStore.self) } }
}

extension NSManagedObjectID {
    /// The store that contains the object; nil for a temporary ID, and when the store was removed.
    public final var persistentStore: NSPersistentStore? { isTemporary ? nil : storeIdentity?.store }
}
