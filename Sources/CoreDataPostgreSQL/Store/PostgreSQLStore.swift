// SPDX-License-Identifier: Apache-2.0

/// The type of stores in a PostgreSQL database.
///
/// **Extension.** The first use registers the type with all coordinators of the process.
///
/// ```swift
/// let url = URL(string: "postgresql://app@db.example.org/shop?schema=shop")!
/// let description = NSPersistentStoreDescription(url: url)
/// description.type = NSPostgreSQLStoreType
/// ```
public let NSPostgreSQLStoreType: String = {
    StoreTypeRegistry.register(
        RegisteredStoreType(storeClass: PostgreSQLStore.self, locations: .anyURL), forType: PostgreSQLStore.storeType)
    return PostgreSQLStore.storeType
}()

extension NSPersistentStore.StoreType {
    /// The type of stores in a PostgreSQL database.
    ///
    /// **Extension.** See ``NSPostgreSQLStoreType``.
    public static var postgreSQL: NSPersistentStore.StoreType { .init(rawValue: NSPostgreSQLStoreType) }
}

/// A store in one schema of a PostgreSQL database, which many processes on many machines may use at the same time.
///
/// Every request takes a connection of the pool, so that requests of several threads run at the same time. All contexts
/// of the coordinator share the row cache.
final class PostgreSQLStore: NSPersistentStore, PostgreSQLSource, @unchecked Sendable {
    static let storeType = "PostgreSQL"

    /// The parts of a store while it is open.
    final class OpenStore: Sendable {
        let location: PostgreSQLLocation
        let pool: PostgreSQLConnectionPool<PostgreSQLSession>
        let schema: SQLSchema
        let layouts: ModelLayout
        let keys = PostgreSQLKeyReserve()
        let limits = Locked(PostgreSQLLimits())
        /// Nil for a store without a history.
        let history: PostgreSQLHistoryTables?
        let notifier: PostgreSQLNotifier
        /// Where to listen: behind a pooler that passes no notices on, the server itself. Nil if that is unknown.
        let listenerLocation: PostgreSQLLocation?
        let generations: PostgreSQLGenerations
        /// Where fetches read; nil for a store without replicas.
        let replicas: PostgreSQLReplicaSource?
        /// The number of the model among the models that the store accepts; nil if its version hashes were ignored.
        let modelNumber: Int?
        /// See ``PostgreSQLSession/modelTableOID(_:_:)``.
        let modelTableOID: Int64?

        init(
            location: PostgreSQLLocation, pool: PostgreSQLConnectionPool<PostgreSQLSession>, schema: SQLSchema,
            layouts: ModelLayout, history: PostgreSQLHistoryTables?, notifier: PostgreSQLNotifier,
            listenerLocation: PostgreSQLLocation?, replicas: PostgreSQLReplicaSource?, modelNumber: Int?,
            modelTableOID: Int64?
        ) {
            self.location = location
            self.pool = pool
            self.schema = schema
            self.layouts = layouts
            self.history = history
            self.notifier = notifier
            self.listenerLocation = listenerLocation
            self.replicas = replicas
            self.modelNumber = modelNumber
            self.modelTableOID = modelTableOID
            generations = PostgreSQLGenerations(limit: max(1, location.poolSize / 3))
        }
    }

    /// Why a store has no connections.
    enum Closing {
        /// The store was removed from its coordinator.
        case removed
        /// The store was destroyed, or replaced by another one.
        case destroyed, replaced
        /// Another process has migrated the store to a model that this one doesn't know.
        case migrated
    }

    private struct State {
        var open: OpenStore?
        var closing = Closing.removed
        /// How many times the metadata was set, and how many of these changes are in the database.
        var metadataChanges = 0
        var writtenMetadata = 0
        var noticeCount: Int64 = 0
        var madeIdentifier: String?
        var isCopy = false
    }

    let rowCache = RowCache()
    let statistics = ConnectionStatistics()
    let faultMonitor = PostgreSQLFaultMonitor()
    private let state = Locked(State())

    override var type: String { Self.storeType }

    /// The URL without a password.
    var publicURL: URL {
        state.withLock { $0.open?.location.publicURL } ?? url?.withoutSecrets ?? URL(fileURLWithPath: "/")
    }

