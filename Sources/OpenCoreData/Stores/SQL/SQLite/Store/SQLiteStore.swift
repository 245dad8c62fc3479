import Synchronization

/// The store of type `NSSQLiteStoreType`: a SQLite file in Apple's format.
///
/// The store has one connection, and one lock that guards it. All contexts of the coordinator share its row cache.
final class SQLiteStore: NSPersistentStore, SQLiteSource, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    /// Nil before the store was opened, and after it was removed or destroyed. Guarded by `lock`.
    private var opened: OpenStore?
    /// Whether the file was emptied while the store had it open. Guarded by `lock`.
    private var isDestroyed = false
    let rowCache = RowCache()

    /// The file, its connection and its plans, while the store is open.
    final class OpenStore {
        let file: SQLiteStoreFile
        let connection: SQLiteConnection
        let schema: SQLSchema
        let layouts: ModelLayout
        let plans: SQLPlans
        let translator: SQLQueryTranslator
        let externalValues: SQLiteExternalValueReader
        let generations: SQLiteGenerations
        /// Whether query generations of the file can be read while others write to it; nil before the first request.
        var allowsGenerationsStorage: Bool?
        var metadataChanged = false

        init(file: SQLiteStoreFile, layouts: ModelLayout, identity: StoreIdentity, generations: SQLiteGenerations) {
            self.file = file
            self.generations = generations
            connection = file.connection
            schema = file.schema
            externalValues = SQLiteExternalValueReader(file.externalData)
            self.layouts = layouts
            let dialect = SQLiteDialect()
            plans = SQLPlans(schema: file.schema, layouts: layouts, dialect: dialect, location: file.path)
            translator = SQLQueryTranslator(schema: file.schema, dialect: dialect) { constant in
                guard let id = constant as? NSManagedObjectID else { return nil }
                let isInStore =
                    !id.isTemporaryID && (id.storeIdentity === identity || id.storeIdentity?.uuid == identity.uuid)
                return SQLObjectReference(entityName: id.layout.name, key: isInStore ? id.key : nil)
            }
        }
    }

    override var type: String { NSSQLiteStoreType }

    override var metadata: [String: Any]! {
        get { super.metadata }
        set {
            super.metadata = newValue
            lock.withLock { opened?.metadataChanged = true }
        }
    }

    var hasMetadataChanges: Bool { lock.withLock { opened?.metadataChanged ?? false } }

    override func loadMetadata() throws {
        guard let coordinator = persistentStoreCoordinator, let url else { return }
        let file = try SQLiteStoreFile.open(
            at: url.path, model: coordinator.managedObjectModel,
            configuration: configurationName == NSManagedObjectModel.defaultConfigurationName ? nil : configurationName,
            options: SQLiteStore.fileOptions(options))
        let open = OpenStore(
            file: file, layouts: coordinator.layouts, identity: identity,
            generations: SQLiteGenerations(file.externalData))
        lock.withLock { opened = open }
        OpenSQLiteStores.add(self)
        identifier = file.identifier
        super.metadata = file.metadata
        if file.isReadOnly && !isReadOnly {
            isReadOnly = true
            CoreDataLog.error(
                """
                Store opened without NSPersistentHistoryTrackingKey but previously had been opened with \
                NSPersistentHistoryTrackingKey - Forcing into Read Only mode store at '\(file.path)'. Set the option \
                to save into the store.
                """)
        }
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        OpenSQLiteStores.remove(self)
        close()
    }

    /// Closes the file because the database is going to be emptied.
    func closeForDestroying() {
        lock.withLock { isDestroyed = true }
        close()
    }

    private func close() {
        let generations = lock.withLock {
            defer { opened = nil }
            return opened?.generations
        }
        generations?.closeAll()
        rowCache.removeAll()
    }

    /// Runs a block with the open file, under the lock.
    func withOpen<Result>(_ body: (OpenStore) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let opened else {
            let path = url?.path ?? ""
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError, "The store \(path) can\u{2019}t be used.",
                reason: isDestroyed
                    ? "It was destroyed while it was open." : "It was removed from its coordinator.",
                suggestion: isDestroyed
                    ? "Remove it from its coordinator, and add it again to begin with a new store." : "Add it again.",
                userInfo: [NSFilePathErrorKey: path])
        }
        return try body(opened)
    }

    static func fileOptions(_ options: [AnyHashable: Any]?) -> SQLiteStoreOptions {
        var result = SQLiteStoreOptions()
        guard let options else { return result }
        func isOn(_ option: String) -> Bool { (options[option] as? NSNumber)?.boolValue ?? false }
        result.isReadOnly = isOn(NSReadOnlyPersistentStoreOption)
        if let timeout = options[NSPersistentStoreTimeoutOption] as? NSNumber { result.timeout = timeout.doubleValue }
        if let pragmas = options[NSSQLitePragmasOption] as? [String: Any] {
            result.pragmas = pragmas.mapValues { "\($0)" }
        }
        result.ignoresVersioning = isOn(NSIgnorePersistentStoreVersioningOption)
        result.analyzes = isOn(NSSQLiteAnalyzeOption)
        result.vacuums = isOn(NSSQLiteManualVacuumOption)
        result.tracksHistory = isOn(NSPersistentHistoryTrackingKey)
        return result
    }
}

