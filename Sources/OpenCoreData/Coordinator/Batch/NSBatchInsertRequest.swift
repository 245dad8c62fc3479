// SPDX-License-Identifier: Apache-2.0

/// Inserts many objects into the store, without keeping them in memory.
///
/// ```swift
/// func importQuakes(_ lines: [String], in context: NSManagedObjectContext) throws {
///     var rest = lines[...]
///     let request = NSBatchInsertRequest(
///         entityName: "Quake",
///         dictionaryHandler: { dictionary in
///             guard let line = rest.popFirst() else { return true }
///             dictionary["place"] = line
///             return false
///         })
///     try context.execute(request)
/// }
/// ```
///
/// Each object comes from a dictionary of ``objectsToInsert``, or from a handler that is called once for each object.
/// Attributes without a value get their default values. The values aren't validated, except for their types. An object
/// that violates a uniqueness constraint is treated as the context's merge policy says:
/// - `error`: nothing is inserted, and `NSManagedObjectConstraintMergeError` (133021) is thrown.
/// - `mergeByPropertyObjectTrump`: the existing object gets the given values.
/// - `overwrite`: the existing object gets all values, defaults and nil included.
/// - `mergeByPropertyStoreTrump` and `rollback`: the existing object stays as it is.
///
/// The request doesn't update contexts: pass the IDs to `mergeChanges(fromRemoteContextSave:into:)`. The request runs
/// in one transaction, with one statement: `INSERT INTO ZQUAKE(…) VALUES(…)`. Stores in a database and subclasses of
/// ``NSIncrementalStore`` support it.
///
/// A request belongs to one thread.
nonisolated open class NSBatchInsertRequest: NSPersistentStoreRequest {
    private let name: String
    private var entityStorage: NSEntityDescription?

    /// Makes a request without an entity, which can't be executed.
    @available(*, deprecated, message: "Use an initializer with an entity.")
    public convenience override init() { self.init(entityName: "", objects: []) }

    /// Makes a request that inserts objects with given values.
    ///
    /// ```swift
    /// let rows = [["title": "So What"], ["title": "Blue in Green"]]
    /// let request = NSBatchInsertRequest(entityName: "Song", objects: rows)
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameters:
    ///   - entityName: the name of the entity.
    ///   - dictionaries: for each object the values of its properties by name.
    public init(entityName: String, objects dictionaries: [[String: Any]]) {
        name = entityName
        objectsToInsert = dictionaries
        super.init()
    }

    /// Makes a request that inserts objects with given values.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - dictionaries: for each object the values of its properties by name.
    public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        name = entity.name ?? ""
        entityStorage = entity
        objectsToInsert = dictionaries
        super.init()
    }

    /// Makes a request that asks a block for the values of each object.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - handler: sets the values of the next object in an empty dictionary; returns true if there are no more
    ///     objects.
    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: entity, objects: [])
        objectsToInsert = nil
        dictionaryHandler = handler
    }

    /// Makes a request that lets a block set the values of each object.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - handler: sets the values of the next object, which has its default values and belongs to no context; returns
    ///     true if there are no more objects.
    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: entity, objects: [])
        objectsToInsert = nil
        managedObjectHandler = handler
    }

    /// Makes a request that asks a block for the values of each object.
    ///
    /// ```swift
    /// var titles = ["La Foule", "Milord"].makeIterator()
    /// let request = NSBatchInsertRequest(entityName: "Song") { (song: NSMutableDictionary) in
    ///     guard let title = titles.next() else { return true }
    ///     song["title"] = title
    ///     return false
    /// }
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameters:
    ///   - entityName: the name of the entity.
    ///   - handler: sets the values of the next object in an empty dictionary; returns true if there are no more
    ///     objects.
    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(entityName: entityName, objects: [])
        objectsToInsert = nil
        dictionaryHandler = handler
    }

    /// Makes a request that lets a block set the values of each object.
    ///
    /// ```swift
    /// var titles = ["La Foule", "Milord"].makeIterator()
    /// let request = NSBatchInsertRequest(entityName: "Song") { (song: NSManagedObject) in
    ///     guard let title = titles.next() else { return true }
    ///     song.setValue(title, forKey: "title")
    ///     return false
    /// }
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameters:
    ///   - entityName: the name of the entity.
    ///   - handler: sets the values of the next object, which has its default values and belongs to no context; returns
    ///     true if there are no more objects.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(entityName: entityName, objects: [])
        objectsToInsert = nil
        managedObjectHandler = handler
    }

    /// The name of the entity.
    open var entityName: String { name }

    /// The entity; nil if the request was made with a name, and no context has executed it yet.
    open var entity: NSEntityDescription? { entityStorage }

    /// For each object the values of its properties by name; nil for a request with a handler.
    open var objectsToInsert: [[String: Any]]?

    /// Sets the values of the next object in an empty dictionary, which is the same object in each call.
    ///
    /// It returns true if there are no more objects; that call's dictionary is not inserted. It runs inside the
    /// transaction: it must neither save nor wait for another thread that uses the coordinator.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

    /// Sets the values of the next object, which has its default values and belongs to no context.
    ///
    /// It returns true if there are no more objects; that call's object is not inserted. It runs inside the
    /// transaction: it must neither save nor wait for another thread that uses the coordinator.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?

    /// The form of the result; whether the request succeeded, by default.
    ///
    /// ```swift
    /// let request = NSBatchInsertRequest(entityName: "Song", objects: [["title": "La Foule"]])
    /// request.resultType = .count
    /// print((try context.execute(request) as? NSBatchInsertResult)?.result ?? 0)
    /// ```
    open var resultType: NSBatchInsertRequestResultType = .statusOnly

    /// `.batchInsertRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// A request with the same values and handlers.
    ///
    /// - Parameter zone: not used.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy =
            entityStorage.map { NSBatchInsertRequest(entity: $0, objects: []) }
            ?? NSBatchInsertRequest(entityName: name, objects: [])
        copy.affectedStoresStorage = affectedStoresStorage
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        return copy
    }
}

extension NSBatchInsertRequest {
    func resolveEntity(_ entity: NSEntityDescription) { if entityStorage == nil { entityStorage = entity } }
}

/// The form of the result of an `NSBatchInsertRequest`.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// Whether the request succeeded, as a Boolean `NSNumber`.
    case statusOnly = 0
    /// The IDs of the inserted objects, and of existing objects that got values because of a uniqueness constraint, as
    /// an array.
    case objectIDs = 1
    /// The number of these objects, as an `NSNumber`.
    case count = 2
}

/// The result of an `NSBatchInsertRequest`.
nonisolated open class NSBatchInsertResult: NSPersistentStoreResult {
    /// A Boolean, an array of object IDs or a number, as the ``resultType`` says.
    open private(set) var result: Any?
    /// The form of the result.
    open private(set) var resultType: NSBatchInsertRequestResultType

    init(_ result: Any, _ resultType: NSBatchInsertRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}
