// SPDX-License-Identifier: Apache-2.0

/// The store of type `NSSQLiteStoreType`: a SQLite file in Apple's format.
final class SQLiteStore: NSPersistentStore, SnapshotStore, @unchecked Sendable {
    let database = SQLiteDatabase()

    override var type: String { NSSQLiteStoreType }

    override var metadata: [String: Any]! {
        get { super.metadata }
        set {
            super.metadata = newValue
            database.changedMetadata = newValue
        }
    }

    var hasMetadataChanges: Bool { database.changedMetadata != nil }

    override func loadMetadata() throws { try load(sourceModel: nil) }

    func loadMetadata(
        migratingFrom sourceModel: (_ metadata: [String: Any], _ cached: NSManagedObjectModel?) throws ->
            NSManagedObjectModel?
    ) throws {
        try withoutActuallyEscaping(sourceModel) { try load(sourceModel: $0) }
    }

    private func load(sourceModel: SQLiteStoreFile.SourceModel?) throws {
        guard let coordinator = persistentStoreCoordinator, let url else { return }
        try open(url, for: coordinator, sourceModel: sourceModel)
        Self.openStores.add(self)
    }

    /// Opens a file, and closes the file that was open.
    private func open(
        _ url: URL, for coordinator: NSPersistentStoreCoordinator, sourceModel: SQLiteStoreFile.SourceModel? = nil
    ) throws {
        let fileOptions = SQLiteStoreOptions(options)
        let file = try SQLiteStoreFile.open(
            at: url.path, model: coordinator.managedObjectModel, configuration: restrictingConfigurationName,
            options: fileOptions, sourceModel: sourceModel)
        try database.open(file, options: fileOptions, layouts: coordinator.layouts, identity: identity)
        identifier = file.identifier
        super.metadata = file.metadata
        if file.isReadOnly && !isReadOnly {
            becomeReadOnlyWithoutHistoryTracking(file.path)
        }
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        Self.openStores.remove(self)
        database.close(.removed)
    }
}

// MARK: - Requests that not every database has

extension SQLiteDatabase: BatchDatabase {}
extension SQLiteDatabase: HistoryDatabase {}

extension SQLiteStore: StoredValueChecking {
    func valueProblems(_ layout: EntityLayout, keys: [Int64]?) throws -> [StoredValueProblem] {
        try database.valueProblems(layout, keys: keys)
    }
}

extension SQLiteStore: DeferredMigrationStore {
    func finishDeferredMigration(tasks: Int) throws {
        let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
        guard !isReadOnly, (metadata?[key] as? NSNumber)?.boolValue == true else { return }
        guard try database.finishDeferredMigration(tasks: tasks) else { return }
        metadata?[key] = nil
        try database.giveBackFreePages()
    }
}

extension SQLiteStore: MovableStore {
    func move(to url: URL) throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        if case .file(let size) = OperatingSystem.fileKind(at: url.path), size > 0 {
            try open(url, for: coordinator)
            self.url = url
            return
        }
        throw SQLiteErrors.storeError(
            SQLiteErrors.fileReadNoSuchFile, path: url.path, reason: "The file doesn\u{2019}t exist, or is empty.",
            suggestion: "Give the URL of a store.")
    }
}

// MARK: - Fingerprint

extension SQLiteStore {
    /// The size and date of the file and of its log.
    ///
    /// Neither file is opened, because closing it would release the locks that SQLite holds for this process.
    func fingerprint() -> StoreFingerprint? {
        guard let path = (url?.path).map(OperatingSystem.resolvingLinks), let file = Self.fingerprint(of: path) else {
            return nil
        }
        // Connections create and remove an empty log.
        let log = Self.fingerprint(of: path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
        return StoreFingerprint(store: identifier, files: [file] + (log.map { [$0] } ?? []))
    }

    private static func fingerprint(of path: String) -> StoreFingerprint.File? {
        OperatingSystem.fileSizeAndDate(at: path).map { StoreFingerprint.File(size: $0.size, modified: $0.modified) }
    }
}

// MARK: - Closed files

extension SQLiteStore: InPlaceMigratingStore {
    static func files(at url: URL) -> [String] { isInMemory(at: url) ? [] : SQLiteStoreCopy.files(of: url.path) }

