import Synchronization

/// The store types that coordinators can add, by name. The mutex guards the list.
package enum StoreTypeRegistry {
    private static let types = Mutex<[String: RegisteredStoreType]>([
        NSSQLiteStoreType: RegisteredStoreType(storeClass: SQLiteStore.self, locations: .files),
        NSXMLStoreType: RegisteredStoreType(storeClass: XMLStore.self, locations: .files),
        NSBinaryStoreType: RegisteredStoreType(storeClass: BinaryStore.self, locations: .files),
        NSInMemoryStoreType: RegisteredStoreType(
            storeClass: MemoryStore.self, locations: .ignored(placeholder: URL(fileURLWithPath: "/dev/null"))),
    ])

    /// Registers a class for a store type; nil removes the type.
    package static func register(_ type: RegisteredStoreType?, forType name: String) {
        types.withLock { $0[name] = type }
    }

    /// The registered type of a name.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for a name that is not registered.
    package static func type(named name: String) throws -> RegisteredStoreType {
        let (type, names) = types.withLock { ($0[name], $0.keys.sorted()) }
        if let type { return type }
        throw CoreDataErrors.error(
            NSPersistentStoreInvalidTypeError,
            "The store type \u{201c}\(name)\u{201d} is not known.", reason: "No store class is registered for it.",
            suggestion: "Use one of the known types: \(names.joined(separator: ", ")).")
    }
}

/// A store type: its class and the URLs that its stores have.
package struct RegisteredStoreType: Sendable {
    /// Which URLs the stores of a type have.
    package enum Locations: Sendable {
        /// URLs of files. A coordinator adds each file once.
        case files
        /// Any URL. A coordinator adds each URL once.
        case anyURL
        /// None: the store keeps its objects elsewhere, and any number of stores may have the same URL.
        case ignored(placeholder: URL)
    }

    package let storeClass: NSPersistentStore.Type
    package let locations: Locations

    package init(storeClass: NSPersistentStore.Type, locations: Locations) {
        self.storeClass = storeClass
        self.locations = locations
    }

    /// The operations on stores of this type that are not open; nil for a type whose stores don't outlive their
    /// coordinator.
    package var closedStores: (any ClosedStoreOperations.Type)? { storeClass as? any ClosedStoreOperations.Type }

    /// Whether a coordinator may have several stores with a URL: those that are in memory.
    package func allowsDuplicates(at url: URL) -> Bool {
        if case .ignored = locations { return true }
        return url.path == SQLiteConnection.memoryPath
    }

    /// The URL to add a store at.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) if the type needs a URL, and 262 for a URL of another kind.
    package func location(_ url: URL?, type: String) throws -> URL {
        if case .ignored(let placeholder) = locations { return url ?? placeholder }
        guard let url else {
            throw CoreDataErrors.error(
                NSPersistentStoreOpenError, "A store of type \(type) needs a URL.", reason: "The URL is nil.",
                suggestion: "Give the URL of the store.")
        }
        if case .files = locations, !url.isFileURL {
            throw CoreDataErrors.error(
                CocoaError.Code.fileReadUnsupportedScheme.rawValue,
                "A store of type \(type) can\u{2019}t be at \(url.absoluteString).",
                reason: "A store of this type is a file, and the URL names no file.",
                suggestion: "Give a file URL: URL(fileURLWithPath:).", userInfo: [NSURLErrorKey: url])
        }
        return url
    }
}

/// The operations on a store at a URL that need no coordinator to have it open.
package protocol ClosedStoreOperations: NSPersistentStore {
    /// The metadata, read without a model.
    static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any]
    /// Replaces the metadata.
    static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws
    /// A copy of the model that the store was made from.
    static func cachedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel
    /// Checks that a store may be destroyed. Nothing at the URL is fine.
    ///
    /// - Throws: an error that names the file if the URL names something other than a store of this type.
    static func checkDestroying(at url: URL, options: [AnyHashable: Any]?) throws
    /// Empties a store and removes what belongs to it. All stores of the process that have it open are closed.
    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws
    /// Checks that a store may be replaced by a copy of another one: the source is a store of this type, and the
    /// destination a store, an empty file or nothing.
    ///
    /// - Throws: an error that names the file.
    static func checkReplacing(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws
    /// Replaces a store by a copy of another one. All stores of the process that have it open are closed.
    ///
    /// - Throws: an error that names the file; the destination is then as before.
    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws
}

extension URL {
    /// Whether two URLs name the same store; symbolic links count as their targets.
    package func namesSameStore(as other: URL) -> Bool {
        if isFileURL && other.isFileURL {
            return standardizedFileURL == other.standardizedFileURL
                || resolvingSymlinksInPath().path == other.resolvingSymlinksInPath().path
        }
        return absoluteURL == other.absoluteURL
    }
}
