// SPDX-License-Identifier: Apache-2.0

/// Copying a store into another one of any kind, and moving stores.
extension NSPersistentStoreCoordinator {
    /// Copies a store to another URL. The copy replaces the store in the coordinator; see
    /// ``migratePersistentStore(_:to:options:withType:)``.
    ///
    /// ```swift
    /// func export(_ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator, to url: URL) throws {
    ///     let copy = try coordinator.migratePersistentStore(store, to: url, type: .xml)
    ///     print("The objects are in \(coordinator.url(for: copy).path) now.")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - store: a store of this coordinator, which is removed from it.
    ///   - storeURL: the URL of the new store.
    ///   - options: the options of the new store.
    ///   - storeType: the type of the new store.
    /// - Returns: the new store.
    /// - Throws: the errors of the method above.
    @discardableResult
    public final func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// The work of ``migratePersistentStore(_:to:options:withType:)``.
    ///
    /// - Parameter progress: gets the fraction of the objects that is copied, from 0 to 1.
    package final func migrateStore(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]?, ofType storeType: String,
        progress: (Double) -> Void = { _ in }
    ) throws -> NSPersistentStore {
        let type = try StoreTypeRegistry.type(named: storeType)
        let options = try StoreOptionCheck.checked(options, at: url)
        let url = try type.location(url, type: storeType, options: options)
        guard persistentStores.contains(where: { $0 === store }), let source = store.snapshotStore else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError, "The store \(store.url?.storeText ?? "") can\u{2019}t be copied.",
                reason: "It doesn\u{2019}t belong to this coordinator.", userInfo: [NSAffectedStoresErrorKey: [store]])
        }
        if !type.storeClass.isInMemory(at: url) && persistentStore(for: url) != nil {
            throw Self.uncopyable(store, to: url)
        }
        let copy = try runAlone { () throws -> NSPersistentStore in
            let copy = try StoreMigration(source, to: url, options: options, type, storeType, in: self)
                .run(progress)
            NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
            remoteChanges.stop(store)
            store.willRemove(from: self)
            replaceRegistered(store, by: copy)
            store.detach()
            copy.didAdd(to: self)
            return copy
        }
        remoteChanges.start(copy, of: self)
        postStoresDidChange([
            NSAddedPersistentStoresKey: [copy], NSRemovedPersistentStoresKey: [store],
            NSUUIDChangedPersistentStoresKey: [store, copy],
        ])
        return copy
    }

    /// The work of ``setURL(_:for:)``.
    final func moveStore(_ store: NSPersistentStore, to url: URL) -> Bool {
        guard persistentStores.contains(where: { $0 === store }),
            persistentStore(for: url).map({ $0 === store }) ?? true
        else { return false }
        do {
            try runAlone {
                if let store = store as? any MovableStore {
                    try store.move(to: url)
                } else {
                    store.url = url
                }
            }
        } catch {
            CoreDataLog.error(
                "The store \(store.url?.storeText ?? "") can't be moved: \((error as NSError).localizedDescription)")
            return false
        }
        remoteChanges.stop(store)
        remoteChanges.start(store, of: self)
        return true
    }
}

/// A store that does something when it gets another URL.
package protocol MovableStore: NSPersistentStore {
    /// Uses another file from now on.
    ///
    /// - Throws: the errors of opening the file. The store then stays where it is.
    func move(to url: URL) throws
}

/// A store whose file is written as a whole.
protocol StoreMadeBySaving: NSPersistentStore {
    /// Whether the first save makes the file of a new store, instead of the opening. A process that is stopped before
    /// that save leaves no store.
    var isMadeBySaving: Bool { get set }
    /// Makes the file if no save has.
    func makeIfMissing() throws
}

/// One copy of a store into a new or an existing one.
///
/// A new store gets its name when it is complete (``StoreReplacement``).
private struct StoreMigration {
    private let source: any SnapshotStore
    private var url: URL
    private let options: [AnyHashable: Any]?
    private let type: RegisteredStoreType
    private let storeType: String
    private let coordinator: NSPersistentStoreCoordinator

    init(
        _ source: any SnapshotStore, to url: URL, options: [AnyHashable: Any]?, _ type: RegisteredStoreType,
        _ storeType: String, in coordinator: NSPersistentStoreCoordinator
    ) {
        self.source = source
        self.url = url
        self.options = options
        self.type = type
        self.storeType = storeType
        self.coordinator = coordinator
    }

    func run(_ progress: (Double) -> Void) throws -> NSPersistentStore {
        var former = try type.storeClass.contents(at: url, options: options)
        if former == .store, let stores = type.storeClass as? any SharedLocationStore.Type,
            try stores.removeAbandonedCopy(at: url, options: options)
        {
            former = .empty
        }
        if former != .store, let stores = storesToMakeBeside {
            return try runBeside(stores, progress)
        }
        return try run(former, progress)
    }

    /// The stores of the new one's type, if the new store is made in another file first; nil if it is made at once.
    private var storesToMakeBeside: (any ReplaceableStore.Type)? {
        guard let stores = type.storeClass as? any ReplaceableStore.Type, !(stores is any StoreMadeBySaving.Type),
            url.isFileURL, !stores.isInMemory(at: url), fileToCopy == nil
        else { return nil }
        // If the folder can't be written, the opening of the store throws the error.
        let folder = OperatingSystem.folder(of: url.resolvingSymlinksInPath().path)
        let isUsable = OperatingSystem.fileKind(at: folder) == .directory && OperatingSystem.isWritable(folder)
        return isUsable ? stores : nil
    }

