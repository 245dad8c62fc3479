// SPDX-License-Identifier: Apache-2.0

/// A container whose stores are mirrored into CloudKit on Apple's platforms, and with a server of your own here.
///
/// ```swift
/// let container = NSPersistentCloudKitContainer(name: "Music", managedObjectModel: model)
/// container.loadPersistentStores { description, error in
///     if let error { print("\(description.url?.path ?? ""): \(error.localizedDescription)") }
/// }
/// ```
///
/// A program that uses the class compiles and runs unchanged. Only Apple's frameworks can reach the service. The module
/// `CoreDataCloudKit` (an extension) registers a server that stands for a container of CloudKit: stores whose
/// description names it, and the first store of a container whose description was not changed, sync with that server,
/// and post events. Without a registered server nothing is mirrored: the container works like one without network or
/// account, and says so once in the log. Its SQLite stores are opened with persistent history, as mirrored stores are,
/// so that a container on one of Apple's platforms can mirror them later. Members with types of CloudKit are not
/// declared.
///
/// It may be used from any thread, as its superclass.
///
/// ## Topics
///
/// ### Events
///
/// - ``Event``
/// - ``EventType``
/// - ``EventChangedMessage``
nonisolated open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
    /// Logs that nothing is mirrored, once in a process.
    private static let notice: Void = CoreDataLog.warning(
        """
        NSPersistentCloudKitContainer mirrors nothing on this platform. Its stores are local, with persistent history.
        """)

    /// The mirrors of the stores, until the container is gone.
    private let mirrors = Locked<[(store: NSPersistentStore, mirror: any CloudKitMirror)]>([])

    /// Makes a container. The description of its store names the container of CloudKit that was registered first.
    ///
    /// - Parameters:
    ///   - name: the name of the container, and of its store's file.
    ///   - model: the model.
    public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        super.init(name: name, managedObjectModel: model)
        if let identifier = CloudKitMirrors.firstIdentifier {
            persistentStoreDescriptions.first?.cloudKitContainerOptions =
                NSPersistentCloudKitContainerOptions(containerIdentifier: identifier)
        }
    }

    deinit { for (_, mirror) in mirrors.withLock({ $0 }) { mirror.stop() } }

    /// The notification that an event has begun or ended, posted on any thread.
    ///
    /// Its object is the container, its `userInfo` has the event.
    open class var eventChangedNotification: Notification.Name {
        Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")
    }

    /// The key of the event in the `userInfo` of the notification.
    open class var eventNotificationUserInfoKey: String { "event" }

    /// Opens the stores of the descriptions as `NSPersistentContainer` does: SQLite stores with persistent history,
    /// unless a description sets `NSPersistentHistoryTrackingKey` itself. A store whose description names a registered
    /// container of CloudKit is mirrored from then on.
    ///
    /// - Parameter block: called once for each description, with the error of a store that can't be opened.
    open override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions
        where description.type == NSSQLiteStoreType && description.options[NSPersistentHistoryTrackingKey] == nil {
            description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        }
        let loading = LoadingStores(persistentStoreDescriptions.count)
        super.loadPersistentStores { [weak self] description, error in
            block(description, error)
            // The part of a mirror depends on the other stores.
            if let loaded = loading.end(description, error) { self?.mirror(loaded) }
        }
    }

    /// Begins to mirror the stores of descriptions.
    private func mirror(_ descriptions: [NSPersistentStoreDescription]) {
        let mirrored = descriptions.filter { $0.cloudKitContainerOptions != nil }
        if mirrored.isEmpty, CloudKitMirrors.firstIdentifier == nil { Self.notice }
        for description in mirrored {
            guard let identifier = description.cloudKitContainerOptions?.containerIdentifier,
                let url = description.url, let store = persistentStoreCoordinator.persistentStore(for: url),
                store.type == NSSQLiteStoreType, !store.isReadOnly
            else { continue }
            mirror(store, identifier)
        }
    }

    private func mirror(_ store: NSPersistentStore, _ identifier: String) {
        let sender = WeakContainer(container: self)
        let mirror = CloudKitMirrors.start(store, in: persistentStoreCoordinator, identifier: identifier) {
            sender.container
        }
        if let mirror { mirrors.withLock { $0.append((store, mirror)) } }
    }

    /// The mirror of a store of the container; nil if nothing mirrors it.
    package final func mirror(of store: NSPersistentStore) -> (any CloudKitMirror)? {
        mirrors.withLock { $0.last { $0.store === store }?.mirror }
    }

    /// Compares the model of each mirrored store with its server's, which needs no other schema, and waits
    /// for the answers. Nothing is sent or changed.
    ///
    /// A program calls the method during development, after it has loaded the stores, and where blocking is allowed: a
    /// token that needs the thread of the call would not come.
    ///
    /// - Parameter options: `printSchema` prints the entities that travel.
    /// - Throws: `NSPersistentStoreOperationError` (134070) if the server doesn't serve the model or can't be asked,
    ///   and for a container without a mirrored store: there is no CloudKit whose schema could be initialized.
    open func initializeCloudKitSchema(options: NSPersistentCloudKitContainerSchemaInitializationOptions = []) throws {
        let mirrors = mirrors.withLock { $0 }
        guard !mirrors.isEmpty else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError, "The CloudKit schema of \(name) can\u{2019}t be initialized.",
                reason:
                    "CloudKit doesn\u{2019}t exist on this platform, and no server is registered for its container.",
                suggestion: """
                    Initialize the schema on one of Apple\u{2019}s platforms, or register a server by CoreDataCloudKit \
                    before the stores are loaded.
                    """)
        }
        for (_, mirror) in mirrors {
            do {
                if options.contains(.printSchema) { mirror.printSchema() }
                try mirror.checkSchema()
            } catch {
                throw CoreDataErrors.error(
                    NSPersistentStoreOperationError,
                    "The model of \(name) can\u{2019}t be compared with the server\u{2019}s, or differs from it.",
                    reason: error.localizedDescription,
                    suggestion: (error as? any LocalizedError)?.recoverySuggestion ?? "")
            }
        }
    }

    // MARK: Permissions

    /// Whether CloudKit lets the user change the record of an object: true. A server may refuse the change later.
    ///
    /// - Parameter objectID: the ID of an object of a store of the container.
    open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

    /// Whether CloudKit lets the user delete the record of an object: true. A server may refuse the deletion later.
    ///
    /// - Parameter objectID: the ID of an object of a store of the container.
    open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

    /// Whether CloudKit lets the user change the objects of a store: true. A server may refuse changes later.
    ///
    /// - Parameter store: a store of the container.
    open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { true }
}