    static var accessOptionKeys: [String] { [NSPersistentStoreTimeoutOption, NSSQLiteEncryptionKeyOption] }

    static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try SQLiteStoreFile.metadata(at: url.path, options: SQLiteStoreOptions(options))
    }

    static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        try SQLiteStoreFile.setMetadata(metadata, at: url.path, options: SQLiteStoreOptions(options))
    }

    static func cachedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel {
        if let model = try SQLiteStoreFile.cachedModel(at: url.path, options: SQLiteStoreOptions(options)) {
            return model
        }
        throw CoreDataErrors.error(
            NSPersistentStoreOperationError, "The model of the store \(url.path) can\u{2019}t be read.",
            reason: "The store contains no model (it has no Z_MODELCACHE).", suggestion: "Load its model from a file.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    static func checkDestroying(at url: URL, options: [AnyHashable: Any]?) throws {
        try SQLiteStoreDestroyer(url, options: SQLiteStoreOptions(options)).check()
    }

    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
        let destroyer = SQLiteStoreDestroyer(url, options: SQLiteStoreOptions(options))
        guard try destroyer.check() else { return try destroyer.createEmptyFile() }
        for store in openStores(at: url) { store.database.close(.destroyed) }
        try destroyer.destroy()
    }

    static func checkReplacing(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        try copy(destination, options, source, sourceOptions).check()
    }

    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        for store in openStores(at: destination) { store.database.close(.replaced) }
        try copy(destination, options, source, sourceOptions).run()
    }

    static func replace(
        at destination: URL, options: [AnyHashable: Any]?, sourceOptions: [AnyHashable: Any]?,
        byMaking make: () throws -> URL?
    ) throws {
        try SQLiteStoreReplacement(at: destination, options: SQLiteStoreOptions(options)).run(
            sourceOptions: SQLiteStoreOptions(sourceOptions),
            willReplace: { for store in openStores(at: destination) { store.database.close(.replaced) } },
            byMaking: make)
    }

    static func copy(
        to destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?,
        metadata: [String: Any]
    ) throws { try copy(destination, options, source, sourceOptions, metadata).run() }

    static func replacingCopiesObjects(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) -> Bool {
        func key(_ options: [AnyHashable: Any]?) -> AnyHashable? {
            options?[NSSQLiteEncryptionKeyOption] as? AnyHashable
        }
        return !isInMemory(at: source) && !isInMemory(at: destination) && key(sourceOptions) == key(options)
    }

    static func migrate(
        at url: URL, options: [AnyHashable: Any]?, from source: NSManagedObjectModel,
        to destination: NSManagedObjectModel, isLast: Bool, progress: (Float) throws -> Void
    ) throws {
        try SQLiteStoreMigrator.migrate(
            at: url.path, options: SQLiteStoreOptions(options), from: source, to: destination, isLast: isLast,
            progress: progress)
    }

    private static func copy(
        _ destination: URL, _ options: [AnyHashable: Any]?, _ source: URL, _ sourceOptions: [AnyHashable: Any]?,
        _ metadata: [String: Any]? = nil
    ) -> SQLiteStoreCopy {
        SQLiteStoreCopy(
            from: source, options: SQLiteStoreOptions(sourceOptions), to: destination,
            options: SQLiteStoreOptions(options), metadata: metadata)
    }
}

extension SQLiteStore {
    private static let openStores = OpenStores<SQLiteStore>()

    /// The open stores whose file a URL names.
    static func openStores(at url: URL) -> [SQLiteStore] {
        openStores.stores.filter { $0.url?.namesSameStore(as: url) == true }
    }
}
