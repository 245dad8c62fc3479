import SwiftData

/// A store in memory with a history.
public struct MemoryConfiguration: DataStoreConfiguration {
    public typealias Store = MemoryStore

    public var name: String
    public var schema: Schema?
    /// The classes of the models, which the history names.
    public let models: [any PersistentModel.Type]
    /// The contents, which outlive a container.
    public let contents: MemoryContents

    public init(name: String, models: [any PersistentModel.Type], contents: MemoryContents = MemoryContents()) {
        self.name = name
        self.models = models
        self.contents = contents
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name && lhs.contents === rhs.contents }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The snapshots and the history of a ``MemoryStore``. Used by the calls of a container, one at a time.
public final class MemoryContents {
    var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
    var history: [MemoryTransaction] = []
    /// The number of the last model.
    var lastKey = 0

    public init() {}
}

public final class MemoryStore: DataStore, DataStoreBatching, HistoryProviding {
    public typealias Configuration = MemoryConfiguration
    public typealias Snapshot = DefaultSnapshot
    public typealias HistoryType = MemoryTransaction

    public let configuration: MemoryConfiguration
    public let schema: Schema
    public var identifier: String { configuration.name }
    private var contents: MemoryContents { configuration.contents }
    /// The contexts that use the store.
    public private(set) var states: Set<UUID> = []

    public init(_ configuration: MemoryConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        guard let schema = configuration.schema else { throw SwiftDataError.unknownSchema }
        self.configuration = configuration
        self.schema = schema
    }

    public func initializeState(for editingState: EditingState) { states.insert(editingState.id) }

    public func invalidateState(for editingState: EditingState) { states.remove(editingState.id) }

    // MARK: Fetching

    public func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, DefaultSnapshot>
    where T: PersistentModel {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let name = Schema.entityName(for: T.self)
        let all = contents.snapshots.values.filter { $0.persistentIdentifier.entityName == name }
            .sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        let rest = all.dropFirst(request.descriptor.fetchOffset ?? 0)
        let snapshots = request.descriptor.fetchLimit.map { rest.prefix($0) } ?? rest
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(snapshots))
    }

    public func cachedSnapshots(for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState) throws
        -> [PersistentIdentifier: DefaultSnapshot]
    {
        let wanted = Set(persistentIdentifiers)
        return contents.snapshots.filter { wanted.contains($0.key) }
    }

    // MARK: Saving

    public func save(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws
        -> DataStoreSaveChangesResult<DefaultSnapshot>
    {
        var given: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            contents.lastKey += 1
            given[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName,
                primaryKey: "p\(contents.lastKey)")
        }
        var changes: [HistoryChange] = []
        for snapshot in request.inserted + request.updated {
            let permanent = given[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
            contents.snapshots[permanent] = snapshot.copy(
                persistentIdentifier: permanent, remappedIdentifiers: given)
            let isNew = permanent != snapshot.persistentIdentifier
            if let change = change(of: permanent, isNew: isNew, changes.count) { changes.append(change) }
        }
        for snapshot in request.deleted { contents.snapshots[snapshot.persistentIdentifier] = nil }
        let transaction = MemoryTransaction(
            transactionIdentifier: nextTransaction, timestamp: Date(), storeIdentifier: identifier,
            author: request.editingState.author, changes: changes)
        contents.history.append(transaction)
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: given, historyToken: transaction.token)
    }

    private var nextTransaction: Int { (contents.history.last?.id ?? 0) + 1 }

    private func change(of identifier: PersistentIdentifier, isNew: Bool, _ number: Int) -> HistoryChange? {
        func change<Model: PersistentModel>(_ type: Model.Type) -> HistoryChange {
            let change = MemoryChange<Model>(
                transactionIdentifier: nextTransaction, changeIdentifier: number,
                changedPersistentIdentifier: identifier)
            return isNew ? .insert(change) : .update(change)
        }
        let type = configuration.models.first { name(of: $0) == identifier.entityName }
        return type.map { change($0) }
    }

    private func name<Model: PersistentModel>(of type: Model.Type) -> String { Schema.entityName(for: type) }

    public func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel {
        guard request.predicate == nil else { throw DataStoreError.unsupportedFeature }
        let name = Schema.entityName(for: T.self)
        contents.snapshots = contents.snapshots.filter { $0.key.entityName != name }
    }

    public func erase() throws {
        contents.snapshots = [:]
        contents.history = []
    }

    // MARK: History

    public func fetchHistory(_ descriptor: HistoryDescriptor<MemoryTransaction>) throws -> [MemoryTransaction] {
        try descriptor.selected(from: contents.history)
    }

    public func deleteHistory(_ descriptor: HistoryDescriptor<MemoryTransaction>) throws {
        let deleted = Set(try descriptor.selected(from: contents.history))
        contents.history.removeAll { deleted.contains($0) }
    }
}
