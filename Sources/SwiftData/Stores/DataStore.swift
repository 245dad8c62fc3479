// SPDX-License-Identifier: Apache-2.0

/// A custom store: it fetches and saves the values of models, as snapshots.
///
/// A container makes the store by its configuration:
///
/// ```swift
/// let container = try ModelContainer(
///     for: Schema([Recipe.self]), configurations: [JSONStoreConfiguration(name: "recipes", url: url)])
/// ```
///
/// The container calls the store on the threads that use its contexts, one call at a time.
public protocol DataStore: AnyObject {
    /// The type of the configuration, which names this type as its store.
    associatedtype Configuration: DataStoreConfiguration where Self == Configuration.Store
    /// The values of a model, as the store keeps them.
    associatedtype Snapshot: DataStoreSnapshot

    /// The configuration of the store.
    var configuration: Configuration { get }
    /// The models of the store.
    var schema: Schema { get }
    /// The identifier of the store. It is the same whenever the store is opened, and no other store has it.
    var identifier: String { get }

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - configuration: the configuration, with a schema.
    ///   - migrationPlan: how stores of older schemas are migrated; nil for none.
    /// - Throws: the reason why the store can't be opened.
    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

    /// Fetches the values of models.
    ///
    /// - Parameter request: which models, in which order, and for which context.
    /// - Returns: the snapshots of the models, in order.
    /// - Throws: `DataStoreError.preferInMemoryFilter` to be asked for all models of the class, without the predicate;
    ///   `DataStoreError.preferInMemorySort` to be asked without an order. The context's fetch throws any other error.
    func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, Snapshot>
    where T: PersistentModel

    /// The number of models that a fetch would find.
    ///
    /// - Parameter request: which models.
    /// - Throws: as ``fetch(_:)``.
    func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel

    /// The identifiers of the models that a fetch would find.
    ///
    /// - Parameter request: which models, in which order.
    /// - Throws: as ``fetch(_:)``.
    func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel

    /// Writes the changes of a context, all or none.
    ///
    /// - Parameter request: the changes. The identifiers of inserted models are temporary.
    /// - Returns: the identifiers that the store has given to the inserted models.
    /// - Throws: an error that the save of the context throws.
    func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>

    /// Called when a context is made.
    func initializeState(for editingState: EditingState)

    /// Called when a context is released.
    func invalidateState(for editingState: EditingState)

    /// The snapshots of models that the store has at hand.
    ///
    /// - Parameters:
    ///   - persistentIdentifiers: the identifiers of the models.
    ///   - editingState: the context that asks.
    /// - Returns: the snapshots. The container fetches the missing ones.
    /// - Throws: an error if the store can't be read.
    func cachedSnapshots(for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState) throws
        -> [PersistentIdentifier: Snapshot]

    /// Deletes everything that the store has.
    ///
    /// - Throws: `DataStoreError.unsupportedFeature` without an implementation.
    func erase() throws
}

extension DataStore {
    /// The number of the snapshots of a fetch.
    public func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        try fetch(request).fetchedSnapshots.count
    }

    /// The identifiers of the snapshots of a fetch.
    public func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel { try fetch(request).fetchedSnapshots.map(\.persistentIdentifier) }

    /// Does nothing.
    public func initializeState(for editingState: EditingState) {}

    /// Does nothing.
    public func invalidateState(for editingState: EditingState) {}

    /// No snapshots.
    public func cachedSnapshots(for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState) throws
        -> [PersistentIdentifier: Snapshot]
    { [:] }

    /// Throws `DataStoreError.unsupportedFeature`.
    public func erase() throws { throw DataStoreError.unsupportedFeature }
}

/// A store that deletes many models in one step.
public protocol DataStoreBatching: DataStore {
    /// Deletes all models that fulfil a condition, at once.
    ///
    /// `ModelContext.delete(model:where:includeSubclasses:)` calls it for a context without changes.
    ///
    /// - Parameter request: which models.
    /// - Throws: `DataStoreError.unsupportedFeature` for a condition that the store can't evaluate: then the context
    ///   fetches and deletes the models. The context's method throws any other error.
    func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel
}

/// The reasons why a store doesn't answer a request: it can't, or it leaves the work to the container.
public enum DataStoreError: Error, Hashable {
    /// Neither the store nor the container can evaluate the predicate.
    case invalidPredicate
    /// The store leaves the predicate of a fetch to the container, which asks for all models of the class.
    case preferInMemoryFilter
    /// The store leaves the order of a fetch to the container, which asks for models without an order.
    case preferInMemorySort
    /// The store doesn't support the request.
    case unsupportedFeature
}