/// The work of `initializeCloudKitSchema(options:)` on the schema.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Makes options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The schema is made, and not uploaded.
    public static var dryRun: NSPersistentCloudKitContainerSchemaInitializationOptions { .init(rawValue: 1 << 1) }
    /// The records of the schema are printed.
    public static var printSchema: NSPersistentCloudKitContainerSchemaInitializationOptions { .init(rawValue: 1 << 2) }
}

/// The stores of a call of `loadPersistentStores(completionHandler:)`, some of which may be opened on another thread.
private final class LoadingStores: @unchecked Sendable {
    // Sendable: the lock guards what changes.
    private let state: Locked<(waiting: Int, loaded: [NSPersistentStoreDescription])>

    init(_ count: Int) { state = Locked((count, [])) }

    /// Notes the end of one.
    ///
    /// - Returns: those that were opened, if it is the last one.
    func end(_ description: NSPersistentStoreDescription, _ error: (any Error)?) -> [NSPersistentStoreDescription]? {
        state.withLock { state in
            state.waiting -= 1
            if error == nil { state.loaded.append(description) }
            return state.waiting == 0 ? state.loaded : nil
        }
    }
}

/// A container that may be gone when an event is posted.
private struct WeakContainer: @unchecked Sendable {
    // Sendable: weak references are atomic, and nothing writes this one.
    weak var container: NSPersistentCloudKitContainer?
}
