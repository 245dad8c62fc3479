// SPDX-License-Identifier: Apache-2.0

/// Describes a store that is going to be opened: its type, URL, configuration and options.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/var/lib/music/Music.sqlite"))
/// description.configuration = "Library"
/// description.timeout = 10
/// description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
/// description.setOption(true as NSNumber, forKey: NSSQLiteAnalyzeOption)
/// container.persistentStoreDescriptions = [description]
/// ```
///
/// A container opens the stores of its descriptions in
/// ``NSPersistentContainer/loadPersistentStores(completionHandler:)``, a coordinator in
/// ``NSPersistentStoreCoordinator/addPersistentStore(with:completionHandler:)``. Changes after that have no effect. A
/// description may be passed to another thread; one thread at a time may change it.
nonisolated open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The type of the store; `NSSQLiteStoreType` unless set.
    ///
    /// ```swift
    /// let description = NSPersistentStoreDescription()
    /// description.type = NSInMemoryStoreType
    /// ```
    open var type: String = NSSQLiteStoreType
    /// The configuration whose entities the store contains; nil for all entities.
    ///
    /// ```swift
    /// let cache = NSPersistentStoreDescription(url: URL(fileURLWithPath: "Cache.sqlite"))
    /// cache.configuration = "Cache"
    /// container.persistentStoreDescriptions.append(cache)
    /// ```
    open var configuration: String?
    /// The URL of the store. A SQLite store at `file:///dev/null`, or below it, is a database in memory.
    ///
    /// ```swift
    /// // A store in memory, for tests.
    /// container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
    /// ```
    open var url: URL?
    /// The options; ``setOption(_:forKey:)`` changes them.
    open private(set) var options: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]
    /// The SQLite pragmas; ``setValue(_:forPragmaNamed:)`` changes them.
    open private(set) var sqlitePragmas: [String: NSObject] = [:]
    /// Whether the store is opened on another thread, and the method that opens it returns at once; false unless set.
    ///
    /// ```swift
    /// container.persistentStoreDescriptions.first?.shouldAddStoreAsynchronously = true
    /// container.loadPersistentStores { description, error in
    ///     print(description, error == nil ? "is ready" : "can't be opened")
    /// }
    /// ```
    open var shouldAddStoreAsynchronously = false

    /// Describes a SQLite store.
    ///
    /// - Parameter url: the URL of the store.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Describes a SQLite store in memory, at `file:///dev/null`: for previews and tests.
    public override init() {
        url = URL(fileURLWithPath: "/dev/null")
        super.init()
    }

    /// Whether the store is opened for reading only: `NSReadOnlyPersistentStoreOption`.
    open var isReadOnly: Bool {
        get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
        set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
    }

    /// The seconds to wait for a lock of another process, 240 unless set: `NSPersistentStoreTimeoutOption`.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    /// Whether a store that was made from another model is migrated when it is opened, true unless set:
    /// `NSMigratePersistentStoresAutomaticallyOption`.
    ///
    /// ```swift
    /// // A store of another version is refused with 134100 rather than changed.
    /// container.persistentStoreDescriptions.first?.shouldMigrateStoreAutomatically = false
    /// ```
    open var shouldMigrateStoreAutomatically: Bool {
        get { (options[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
        set { options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
    }

    /// Whether the mapping model of a migration is inferred, true unless set: `NSInferMappingModelAutomaticallyOption`.
    ///
    /// ```swift
    /// // Only a mapping model in the program's bundles may migrate the store.
    /// container.persistentStoreDescriptions.first?.shouldInferMappingModelAutomatically = false
    /// ```
    open var shouldInferMappingModelAutomatically: Bool {
        get { (options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
        set { options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
    }

    /// How a container mirrors the store into CloudKit on Apple's platforms; nil unless set. Here nothing is mirrored.
    ///
    /// ```swift
    /// // A store that is never mirrored.
    /// container.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil
    /// ```
    open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?

    /// Sets an option of the store.
    ///
    /// ```swift
    /// let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "Music.sqlite"))
    /// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    /// ```
    ///
    /// - Parameters:
    ///   - option: the value; nil removes the option.
    ///   - key: the key, for instance `NSSQLiteAnalyzeOption`.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Sets a SQLite pragma, which each connection to the store gets.
    ///
    /// - Parameters:
    ///   - value: a word or number; nil removes the pragma.
    ///   - name: the name, for instance `synchronous`.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) { sqlitePragmas[name] = value }

    /// The options in the form that a coordinator expects.
    final var storeOptions: [AnyHashable: Any] {
        var result: [AnyHashable: Any] = options
        if !sqlitePragmas.isEmpty { result[NSSQLitePragmasOption] = sqlitePragmas }
        return result
    }

    /// Makes a description with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.options = options
        copy.sqlitePragmas = sqlitePragmas
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.cloudKitContainerOptions = cloudKitContainerOptions
        return copy
    }

    open override var description: String {
        "<NSPersistentStoreDescription> (type: \(type), url: \(url?.withoutSecrets.absoluteString ?? "nil"))"
    }
}
