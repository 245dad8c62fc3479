import SwiftData

/// A store that passes everything to a ``DefaultStore``, and counts what contexts do.
public struct AuditedConfiguration: DataStoreConfiguration {
    public typealias Store = AuditedStore

    public var file: ModelConfiguration
    public let audit: Audit

    public var name: String { file.name }
    public var schema: Schema? {
        get { file.schema }
        set { file.schema = newValue }
    }

    public init(_ file: ModelConfiguration, audit: Audit = Audit()) {
        self.file = file
        self.audit = audit
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.file == rhs.file && lhs.audit === rhs.audit }

    public func hash(into hasher: inout Hasher) { hasher.combine(file) }
}

/// Counts the work of contexts with a store. Used by the calls of a container, one at a time.
public final class Audit {
    public internal(set) var fetches = 0
    public internal(set) var inserts = 0
    public internal(set) var updates = 0
    public internal(set) var deletions = 0

    public init() {}
}

public final class AuditedStore: DataStore, DataStoreBatching, HistoryProviding {
    public typealias Configuration = AuditedConfiguration
    public typealias Snapshot = DefaultSnapshot
    public typealias HistoryType = DefaultHistoryTransaction

    public let configuration: AuditedConfiguration
    private let store: DefaultStore
    private var audit: Audit { configuration.audit }

    public var schema: Schema { store.schema }
    public var identifier: String { store.identifier }

    public init(_ configuration: AuditedConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        store = try DefaultStore(configuration.file, migrationPlan: migrationPlan)
    }

    public func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, DefaultSnapshot>
    where T: PersistentModel {
        audit.fetches += 1
        return try store.fetch(request)
    }

    public func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        try store.fetchCount(request)
    }

    public func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel { try store.fetchIdentifiers(request) }

    public func cachedSnapshots(for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState) throws
        -> [PersistentIdentifier: DefaultSnapshot]
    { try store.cachedSnapshots(for: persistentIdentifiers, editingState: editingState) }

    public func save(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws
        -> DataStoreSaveChangesResult<DefaultSnapshot>
    {
        let result = try store.save(request)
        audit.inserts += request.inserted.count
        audit.updates += request.updated.count
        audit.deletions += request.deleted.count
        return result
    }

    public func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel {
        try store.delete(request)
    }

    public func erase() throws { try store.erase() }

    // MARK: History

    public func fetchHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws
        -> [DefaultHistoryTransaction]
    { try store.fetchHistory(descriptor) }

    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        try store.deleteHistory(descriptor)
    }
}
