// SPDX-License-Identifier: Apache-2.0

/// The base class of custom stores that read and write a part of their objects at a time: a web service, or another
/// database.
///
/// A subclass overrides `type`, ``loadMetadata()``, ``execute(_:with:)``, ``newValuesForObject(with:with:)``,
/// ``newValue(forRelationship:forObjectWith:with:)`` and ``obtainPermanentIDs(for:)``, and is registered by
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. The store decides which objects a fetch finds;
/// the framework makes faults of them and asks for their values when they are used. Values that were read are kept
/// while a context of the coordinator uses them.
///
/// ```swift
/// final class PlanetStore: NSIncrementalStore {
///     private let planets = ["Mercury", "Venus", "Earth", "Mars"]
///
///     override var type: String { "Planets" }
///
///     override func loadMetadata() throws {
///         metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: "5E0C2B4F-1C86-4AF5-8E0C-6E3E8D3B8F20"]
///     }
///
///     override func execute(
///         _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
///     ) throws -> Any {
///         guard let fetch = request as? NSFetchRequest<any NSFetchRequestResult>, let entity = fetch.entity else {
///             throw CocoaError(.fileWriteNoPermission)
///         }
///         if fetch.resultType == .countResultType { return [planets.count] }
///         let ids = planets.map { newObjectID(for: entity, referenceObject: $0) }
///         return fetch.resultType == .managedObjectIDResultType ? ids : ids.compactMap { context?.object(with: $0) }
///     }
///
///     override func newValuesForObject(
///         with objectID: NSManagedObjectID, with context: NSManagedObjectContext
///     ) throws -> NSIncrementalStoreNode {
///         NSIncrementalStoreNode(
///             objectID: objectID, withValues: ["name": referenceObject(for: objectID)], version: 1)
///     }
/// }
///
/// NSPersistentStoreCoordinator.registerStoreClass(PlanetStore.self, forStoreType: "Planets")
/// ```
///
/// The coordinator calls the store on the thread of the request, which is on the queue of the context. Contexts on
/// different queues call it at the same time: a subclass protects its state.
nonisolated open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    /// The rows that contexts use.
    package final let rowCache = RowCache()
    final let versions = IncrementalVersions()
    /// The metadata that the store has saved.
    final let savedMetadata = Locked<[String: Any]>([:])

    /// Makes a store. The coordinator calls ``loadMetadata()`` afterwards.
    ///
    /// - Parameters:
    ///   - root: the coordinator to which the store is added.
    ///   - name: the configuration whose entities the store contains; nil for the default configuration.
    ///   - url: the URL of the store.
    ///   - options: the options with which the store is added.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    // MARK: Members to override

    /// Sets `metadata`, with at least `NSStoreTypeKey` and `NSStoreUUIDKey`. A subclass must override it.
    ///
    /// The UUID must be the same each time: it is a part of the object IDs. Metadata without these keys is refused with
    /// `NSPersistentStoreOpenError` (134080).
    ///
    /// - Throws: an error that `addPersistentStore(ofType:configurationName:at:options:)` then throws.
    open override func loadMetadata() throws {
        programmingError("\(Swift.type(of: self)) loads no metadata.", remedy: "Override loadMetadata().")
    }

    /// Executes a fetch, a save or a batch request. A subclass must override it.
    ///
    /// - A fetch (`NSFetchRequest<any NSFetchRequestResult>`) returns an array, by the request's `resultType`: the
    ///   context's managed objects, from `object(with:)`; IDs; dictionaries; or one number, the count. The store
    ///   applies predicate, order, offset and limit. The framework lays the unsaved changes of the context over the
    ///   result.
    /// - A save (``NSSaveChangesRequest``) returns an empty array. The inserted objects have the IDs of
    ///   ``obtainPermanentIDs(for:)``. A request without objects saves `metadata`.
    /// - A batch request returns the result that the program expects: an array of IDs, a count, or a Boolean.
    ///
    /// If the service has newer values than a save expects, throw an error with the code `NSManagedObjectMergeError`
    /// (133020) and an array of `NSMergeConflict` under the key `conflictList`: the context's merge policy resolves the
    /// conflicts, and the context sends the save again.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - context: the context that asks; nil for a save of metadata outside of a context.
    /// - Returns: the result.
    /// - Throws: an error that the context's method then throws.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        programmingError(
            "\(Swift.type(of: self)) executes no requests.", remedy: "Override execute(_:with:).")
    }

    /// The values of an object, when a fault is fired. A subclass must override it.
    ///
    /// - Parameters:
    ///   - objectID: the ID of the object.
    ///   - context: the context that asks.
    /// - Returns: a node with the attributes, and the IDs of to-one relationships.
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) for an object that no longer exists, and other
    ///   errors if the values can't be read.
    open func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        programmingError(
            "\(Swift.type(of: self)) reads no values.", remedy: "Override newValuesForObject(with:with:).")
    }

    /// The destinations of a relationship, when they are first used. A subclass with relationships must override it.
    ///
    /// Called for each to-many relationship, and for a to-one relationship if the node has no value for it.
    ///
    /// - Parameters:
    ///   - relationship: the relationship.
    ///   - objectID: the ID of the source object.
    ///   - context: the context that asks.
    /// - Returns: for a to-one relationship an `NSManagedObjectID` or `NSNull`, for a to-many relationship an array of
    ///   IDs, in order if the relationship is ordered.
    /// - Throws: an error if the destinations can't be read.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        programmingError(
            "\(Swift.type(of: self)) reads no relationships (\(relationship.name)).",
            remedy: "Override newValue(forRelationship:forObjectWith:with:).")
    }

    /// The IDs of new objects. A subclass that saves must override it.
    ///
    /// Called before a save, and by the context's `obtainPermanentIDs(for:)`, on the queue of the context. IDs come
    /// from ``newObjectID(for:referenceObject:)``, and are final.
    ///
    /// - Parameter array: the new objects.
    /// - Returns: an ID for each object, in their order.
    /// - Throws: an error if there are no IDs. No object has changed then.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        programmingError(
            "\(Swift.type(of: self)) makes no object IDs.", remedy: "Override obtainPermanentIDs(for:).")
    }

    /// Called when objects are registered in a context. This class does nothing.
    ///
    /// A store may keep values of an object until ``managedObjectContextDidUnregisterObjects(with:)`` was called for it
    /// as often as this method. Called on any thread.
    ///
    /// - Parameter objectIDs: the IDs of the objects.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called when objects are no longer registered in a context. This class does nothing. Called on any thread.
    ///
    /// - Parameter objectIDs: the IDs of the objects.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// An identifier for a new store: a UUID, as a string.
    ///
    /// - Parameter storeURL: the URL of the store.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    // MARK: IDs

    /// The ID of an object. May be called on any thread.
    ///
    /// - Parameters:
    ///   - entity: the object's own entity.
    ///   - data: the reference object: a number, a string or another value that identifies the object within its
    ///     entity. Two values with the same description identify the same object. The value is a part of the ID's URI.
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        referenceID(entity, data)
    }

    /// The reference object of an ID of this store. Stops the program for another ID. May be called on any thread.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any { reference(of: objectID) }
}

extension NSIncrementalStore: ClosedStoreOperations {
    /// Many subclasses store their objects in a SQLite database.
    package static func files(at url: URL) -> [String] {
        url.isFileURL && !isInMemory(at: url) ? SQLiteStoreCopy.files(of: url.path) : []
    }
}
