// SPDX-License-Identifier: Apache-2.0

/// A store that is made beside another one and then takes its place in one step. All migrations that don't change a
/// store in place work like this, and all copies that are made object by object.
///
/// The caller has the ``MigrationLock`` of the store. The new store is in the folder of unfinished files.
///
/// The store at each time at which the process may end, or an error may be thrown:
/// - Before the step, the store is as before. The folder of unfinished files stays after the end of a process. The next
///   opening of the store removes it, and so does the next holder of the lock.
/// - During the step, the store is the old one or the new one, as a whole: a file is replaced by a rename, a SQLite
///   store by one transaction, which the next connection rolls back from its journal, a store on a server by one
///   transaction of the server.
/// - After the step, the store is the new one.
///
/// Errors about the new store name its file, which is gone when they are read. They are changed to name the store.
package struct StoreReplacement {
    private let store: ClosedStore
    private let folder: String
    private let storeFolder: String

    init(of store: ClosedStore) {
        self.store = store
        folder = MigrationLock.folder(of: store.url).path
        storeFolder = store.url.deletingLastPathComponent().path
    }

    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - type: its type.
    package init(at url: URL, type: NSPersistentStore.StoreType) {
        self.init(of: ClosedStore(url: url, type: type.rawValue))
    }

    // MARK: The ways of replacing

    /// Replaces the store by one that is made from its contents.
    ///
    /// Saves of other processes wait, or fail. If the program defines the type of the store, such saves are lost,
    /// because the library doesn't know the locks of the type.
    ///
    /// - Parameters:
    ///   - isDone: whether another process has done the work, so that the store stays as it is. It is called when saves
    ///     wait.
    ///   - make: makes the new store at a URL. It is called again if another process has saved in between.
    /// - Throws: the errors of the blocks, and of reading and writing.
    package func run(unless isDone: () throws -> Bool = { false }, making make: (URL) throws -> Void) throws {
        defer { try? OperatingSystem.remove(folder) }
        try namingStore {
            guard let stores = try store.operations as? any ReplaceableStore.Type else {
                return try OperatingSystem.renameDurably(new(make).path, to: store.url.path)
            }
            try stores.replace(at: store.url, options: store.options, sourceOptions: store.options) {
                try isDone() ? nil : new(make)
            }
        }
    }

    /// Replaces the store, or nothing, by a store that has nothing of its contents.
    ///
    /// - Parameter make: makes the new store at a URL.
    /// - Throws: the errors of the block, and of reading and writing.
    package func runAnew(making make: (URL) throws -> Void) throws {
        let stores = try NSPersistentStoreCoordinator.replaceableStores(ofType: store.type, at: store.url)
        try namingStore {
            let (url, options, source) = (store.url, store.options, try new(make))
            try stores.checkReplacing(at: url, options: options, from: source, sourceOptions: options)
            try stores.replace(at: url, options: options, from: source, sourceOptions: options)
        }
    }

    /// Replaces a store that nothing else has open by a copy of it that a block changes.
    ///
    /// - Parameters:
    ///   - access: the access to the store.
    ///   - change: changes the copy at a URL.
    /// - Throws: the errors of the block, and of reading and writing.
    func run(with access: any ExclusiveStoreAccess, changing change: (URL) throws -> Void) throws {
        try namingStore {
            let copy = try new { url in
                try MigrationLog.step("Copying the store") { try access.copy(to: url) }
                try change(url)
            }
            try MigrationLog.step("Replacing the store") { try access.replace(byCopyOf: copy) }
        }
    }

    /// Has a block make the new store. An earlier attempt may have left files.
    private func new(_ make: (URL) throws -> Void) throws -> URL {
        try OperatingSystem.remove(folder)
        let url = try MigrationLock.makeFolder(of: store.url).appendingPathComponent(store.url.lastPathComponent)
        try make(url)
        return url
    }

    // MARK: Errors

    private func namingStore(_ body: () throws -> Void) throws {
        do { try body() } catch { throw naming(error) }
    }

    /// An error that names the store in place of the new one, with the same domain, code and keys, also in the errors
    /// under its keys. An error that doesn't name the new store, or is of another class, stays as it is.
    package func naming(_ error: any Error) -> any Error {
        guard type(of: error) == NSError.self else { return error }
        return renamed(error as NSError) ?? error
    }

    /// A text that names the store in place of the new one.
    package func naming(_ text: String) -> String { text.replacingOccurrences(of: folder, with: storeFolder) }

    private func renamed(_ error: NSError) -> NSError? {
        let changed = error.userInfo.compactMapValues(renamed)
        if changed.isEmpty { return nil }
        return CoreDataErrors.replacing(changed, in: error)
    }

    /// The value of a key; nil if it doesn't name the new store.
    private func renamed(_ value: Any) -> Any? {
        switch value {
        case let text as String: text.contains(folder) ? naming(text) : nil
        case let url as URL: url.path.contains(folder) ? URL(fileURLWithPath: naming(url.path)) : nil
        case let errors as [NSError]:
            errors.contains { renamed($0) != nil } ? errors.map { renamed($0) ?? $0 } : nil
        case let error as NSError: renamed(error)
        default: nil
        }
    }
}