// MARK: - Fingerprint

extension SQLiteStore {
    /// The size and date of the file and of its log.
    ///
    /// Neither is opened: closing one of them would release the locks that SQLite holds for this process.
    func fingerprint() -> StoreFingerprint? {
        guard let path = url?.path, let file = Self.fingerprint(of: path) else { return nil }
        // Connections create and remove an empty log.
        let log = Self.fingerprint(of: path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
        return StoreFingerprint(store: identifier, files: [file] + (log.map { [$0] } ?? []))
    }

    private static func fingerprint(of path: String) -> StoreFingerprint.File? {
        OperatingSystem.fileSizeAndDate(at: path).map { StoreFingerprint.File(size: $0.size, modified: $0.modified) }
    }
}

// MARK: - Closed files

extension SQLiteStore: ClosedStoreOperations {
    static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try SQLiteStoreFile.metadata(at: url.path, options: fileOptions(options))
    }

    static func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        try SQLiteStoreFile.setMetadata(metadata, at: url.path, options: fileOptions(options))
    }

    static func cachedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel {
        if let model = try SQLiteStoreFile.cachedModel(at: url.path, options: fileOptions(options)) { return model }
        throw CoreDataErrors.error(
            NSPersistentStoreOperationError, "The model of the store \(url.path) can\u{2019}t be read.",
            reason: "The store contains no model (it has no Z_MODELCACHE).", suggestion: "Load its model from a file.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    static func checkDestroying(at url: URL, options: [AnyHashable: Any]?) throws {
        try SQLiteStoreDestroyer(url, options: fileOptions(options)).check()
    }

    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
        let destroyer = SQLiteStoreDestroyer(url, options: fileOptions(options))
        guard try destroyer.check() else { return }
        for store in OpenSQLiteStores.stores(at: url) { store.closeForDestroying() }
        try destroyer.destroy()
    }
}

/// The SQLite stores that the coordinators of the process have open. The mutex guards the list; stores are not kept
/// alive.
enum OpenSQLiteStores {
    private struct WeakStore: @unchecked Sendable {
        weak var store: SQLiteStore?
    }

    private static let list = Mutex<[WeakStore]>([])

    static func add(_ store: SQLiteStore) {
        list.withLock { stores in
            stores.removeAll { $0.store == nil }
            stores.append(WeakStore(store: store))
        }
    }

    static func remove(_ store: SQLiteStore) {
        list.withLock { stores in stores.removeAll { $0.store == nil || $0.store === store } }
    }

    /// The open stores whose file a URL names.
    static func stores(at url: URL) -> [SQLiteStore] {
        let open = list.withLock { stores in stores.compactMap(\.store) }
        return open.filter { $0.url?.namesSameStore(as: url) == true }
    }
}
