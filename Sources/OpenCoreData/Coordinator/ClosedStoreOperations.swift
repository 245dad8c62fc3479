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
    /// The contents of a URL before objects are copied there.
    static func contents(at url: URL, options: [AnyHashable: Any]?) throws -> StoreLocationContents
    /// Removes an incomplete copy from a URL at which no store was.
    ///
    /// - Parameter former: the contents of the URL before the copy.
    static func removeIncompleteCopy(
        at url: URL, options: [AnyHashable: Any]?, former: StoreLocationContents
    ) throws
}

/// The contents of a URL.
package enum StoreLocationContents: Sendable {
    /// Nothing.
    case missing
    /// Something without a store: an empty file, or a schema of a database.
    case empty
    /// A store, or a file that may be one: only opening it shows whether it is.
    case store

    /// The contents of a path, without opening the file.
    init(path: String) {
        switch OperatingSystem.fileKind(at: path) {
        case .missing: self = .missing
        case .file(0): self = .empty
        default: self = .store
        }
    }
}

extension ClosedStoreOperations {
    package static func contents(at url: URL, options: [AnyHashable: Any]?) throws -> StoreLocationContents {
        StoreLocationContents(path: url.path)
    }

    package static func removeIncompleteCopy(
        at url: URL, options: [AnyHashable: Any]?, former: StoreLocationContents
    ) throws {
        try? destroy(at: url, options: nil)
        guard url.isFileURL, url.path != SQLiteConnection.memoryPath else { return }
        try SQLiteStoreCopy.removeDatabase(at: url.path)
    }
}
