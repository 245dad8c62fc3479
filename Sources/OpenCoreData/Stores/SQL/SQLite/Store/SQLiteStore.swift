/// The store of type `NSSQLiteStoreType`: a SQLite file in Apple's format.
///
/// One connection, used under one lock. Its rows are listed in a row cache that all contexts of the coordinator share.
final class SQLiteStore: NSPersistentStore, SQLiteSource, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    /// Nil before the store was opened and after it was removed. Guarded by `lock`.
    private var opened: OpenStore?
    let rowCache = RowCache()

    /// What is there while the store is open.
    final class OpenStore {
        let file: SQLiteStoreFile
        let connection: SQLiteConnection
        let schema: SQLSchema
        let layouts: ModelLayout
        let mapping: LayoutMapping
        let externalValues: ExternalValueReader
        let generations: SQLiteGenerations
        /// Whether the file can be read as it was while others write to it; nil until somebody asks.
        var allowsGenerationsStorage: Bool?
        var metadataChanged = false
        /// How rows of an entity are read, by layout number.
        var readers: [UInt32: RowReader] = [:]
        var writers: [UInt32: RowWriter] = [:]
        let translator: SQLQueryTranslator
        let statements: SQLKeyedStatements
        var rowStatements: [UInt32: SQLKeyedStatement] = [:]
        var contentStatements: [ContentKey: SQLKeyedStatement] = [:]
        /// Those for many keys at once.
        var rowsStatements: [UInt32: SQLKeyedStatement] = [:]
        var contentsStatements: [ContentKey: SQLKeyedStatement] = [:]

        struct ContentKey: Hashable {
            let layout: UInt32
            let property: Int
        }

        init(file: SQLiteStoreFile, layouts: ModelLayout, identity: StoreIdentity, generations: SQLiteGenerations) {
            self.file = file
            self.generations = generations
            connection = file.connection
            schema = file.schema
            externalValues = ExternalValueReader(file.externalData)
            self.layouts = layouts
            mapping = LayoutMapping(schema: file.schema, layouts: layouts)
            let dialect = SQLiteDialect()
            statements = SQLKeyedStatements(dialect: dialect)
            translator = SQLQueryTranslator(schema: file.schema, dialect: dialect) { constant in
                guard let id = constant as? NSManagedObjectID else { return nil }
                let isHere =
                    !id.isTemporaryID && (id.storeIdentity === identity || id.storeIdentity?.uuid == identity.uuid)
                return SQLObjectReference(entityName: id.layout.name, key: isHere ? id.key : nil)
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
        identifier = file.identifier
        super.metadata = file.metadata
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        let generations = lock.withLock {
            defer { opened = nil }
            return opened?.generations
        }
        generations?.closeAll()
        rowCache.removeAll()
    }

    /// Runs a block with the open file, alone.
    func withOpen<Result>(_ body: (OpenStore) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let opened else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The store \(url?.path ?? "") was removed from its coordinator. Add it again.",
                    NSFilePathErrorKey: url?.path ?? "",
                ])
        }
        return try body(opened)
    }

    static func fileOptions(_ options: [AnyHashable: Any]?) -> SQLiteStoreOptions {
        var result = SQLiteStoreOptions()
        guard let options else { return result }
        result.isReadOnly = (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        if let timeout = options[NSPersistentStoreTimeoutOption] as? NSNumber { result.timeout = timeout.doubleValue }
        if let pragmas = options[NSSQLitePragmasOption] as? [String: Any] {
            result.pragmas = pragmas.mapValues { "\($0)" }
        }
        return result
    }
}

// MARK: - Closed files

extension SQLiteStore {
    static func metadata(at url: URL) throws -> [String: Any] { try SQLiteStoreFile.metadata(at: url.path) }

    static func setMetadata(_ metadata: [String: Any], at url: URL) throws {
        try SQLiteStoreFile.setMetadata(metadata, at: url.path)
    }

    static func cachedModel(at url: URL) throws -> NSManagedObjectModel {
        if let model = try SQLiteStoreFile.cachedModel(at: url.path) { return model }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The store \(url.path) carries no model (it has no Z_MODELCACHE). Give its model.",
                NSFilePathErrorKey: url.path,
            ])
    }

    static func destroy(at url: URL) throws { try SQLiteStoreFile.remove(at: url.path) }
}
