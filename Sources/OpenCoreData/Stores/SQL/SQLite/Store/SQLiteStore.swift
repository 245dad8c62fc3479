import Dispatch
import Synchronization

/// The store of type `NSSQLiteStoreType`: a SQLite file in Apple's format.
///
/// The store has one connection that writes, and one lock that guards it. A thread that finds the connection in use
/// reads on a connection of the reader pool. All contexts of the coordinator share the row cache.
final class SQLiteStore: NSPersistentStore, SQLiteSource, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    /// Nil before the store was opened, and after it was closed. Guarded by `lock`.
    @exclusivity(unchecked) private var opened: OpenStore?
    /// Why the store is closed. Guarded by `lock`.
    private var closing = Closing.removed
    /// Whether the end of the reused transaction is scheduled. Guarded by `lock`.
    @exclusivity(unchecked) private var endsIdleTransaction = false
    /// How long a reused transaction remains open without requests.
    private static let idleTime = DispatchTimeInterval.milliseconds(20)
    let readers = SQLiteReaderPool()
    let rowCache = RowCache()

    /// Why a store has no open file.
    enum Closing {
        /// The store was removed from its coordinator.
        case removed
        /// The file was emptied, or replaced by another store, through a coordinator of this process.
        case destroyed, replaced
        /// The file is no longer the one that was opened.
        case lost(SQLiteFileIdentity.Change)
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
        OpenSQLiteStores.add(self)
    }

    /// Opens a file, and closes the one that was open.
    private func open(
        _ url: URL, for coordinator: NSPersistentStoreCoordinator, sourceModel: SQLiteStoreFile.SourceModel? = nil
    ) throws {
        let file = try SQLiteStoreFile.open(
            at: url.path, model: coordinator.managedObjectModel,
            configuration: restrictingConfigurationName,
            options: SQLiteStore.fileOptions(options), sourceModel: sourceModel)
        let open = OpenStore(
            file: file, layouts: coordinator.layouts, identity: identity,
            generations: SQLiteGenerations(file.externalData))
        let allowsReaders = try open.allowsGenerations()
        if allowsReaders {
            open.reusedTransaction = SQLiteReusedTransaction(open.connection, open.fileIdentity)
        }
        close(.removed)
        lock.withLock { opened = open }
        readers.open(
            SQLiteReaderPool.Source(
                file: file, options: SQLiteStore.fileOptions(options), layouts: coordinator.layouts,
                identity: identity, generations: open.generations),
            allowsReaders: allowsReaders)
        identifier = file.identifier
        super.metadata = file.metadata
        if file.isReadOnly && !isReadOnly {
            becomeReadOnlyWithoutHistoryTracking(file.path)
        }
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        OpenSQLiteStores.remove(self)
        close(.removed)
    }

    /// Closes the file, for instance because the database is going to be emptied.
    func close(_ reason: Closing) {
        readers.close()
        let generations = lock.withLock {
            opened?.reusedTransaction?.end()
            defer {
                opened = nil
                closing = reason
            }
            return opened?.generations
        }
        generations?.closeAll()
        rowCache.removeAll()
    }

    // MARK: Access

    /// Runs a block with the open file and the store's own connection, under the lock.
    func withOpen<Result>(_ body: (OpenStore) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let opened else { throw closedError }
        opened.reusedTransaction?.end()
        do {
            return try opened.fileIdentity.checking { try body(opened) }
        } catch let change as SQLiteFileIdentity.Change {
            close(.lost(change))
            throw closedError
        }
    }

    /// Runs a block that reads: with the store's own connection if no other thread uses it, otherwise with a connection
    /// of the pool.
    func read<Result>(_ body: (OpenStore) throws -> Result) throws -> Result {
        if lock.try() {
            defer { lock.unlock() }
            return try withOpen(body)
        }
        guard let reader = readers.acquire() else { return try withOpen(body) }
        defer { readers.release(reader) }
        do {
            reader.rowCacheGeneration = rowCache.generation.current
            return try reader.fileIdentity.checking { try reader.connection.withReadTransaction { try body(reader) } }
        } catch {
            if (error as NSError).code == SQLiteErrors.userCancelled { throw error }
            // For instance a file of external data that a save has removed since the transaction began. The store's own
            // connection reads the newest rows, or throws the error.
            return try withOpen(body)
        }
    }

    /// Runs a short request. Consecutive ones on the store's own connection share a transaction, which ends when no
    /// request has come for some time.
    func readByKey<Result>(_ body: (OpenStore) throws -> Result) throws -> Result {
        guard lock.try() else { return try read(body) }
        defer { lock.unlock() }
        guard let opened, let transaction = opened.reusedTransaction else { return try withOpen(body) }
        do {
            let result = try transaction.run { try body(opened) }
            if transaction.isOpen && !endsIdleTransaction { endIdleTransactionLater() }
            return result
        } catch let change as SQLiteFileIdentity.Change {
            close(.lost(change))
            throw closedError
        }
    }

    private func endIdleTransactionLater() {
        endsIdleTransaction = true
        scheduleEndOfIdleTransaction()
    }

    private func scheduleEndOfIdleTransaction() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.idleTime) { [identity] in
            (identity.store as? SQLiteStore)?.endIdleTransaction()
        }
    }

    private func endIdleTransaction() {
        // A request is running: it isn't kept waiting, and the transaction is no idle one.
        guard lock.try() else { return scheduleEndOfIdleTransaction() }
        defer { lock.unlock() }
        endsIdleTransaction = false
        guard let transaction = opened?.reusedTransaction, transaction.isOpen else { return }
        if transaction.isIdle { transaction.end() } else { endIdleTransactionLater() }
    }

    /// The error of a request to a closed store.
    private var closedError: NSError {
        let path = url?.path ?? ""
        let text: ClosedStoreText =
            switch closing {
            case .removed: .removed
            case .destroyed: .destroyed
            case .replaced: .replaced
            case .lost(let change): .again(change.reason, "to use what the URL names now")
            }
        return text.error(of: path, userInfo: [NSFilePathErrorKey: path])
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

extension SQLiteStore: InPlaceMigratingStore {
    static func files(at url: URL) -> [String] { isInMemory(at: url) ? [] : SQLiteStoreCopy.files(of: url.path) }

    static var accessOptionKeys: [String] { [NSPersistentStoreTimeoutOption, NSSQLiteEncryptionKeyOption] }

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
        guard try destroyer.check() else { return try destroyer.createEmptyFile() }
        for store in OpenSQLiteStores.stores(at: url) { store.close(.destroyed) }
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
        for store in OpenSQLiteStores.stores(at: destination) { store.close(.replaced) }
        try copy(destination, options, source, sourceOptions).run()
    }

    static func replacingCopiesObjects(
        at destination: URL, options: [AnyHashable: Any]?, from source: URL, sourceOptions: [AnyHashable: Any]?
    ) -> Bool {
        func key(_ options: [AnyHashable: Any]?) -> AnyHashable? {
            options?[NSSQLiteEncryptionKeyOption] as? AnyHashable
        }
        return !isInMemory(at: source) && !isInMemory(at: destination) && key(sourceOptions) == key(options)
    }

    private static func copy(
        _ destination: URL, _ options: [AnyHashable: Any]?, _ source: URL, _ sourceOptions: [AnyHashable: Any]?
    ) -> SQLiteStoreCopy {
        SQLiteStoreCopy(
            from: source, options: fileOptions(sourceOptions), to: destination, options: fileOptions(options))
    }
}

/// The SQLite stores that the coordinators of the process have open. The mutex guards the list; stores are not kept
/// alive.
enum OpenSQLiteStores {
    private struct OpenStore {
        let identity: StoreIdentity
        var store: SQLiteStore? { identity.store as? SQLiteStore }
    }

    private static let list = Mutex<[OpenStore]>([])

    static func add(_ store: SQLiteStore) {
        list.withLock { stores in
            stores.removeAll { $0.store == nil }
            stores.append(OpenStore(identity: store.identity))
        }
    }

    static func remove(_ store: SQLiteStore) {
        list.withLock { stores in stores.removeAll { $0.store == nil || $0.identity === store.identity } }
    }

    /// The open stores whose file a URL names.
    static func stores(at url: URL) -> [SQLiteStore] {
        let open = list.withLock { stores in stores.compactMap(\.store) }
        return open.filter { $0.url?.namesSameStore(as: url) == true }
    }
}
