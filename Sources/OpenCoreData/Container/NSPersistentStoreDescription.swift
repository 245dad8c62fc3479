/// How to open a store: type, place, configuration and options.
open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
    /// The kind of store, `NSSQLiteStoreType` by default.
    open var type: String = NSSQLiteStoreType
    /// The configuration whose entities the store holds; nil for all.
    open var configuration: String?
    /// Where the store is.
    open var url: URL?
    /// The options, as set by `setOption(_:forKey:)`.
    open private(set) var options: [String: NSObject] = [:]
    /// The SQLite pragmas, as set by `setValue(_:forPragmaNamed:)`.
    open private(set) var sqlitePragmas: [String: NSObject] = [:]
    /// Whether the store is opened on another thread.
    open var shouldAddStoreAsynchronously = false

    /// Describes a SQLite store at a URL.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Describes a SQLite store without place.
    public override init() { super.init() }

    /// Whether the store is opened for reading only.
    open var isReadOnly: Bool {
        get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
        set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
    }

    /// Seconds to wait for another process's lock; 240 by default.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    /// Sets an option, nil removes it.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Sets a SQLite pragma, nil removes it.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) { sqlitePragmas[name] = value }

    /// The options as the coordinator takes them.
    final var storeOptions: [AnyHashable: Any] {
        var result: [AnyHashable: Any] = options
        if !sqlitePragmas.isEmpty { result[NSSQLitePragmasOption] = sqlitePragmas }
        return result
    }

    /// A description with the same values.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.options = options
        copy.sqlitePragmas = sqlitePragmas
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        return copy
    }

    open override var description: String {
        "<NSPersistentStoreDescription> (type: \(type), url: \(url?.absoluteString ?? "nil"))"
    }
}