    override var metadata: [String: Any]! {
        get { super.metadata }
        set {
            state.withLock { state in
                super.metadata = newValue
                if state.open != nil { state.metadataChanges += 1 }
            }
        }
    }

    var hasMetadataChanges: Bool { state.withLock { $0.metadataChanges > $0.writtenMetadata } }

    /// How many times the metadata was set. Read it before the metadata: metadata that is set in between is then
    /// written by the next save.
    var metadataChangeCount: Int { state.withLock { $0.metadataChanges } }

    var madeIdentifier: String? { state.withLock { $0.madeIdentifier } }

    func willCopy() { state.withLock { $0.isCopy = true } }

    /// The number of notices of commits that the store has got.
    var noticeCount: Int64 { state.withLock { $0.noticeCount } }

    func didReceiveNotice() {
        // A fetch after the notice must find the changes that the notice announces.
        if let open = try? requireOpen(), let replicas = open.replicas?.replicas {
            do {
                try withSession(open) { replicas.requirePresent($0) }
            } catch {
                replicas.requireServer()
            }
        }
        state.withLock { $0.noticeCount += 1 }
    }

    var fetchSource: any SnapshotSource { state.withLock { $0.open?.replicas } ?? self }

    /// Notes that the database has the metadata.
    ///
    /// - Parameter count: how many times it had been set before it was read. Another thread may have set it since.
    func didWriteMetadata(through count: Int) {
        state.withLock { $0.writtenMetadata = max($0.writtenMetadata, count) }
    }

    /// Removes a value of the metadata that the database has no longer.
    func forgetMetadata(_ key: String) {
        state.withLock { _ in
            var values = super.metadata ?? [:]
            values[key] = nil
            super.metadata = values
        }
    }

    /// The options without passwords.
    override var options: [AnyHashable: Any]? {
        guard var options = super.options else { return nil }
        let key = NSPostgreSQLListenerURLOption
        if let url = options[key] as? URL { options[key] = url.withoutSecrets }
        if let text = options[key] as? String { options[key] = URL(string: text)?.withoutSecrets.absoluteString }
        return options
    }

    override func loadMetadata() throws {
        guard let coordinator = persistentStoreCoordinator, let url else { return }
        try open(url, for: coordinator)
        Self.openStores.add(self)
    }