    /// Makes the store beside its place.
    private func runBeside(_ stores: any ReplaceableStore.Type, _ progress: (Double) -> Void) throws
        -> NSPersistentStore
    {
        try MigrationLock.withLock(at: url, timeout: MigrationLock.defaultTimeout) {
            let target = ClosedStore(url: url, type: storeType, options: stores.accessOptions(options))
            try StoreReplacement(of: target).runAnew { url in
                var beside = self
                beside.url = url
                try beside.run(.missing, progress).willRemove(from: coordinator)
            }
            let store = makeStore()
            try store.loadMetadata()
            try store.snapshotStore?.didLoadMetadata()
            if let target = store.snapshotStore, Self.keepsKeys(from: source, to: target) {
                store.identity.replace(source.identity)
            }
            return store
        }
    }

    private func makeStore() -> NSPersistentStore {
        type.storeClass.init(
            persistentStoreCoordinator: coordinator, configurationName: source.configurationName, at: url,
            options: options)
    }

    private func run(_ former: StoreLocationContents, _ progress: (Double) -> Void) throws -> NSPersistentStore {
        var shared: (any SharedLocationStore)?
        do {
            let isFileCopy = try former != .store && copyFile()
            let store = makeStore()
            shared = store as? any SharedLocationStore
            let made = store as? any StoreMadeBySaving
            made?.isMadeBySaving = former != .store && !isFileCopy
            shared?.willCopy()
            try store.loadMetadata()
            try copy(into: store, isNew: isNew(store, former), isFileCopy: isFileCopy, progress)
            try made?.makeIfMissing()
            try shared?.didCopy()
            return store
        } catch {
            removeIncompleteCopy(shared, former)
            throw error
        }
    }

    /// Whether an opened store contains only the objects that this copy writes.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if another process has made the store since this copy
    ///   began: its objects may have the keys of the copied objects.
    private func isNew(_ store: NSPersistentStore, _ former: StoreLocationContents) throws -> Bool {
        guard let store = store as? any SharedLocationStore else { return former != .store }
        guard store.madeIdentifier == nil else { return true }
        guard former == .store else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError,
                "The store \(source.url?.storeText ?? "") can\u{2019}t be copied to \(url.storeText).",
                reason: "Another process has made a store there since the copy began.",
                suggestion: "Use that store, or give another URL.",
                userInfo: url.errorInfo)
        }
        return false
    }

    /// Removes the store that this copy has made. A store of another process stays.
    private func removeIncompleteCopy(_ store: (any SharedLocationStore)?, _ former: StoreLocationContents) {
        let identifier = store?.madeIdentifier
        store?.willRemove(from: coordinator)
        // A store that exists only since this copy began is incomplete.
        guard identifier != nil || store == nil && former != .store else { return }
        try? type.storeClass.removeIncompleteCopy(at: url, options: options, former: former, identifier: identifier)
    }

    private func copy(
        into store: NSPersistentStore, isNew: Bool, isFileCopy: Bool, _ progress: (Double) -> Void
    ) throws {
        guard let target = store.snapshotStore else { return }
        try target.didLoadMetadata()
        if !isFileCopy { try copyContents(into: target, isNew: isNew, progress) }
        let keepsKeys = isFileCopy || isNew && Self.keepsKeys(from: source, to: target)
        if keepsKeys { store.identity.replace(source.identity) }
    }

    /// Makes the new store by a copy of the old one's file, if stores of the type allow it.
    private func copyFile() throws -> Bool {
        guard let (file, stores) = fileToCopy else { return false }
        // The options of the open store say what a save does.
        let options = stores.accessOptions(options)
        try stores.checkReplacing(at: url, options: options, from: file, sourceOptions: options)
        // Two stores of a coordinator have two UUIDs, and the old file remains.
        let metadata = (source.metadata ?? [:]).merging([NSStoreUUIDKey: UUID().uuidString]) { $1 }
        try stores.copy(to: url, options: options, from: file, sourceOptions: options, metadata: metadata)
        return true
    }

    /// The file whose copy has all objects; nil if they are copied one by one.
    private var fileToCopy: (file: URL, stores: any ReplaceableStore.Type)? {
        guard storeType == source.type, let file = source.url,
            let stores = type.storeClass as? any ReplaceableStore.Type,
            stores.replacingCopiesObjects(at: url, options: options, from: file, sourceOptions: source.options)
        else { return nil }
        return (file, stores)
    }

    private static func keepsKeys(from source: any SnapshotStore, to target: any SnapshotStore) -> Bool {
        !(source is any ObjectStore) && !(target is any ObjectStore)
            && (source.database.sharesKeys || !target.database.sharesKeys)
    }

    private func copyContents(
        into target: any SnapshotStore, isNew: Bool, _ progress: (Double) -> Void
    ) throws {
        let roots = coordinator.rootLayouts(of: source)
        // A custom store may read for a context only.
        if target is any ObjectStore || source.database.isContextBound {
            return try coordinator.withTemporaryStore(target) {
                try StoreObjectCopy(from: source, to: target, roots: roots, in: coordinator).run()
            }
        }
        var metadata: [String: Any] = target.metadata ?? [:]
        metadata.merge(source.metadata ?? [:]) { own, _ in own }
        target.metadata = metadata
        let reader: any SnapshotSource = try source.database.generation() ?? source.database
        var copy = StoreContentCopy(
            from: reader, to: target, roots: roots, of: coordinator.layouts,
            keepsKeys: isNew && Self.keepsKeys(from: source, to: target))
        try copy.run(progress)
        if target.hasMetadataChanges { _ = try target.save(StoreChanges(coordinator.layouts)) {} }
    }
}
