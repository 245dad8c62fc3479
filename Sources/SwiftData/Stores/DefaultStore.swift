// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The store of a ``ModelConfiguration``: a SQLite file, a database in memory, or a schema on a PostgreSQL server.
///
/// A container uses such a store without snapshots. A program makes one to read and write snapshots itself, for example
/// in a custom store that adds something to this store. May be used on any thread.
public final class DefaultStore: DataStore, DataStoreBatching, @unchecked Sendable {
    // Sendable: all members are constant, and each call makes a context.
    /// The type of the configuration.
    public typealias Configuration = ModelConfiguration
    /// The type of the snapshots.
    public typealias Snapshot = DefaultSnapshot
    /// The type of history tokens.
    public typealias TokenType = DefaultHistoryToken

    /// The configuration of the store.
    public let configuration: ModelConfiguration
    /// The models of the store.
    public let schema: Schema
    /// The name of the configuration.
    public let name: String
    private let container: ModelContainer

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - configuration: the configuration, with a schema.
    ///   - migrationPlan: how stores of older schemas are migrated; nil for lightweight migrations alone.
    /// - Throws: `SwiftDataError.unknownSchema` for a configuration without a schema, and the errors of a container.
    public convenience init(_ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil)
        throws
    {
        guard let schema = configuration.schema else {
            throw SwiftDataError(
                .unknownSchema, "The configuration '\(configuration.name)' of a DefaultStore has no schema.")
        }
        try self.init(
            configuration, schema,
            ModelContainer(for: schema, migrationPlan: migrationPlan, configurations: [configuration]))
    }

    private init(_ configuration: ModelConfiguration, _ schema: Schema, _ container: ModelContainer) {
        self.configuration = configuration
        self.schema = schema
        self.container = container
        name = configuration.name
    }

    /// The identifier of the store.
    public var identifier: String { container.storeIdentifier(forConfigurationNamed: name) ?? "" }

    private func context(_ state: EditingState? = nil) -> ModelContext {
        let context = ModelContext(container)
        context.author = state?.author
        return context
    }

    // MARK: Fetching

    /// Fetches the values of models. The related snapshots contain the destinations of the relationships to prefetch.
    public func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Snapshot>
    where T: PersistentModel {
        let context = context(request.editingState)
        let objects = try context.fetch(request.descriptor).map(\.storage.object)
        var related: [PersistentIdentifier: Snapshot] = [:]
        for keyPath in request.descriptor.relationshipKeyPathsForPrefetching {
            guard let name = ModelKeyPaths.name(of: keyPath) else { continue }
            for object in objects {
                for other in object.related(by: name) {
                    related[PersistentIdentifier(other.objectID)] = DefaultSnapshot(other)
                }
            }
        }
        return DataStoreFetchResult(
            descriptor: request.descriptor, fetchedSnapshots: objects.map { DefaultSnapshot($0) },
            relatedSnapshots: related)
    }

    /// The number of models that a fetch would find.
    public func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        try context(request.editingState).fetchCount(request.descriptor)
    }

    /// The identifiers of the models that a fetch would find.
    public func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel { try context(request.editingState).fetchIdentifiers(request.descriptor) }

    /// The snapshots of models. Rows that contexts have read come from the row cache.
    public func cachedSnapshots(for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState) throws
        -> [PersistentIdentifier: Snapshot]
    {
        let context = context(editingState)
        var found: [PersistentIdentifier: Snapshot] = [:]
        for identifier in persistentIdentifiers {
            found[identifier] = context.existingObject(for: identifier).map { DefaultSnapshot($0) }
        }
        return found
    }

    // MARK: Saving

    /// Writes changes, all or none.
    ///
    /// - Throws: `SwiftDataError.modelValidationFailure` for a snapshot of a model that the store doesn't have, or with
    ///   a value of another type than the property has; the errors of a context's save.
    public func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws
        -> DataStoreSaveChangesResult<Snapshot>
    {
        let context = context(request.editingState)
        var writer = SnapshotWriter(context)
        for snapshot in request.inserted { try writer.insert(snapshot) }
        for snapshot in request.updated + request.inserted { try writer.update(snapshot) }
        for snapshot in request.deleted { try writer.delete(snapshot) }
        try context.save()
        let token = ContainerHistory.newestToken(of: container.core.coordinator)
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: writer.inserted.mapValues { PersistentIdentifier($0.objectID) },
            historyToken: token)
    }

    /// Deletes all models that fulfil a condition, and the models that delete rules reach.
    public func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel {
        let context = context(request.editingState)
        try context.delete(
            model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
        try context.save()
    }

    // MARK: States

    /// Does nothing: the store keeps nothing for a context.
    public func initializeState(for editingState: EditingState) {}

    /// Does nothing: the store keeps nothing for a context.
    public func invalidateState(for editingState: EditingState) {}

    /// Deletes the files of the store, which can't be used afterwards.
    public func erase() throws { try container.erase() }
}

extension DefaultStore: HistoryProviding {
    /// The type of the store's transactions.
    public typealias HistoryType = DefaultHistoryTransaction

    /// The type of the store's transactions.
    public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

    /// Fetches transactions.
    ///
    /// - Parameter descriptor: which transactions, in which order.
    /// - Returns: the transactions.
    /// - Throws: as `ModelContext.fetchHistory(_:)`.
    public func fetchHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws
        -> [DefaultHistoryTransaction]
    { try context().fetchHistory(descriptor) }

    /// Deletes transactions.
    ///
    /// - Parameter descriptor: which transactions.
    /// - Throws: as `ModelContext.fetchHistory(_:)`.
    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        try context().deleteHistory(descriptor)
    }
}

extension ModelObject {
    /// The objects of a relationship.
    func related(by name: String) -> [ModelObject] {
        guard let slot = layout.slot(named: name), slot.isRelationship else { return [] }
        let all = slot.kind == .toOne ? [relatedObject(slot)].compactMap { $0 } : relatedObjects(slot)
        return all.compactMap { $0 as? ModelObject }
    }
}