    /// Opens the store at a URL. A store that was open is closed first.
    func open(_ url: URL, for coordinator: NSPersistentStoreCoordinator) throws {
        let options = super.options
        let location = try PostgreSQLLocation(url: url, options: options)
        let opener = PostgreSQLStoreOpener(
            location: location, model: coordinator.managedObjectModel,
            configuration: restrictingConfigurationName,
            options: options, isCopy: state.withLock { $0.isCopy })
        state.withLock { $0.madeIdentifier = opener.newIdentifier }
        let opened = try PostgreSQLStoreErrors.converting(
            location.publicURL, location.isReadOnly ? .openingForReading : .opening
        ) { try PostgreSQLRepetition.run { try opener.open() } }
        if opened.metadata.identifier != opener.newIdentifier { state.withLock { $0.madeIdentifier = nil } }
        let (schema, history, cluster) = (opened.schema, opened.history, opened.cluster)
        let historyPositions = opened.catalog.positions
        let listenerLocation = try self.listenerLocation(location)
        let layouts = coordinator.layouts
        let identity = identity
        let statistics = statistics
        func makePool(_ location: PostgreSQLLocation) -> PostgreSQLConnectionPool<PostgreSQLSession> {
            PostgreSQLConnectionPool(location, statistics: statistics) { connection in
                connection.statistics = statistics
                try connection.use(cluster)
                return PostgreSQLSession(
                    connection, schema: schema, layouts: layouts, identity: identity, location: location,
                    historyPositions: historyPositions)
            }
        }
        let replicas =
            location.replicas.isEmpty
            ? nil
            : PostgreSQLReplicaSource(
                self, PostgreSQLReplicas(location.replicas.map(makePool), position: opened.position),
                url: location.publicURL)
        let pool = makePool(location)
        close(.removed)
        // The password stays in the location: errors, logs and the program see the URL without it.
        self.url = location.publicURL
        identifier = opened.metadata.identifier
        super.metadata = opened.metadata.dictionary
        state.withLock {
            $0.open = OpenStore(
                location: location, pool: pool, schema: schema, layouts: layouts, history: history,
                notifier: PostgreSQLNotifier(
                    pool, schema: location.schema,
                    isNeeded: history != nil || opener.isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey)),
                listenerLocation: listenerLocation, replicas: replicas, modelNumber: opened.modelNumber,
                modelTableOID: opened.modelTableOID)
            $0.writtenMetadata = $0.metadataChanges
        }
        if history != nil, !isReadOnly, !opener.tracksHistory {
            becomeReadOnlyWithoutHistoryTracking(location.publicURL.absoluteString)
        }
    }

    private func listenerLocation(_ location: PostgreSQLLocation) throws -> PostgreSQLLocation? {
        let options = super.options
        return switch options?[NSPostgreSQLListenerURLOption] {
        case let url as URL: try PostgreSQLLocation(url: url, options: options)
        case let text as String:
            try URL(string: text).map { try PostgreSQLLocation(url: $0, options: options) }
        default: location.usesNamedStatements ? location : nil
        }
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        Self.openStores.remove(self)
        close(.removed)
    }

    /// Closes the connections, for instance because the store is going to be destroyed. Requests throw from now on.
    func close(_ reason: Closing) {
        let open = state.withLock { state in
            defer {
                state.open = nil
                state.closing = reason
            }
            return state.open
        }
        open?.notifier.finish()
        open?.generations.closeAll()
        open?.replicas?.replicas.close()
        open?.pool.close()
        rowCache.removeAll()
    }

    // MARK: Access

    /// - Throws: `NSPersistentStoreOperationError` (134070) for a store that was removed from its coordinator,
    ///   destroyed or replaced, `NSPersistentStoreIncompatibleVersionHashError` (134100) for a store that was migrated.
    func requireOpen() throws -> OpenStore {
        let (open, closing) = state.withLock { ($0.open, $0.closing) }
        if let open { return open }
        throw closedError(closing)
    }

    private func closedError(_ closing: Closing) -> NSError {
        let text: ClosedStoreText =
            switch closing {
            case .removed: .removed
            case .destroyed: .destroyed
            case .replaced: .replaced
            case .migrated:
                .again(
                    "Another process has migrated it to a version of the model with which this one can\u{2019}t go on.",
                    "with the newest version of the model")
            }
        return text.error(
            closing == .migrated ? NSPersistentStoreIncompatibleVersionHashError : NSPersistentStoreOperationError,
            of: publicURL.absoluteString, userInfo: [NSURLErrorKey: publicURL])
    }

    /// Runs a block that reads with a connection of the pool. A connection that was lost is replaced once.
    func read<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        let open = try requireOpen()
        return try PostgreSQLStoreErrors.converting(open.location.publicURL, .reading) {
            do {
                return try withSession(open, body)
            } catch let failure as PostgreSQLFailure where failure.isConnectionLost {
                open.pool.closeIdleConnections()
                return try withSession(open, body)
            } catch let failure as PostgreSQLFailure where failure.concernsTables {
                try checkModel()
                throw failure
            }
        }
    }

    /// Checks that no other process has migrated the store to a model that this process doesn't know, destroyed the
    /// store, or made another store in its schema. If one has, the store is closed.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100), and `NSPersistentStoreOperationError`
    ///   (134070).
    func checkModel() throws {
        let open = try requireOpen()
        guard let refusal = try withSession(open, { try $0.refusal(of: open) }) else { return }
        close(refusal)
        throw closedError(refusal)
    }

    /// Closes the store, which no longer accepts this program's saves, and makes the error that says why.
    func refusalError() -> NSError {
        do {
            try checkModel()
            // Only another process that has put the store back can have made it accept saves again.
            close(.replaced)
            return closedError(.replaced)
        } catch {
            return error as NSError
        }
    }

    /// Runs a block with a connection of the pool. Its statements end when the current task is cancelled.
    func withSession<Result>(_ open: OpenStore, _ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        try open.pool.withConnection { session in
            try session.connection.cancellable(FetchControl.current) { try body(session) }
        }
    }

    var savesSideBySide: Bool { true }

    var connectionLimit: Int? { state.withLock { $0.open?.location.poolSize } }
}
