// SPDX-License-Identifier: Apache-2.0

/// The operations on stores of one kind that need no coordinator to have the store open.
///
/// The class of the stores implements the operations for its kind. The default implementations are for custom stores:
/// only the class of a custom store knows where the store has its objects.
package protocol ClosedStoreOperations: NSPersistentStore {
    /// Whether a store at a URL is in memory: any number of stores may have the URL, and each ends with its
    /// coordinator.
    static func isInMemory(at url: URL) -> Bool
    /// The contents of a URL.
    static func contents(at url: URL, options: [AnyHashable: Any]?) throws -> StoreLocationContents
    /// The paths of the files that a store at a URL may have, also after a write that has not ended.
    static func files(at url: URL) -> [String]

    /// The metadata, read without a model.
    static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any]
    /// Replaces the metadata.
    static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws
    /// A copy of the model that the store was made from.
    static func cachedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel

    /// Removes an incomplete copy from a URL at which no store was.
    ///
    /// - Parameters:
    ///   - former: the contents of the URL before the copy.
    ///   - identifier: the UUID of the store that the copy has made, for a ``SharedLocationStore``. A store with
    ///     another UUID isn't removed.
    static func removeIncompleteCopy(
        at url: URL, options: [AnyHashable: Any]?, former: StoreLocationContents, identifier: String?
    ) throws
}

/// A store at a location where another process may make a store between a look at the location and the opening.
package protocol SharedLocationStore: NSPersistentStore {
    /// The UUID of the store that the opening has made; nil if the opening has found a store. After a failed opening
    /// it is the UUID of the store that the opening may have made.
    var madeIdentifier: String? { get }
    /// Called before a copy. If the next opening creates the store, it marks the store as an incomplete copy, which
    /// can't be opened.
    func willCopy()
    /// Removes the mark, because the copy is complete.
    func didCopy() throws
    /// Removes the leftovers of a copy that ended early, for instance because its program was stopped.
    ///
    /// - Returns: whether there was an incomplete copy. The location is empty then.
    static func removeAbandonedCopy(at url: URL, options: [AnyHashable: Any]?) throws -> Bool
}

/// The operations on stores of a kind whose parts, such as files, the library knows completely.
package protocol ReplaceableStore: ClosedStoreOperations {
    /// Checks that a store may be destroyed. Nothing at the URL is fine.
    ///
    /// - Throws: an error that names the file if the URL names something other than a store of this type.
    static func checkDestroying(at url: URL, options: [AnyHashable: Any]?) throws
    /// Empties a store and removes the files that belong to it. All stores of this process that have the file open are
    /// closed.
    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws
    /// Checks that a store may be replaced by a copy of another one: the source is a store of this type, and the
    /// destination another store, an empty file or nothing. The URLs differ, but may name one store.
    ///
    /// - Throws: an error that names the file.
    static func checkReplacing(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws
    /// Replaces a store by a copy of another store. All stores of this process that have the replaced file open are
    /// closed.
    ///
    /// - Throws: an error that names the file; the destination is then as before.
    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws
    /// Replaces a store by a new store that is made from its contents. Saves of other processes aren't lost: they wait,
    /// or fail. All stores of this process that have the file open are closed.
    ///
    /// - Parameters:
    ///   - sourceOptions: the options of the new store.
    ///   - make: makes the new store, and returns its URL; nil to leave the store as it is. It is called again if
    ///     another process has saved in between.
    /// - Throws: an error that names the file; the destination is then as before.
    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, sourceOptions: [AnyHashable: Any]?,
        byMaking make: () throws -> URL?
    ) throws
    /// Copies a store to a place without a store, and gives the copy its own metadata. A process that is stopped during
    /// the copy leaves no store there.
    ///
    /// - Throws: an error that names the file; no store is at the destination then.
    static func copy(
        to destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?,
        metadata: [String: Any]
    ) throws
    /// Whether replacing a store by a copy of another store has the same result as copying all objects into a new
    /// store.
    static func replacingCopiesObjects(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) -> Bool
    /// The keys of the options that say how a store is reached. The other options say what an open store does.
    static var accessOptionKeys: [String] { get }
}

/// The operations on stores of a kind whose lightweight migrations change a store in place. Such a store also migrates
/// itself when it is opened.
protocol InPlaceMigratingStore: ReplaceableStore {
    /// Opens the store like `loadMetadata()`.
    ///
    /// - Parameter sourceModel: called before the store migrates itself, with its metadata and the model that it
    ///   contains. The result is the model of the store, or nil if it is not known. An error leaves the store as it is.
    func loadMetadata(
        migratingFrom sourceModel: (_ metadata: [String: Any], _ cached: NSManagedObjectModel?) throws ->
            NSManagedObjectModel?
    ) throws
    /// Migrates a store by the mapping that is inferred between two models.
    ///
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - options: the options of the store.
    ///   - source: the model of the store.
    ///   - destination: the model to migrate to.
    ///   - isLast: whether no other migration of the store follows.
    ///   - progress: called with the part that is done, from 0 to 1. An error ends the migration.
    /// - Throws: the errors of a lightweight migration. The store is then as before.
    static func migrate(
        at url: URL, options: [AnyHashable: Any]?, from source: NSManagedObjectModel,
        to destination: NSManagedObjectModel, isLast: Bool, progress: (Float) throws -> Void
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
    package static func isInMemory(at url: URL) -> Bool { OperatingSystem.isNullDevice(url.path) }

    package static func contents(at url: URL, options: [AnyHashable: Any]?) throws -> StoreLocationContents {
        if isInMemory(at: url) { return .missing }
        return url.isFileURL ? StoreLocationContents(path: url.path) : .store
    }

    package static func files(at url: URL) -> [String] { url.isFileURL && !isInMemory(at: url) ? [url.path] : [] }

    /// Removes all files of a store that nothing has open.
    static func removeFiles(at url: URL) throws { try files(at: url).forEach(OperatingSystem.remove) }

    package static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try metadataForPersistentStore(with: url)
    }

    package static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        try setMetadata(metadata, forPersistentStoreAt: url)
    }

    package static func cachedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel {
        throw CoreDataErrors.error(
            NSPersistentStoreOperationError, "The model of the store \(url.storeText) can\u{2019}t be read.",
            reason: "Stores of the registered class don\u{2019}t contain their model.", userInfo: [NSURLErrorKey: url])
    }

    package static func removeIncompleteCopy(
        at url: URL, options: [AnyHashable: Any]?, former: StoreLocationContents, identifier: String?
    ) throws {
        try removeFiles(at: url)
    }
}

extension ReplaceableStore {
    package static func removeIncompleteCopy(
        at url: URL, options: [AnyHashable: Any]?, former: StoreLocationContents, identifier: String?
    ) throws {
        try? destroy(at: url, options: nil)
        try removeFiles(at: url)
    }

    package static func replacingCopiesObjects(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) -> Bool { false }

    package static func copy(
        to destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?,
        metadata: [String: Any]
    ) throws {
        try replace(at: destination, options: options, from: source, sourceOptions: sourceOptions)
        try setMetadata(metadata, at: destination, options: options)
    }

    package static var accessOptionKeys: [String] { [NSPersistentStoreTimeoutOption] }

    /// The options of a store that say how it is reached.
    static func accessOptions(_ options: [AnyHashable: Any]?) -> [AnyHashable: Any]? {
        options?.filter { key, _ in accessOptionKeys.contains { key == AnyHashable($0) } }
    }
}
