// SPDX-License-Identifier: Apache-2.0

/// A container whose stores are mirrored into CloudKit on Apple's platforms, and are local stores here.
///
/// ```swift
/// let container = NSPersistentCloudKitContainer(name: "Music", managedObjectModel: model)
/// container.loadPersistentStores { description, error in
///     if let error { print("\(description.url?.path ?? ""): \(error.localizedDescription)") }
/// }
/// ```
///
/// A program that uses the class compiles and runs unchanged. Only Apple's frameworks can reach the service, so nothing
/// is mirrored: the container works like one without network or account, and says so once in the log. Its SQLite stores
/// are opened with persistent history, as mirrored stores are, so that a container on one of Apple's platforms can
/// mirror them later. No event is ever posted. Members with types of CloudKit are not declared.
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

    /// The notification that an event has begun or ended. It is never posted here, since nothing is mirrored.
    ///
    /// Its object is the container, its `userInfo` has the event.
    open class var eventChangedNotification: Notification.Name {
        Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")
    }

    /// The key of the event in the `userInfo` of the notification.
    open class var eventNotificationUserInfoKey: String { "event" }

    /// Opens the stores of the descriptions as `NSPersistentContainer` does: SQLite stores with persistent history,
    /// unless a description sets `NSPersistentHistoryTrackingKey` itself.
    ///
    /// - Parameter block: called once for each description, with the error of a store that can't be opened.
    open override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        Self.notice
        for description in persistentStoreDescriptions
        where description.type == NSSQLiteStoreType && description.options[NSPersistentHistoryTrackingKey] == nil {
            description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        }
        super.loadPersistentStores(completionHandler: block)
    }

    /// Always throws, because there is no CloudKit whose schema could be initialized.
    ///
    /// A program calls the method during development, on one of Apple's platforms.
    ///
    /// - Parameter options: what to do with the schema.
    /// - Throws: `NSPersistentStoreOperationError` (134070).
    open func initializeCloudKitSchema(options: NSPersistentCloudKitContainerSchemaInitializationOptions = []) throws {
        throw CoreDataErrors.error(
            NSPersistentStoreOperationError, "The CloudKit schema of \(name) can\u{2019}t be initialized.",
            reason: "CloudKit doesn\u{2019}t exist on this platform.",
            suggestion: "Initialize the schema on one of Apple\u{2019}s platforms.")
    }

    // MARK: Permissions

    /// Whether CloudKit lets the user change the record of an object: true, as for each store that isn't mirrored.
    ///
    /// - Parameter objectID: the ID of an object of a store of the container.
    open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

    /// Whether CloudKit lets the user delete the record of an object: true, as for each store that isn't mirrored.
    ///
    /// - Parameter objectID: the ID of an object of a store of the container.
    open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

    /// Whether CloudKit lets the user change the objects of a store: true, as for each store that isn't mirrored.
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
