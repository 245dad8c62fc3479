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
/// Its database has the connections.
final class PostgreSQLStore: NSPersistentStore, SnapshotStore, @unchecked Sendable {
    static let storeType = "PostgreSQL"

    let database = PostgreSQLDatabase()

    private struct Making {
        var identifier: String?
        var isCopy = false
    }

    private let making = Locked(Making())

    override var type: String { Self.storeType }

    override var metadata: [String: Any]! {
        get { super.metadata }
        set {
            super.metadata = newValue
            database.setMetadata(newValue ?? [:])
        }
    }

    var hasMetadataChanges: Bool { database.hasMetadataChanges }

    var madeIdentifier: String? { making.withLock { $0.identifier } }

    func willCopy() { making.withLock { $0.isCopy = true } }

    /// Removes a value of the metadata that the database has no longer.
    func forgetMetadata(_ key: String) {
        var values = super.metadata ?? [:]
        values[key] = nil
        super.metadata = values
        database.forgetMetadata(key)
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
            options: options, isCopy: making.withLock { $0.isCopy })
        making.withLock { $0.identifier = opener.newIdentifier }
        let opened = try PostgreSQLStoreErrors.converting(
            location.publicURL, location.isReadOnly ? .openingForReading : .opening
        ) { try PostgreSQLRepetition.run { try opener.open() } }
        if opened.metadata.identifier != opener.newIdentifier { making.withLock { $0.identifier = nil } }
        let (schema, history, cluster) = (opened.schema, opened.history, opened.cluster)
        let historyPositions = opened.catalog.positions
        let listenerLocation = try location.listener(options)
        let layouts = coordinator.layouts
        let identity = identity
        let statistics = database.statistics
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
                database, identity, PostgreSQLReplicas(location.replicas.map(makePool), position: opened.position),
                url: location.publicURL)
        let pool = makePool(location)
        database.close(.removed)
        // The password stays in the location: errors, logs and the program see the URL without it.
        self.url = location.publicURL
        identifier = opened.metadata.identifier
        super.metadata = opened.metadata.dictionary
        let parts = PostgreSQLDatabase.OpenStore(
            opened, location: location, pool: pool, layouts: layouts,
            notifier: PostgreSQLNotifier(
                pool, schema: location.schema,
                isNeeded: history != nil || opener.isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey)),
            listenerLocation: listenerLocation, replicas: replicas)
        database.open(parts, identity, metadata: opened.metadata.dictionary)
        if history != nil, !isReadOnly, !opener.tracksHistory {
            becomeReadOnlyWithoutHistoryTracking(location.publicURL.absoluteString)
        }
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        Self.openStores.remove(self)
        database.close(.removed)
    }

    var savesSideBySide: Bool { true }

    var connectionLimit: Int? { (try? database.requireOpen())?.location.poolSize }
}
