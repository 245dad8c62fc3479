/// A store of objects behind a coordinator: a file, or memory.
///
/// Made by `NSPersistentStoreCoordinator.addPersistentStore`. May be asked on any thread.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    final let identity: StoreIdentity
    private let state: StoreState

    /// Makes the store; it opens its file when the coordinator loads its metadata.
    ///
    /// - Parameters:
    ///   - root: the coordinator that the store will belong to.
    ///   - name: the configuration whose entities the store holds; nil for the default one.
    ///   - url: where the store is.
    ///   - options: the options it was added with.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        identity = StoreIdentity(uuid: UUID().uuidString)
        state = StoreState(
            coordinator: root, configurationName: name ?? NSManagedObjectModel.defaultConfigurationName, url: url,
            options: options, isReadOnly: (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false)
        super.init()
        identity.store = self
    }

    /// The coordinator the store belongs to, nil once it was removed.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { state.coordinator }
    /// The configuration whose entities the store holds.
    open var configurationName: String { state.configurationName }
    /// The options the store was added with.
    open var options: [AnyHashable: Any]? { state.options }
    /// The kind of store.
    open var type: String {
        programmingError("\(Swift.type(of: self)) doesn't say its type.", remedy: "Override type in the store's class.")
    }
    /// Where the store is.
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
    /// What the store says of itself; new values are written with the next save.
    open var metadata: [String: Any]! {
        get { state.metadata }
        set { state.metadata = newValue }
    }

    /// Reads the store's metadata, creating the store if it doesn't exist.
    ///
    /// - Throws: what the kind of store throws for a file that it can't open.
    open func loadMetadata() throws {}
    /// Called when the store was added.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}
    /// Called before the store is removed; the store closes its file.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    final func detach() { state.coordinator = nil }
}

/// The mutable values of a store under one lock.
private final class StoreState: @unchecked Sendable {
    private let lock = NSLock()
    private weak var coordinatorStorage: NSPersistentStoreCoordinator?
    private var urlStorage: URL?
    private var readOnlyStorage: Bool
    private var metadataStorage: [String: Any] = [:]
    let configurationName: String
    let options: [AnyHashable: Any]?

    init(
        coordinator: NSPersistentStoreCoordinator?, configurationName: String, url: URL, options: [AnyHashable: Any]?,
        isReadOnly: Bool
    ) {
        coordinatorStorage = coordinator
        self.configurationName = configurationName
        urlStorage = url
        self.options = options
        readOnlyStorage = isReadOnly
    }

    var coordinator: NSPersistentStoreCoordinator? {
        get { lock.withLock { coordinatorStorage } }
        set { lock.withLock { coordinatorStorage = newValue } }
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
