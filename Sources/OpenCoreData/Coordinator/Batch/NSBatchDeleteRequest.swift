// SPDX-License-Identifier: Apache-2.0

/// Deletes the objects that a fetch selects, in the store, without loading them.
///
/// ```swift
/// func deleteOldEvents(before date: Date, in context: NSManagedObjectContext) throws {
///     let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Event")
///     fetch.predicate = NSPredicate(format: "date < %@", date as NSDate)
///     let request = NSBatchDeleteRequest(fetchRequest: fetch)
///     request.resultType = .resultTypeObjectIDs
///     let result = try context.execute(request) as? NSBatchDeleteResult
///     let changes = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
///     NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
/// }
/// ```
///
/// The store applies the delete rules: it deletes the destinations of cascading relationships, sets the inverses of
/// nullifying relationships to nil, and refuses the request if a denying relationship still has a destination. The
/// request doesn't update contexts: pass the IDs to `mergeChanges(fromRemoteContextSave:into:)`. Unsaved changes of
/// contexts are not seen. The request runs in one transaction: `DELETE FROM ZEVENT WHERE …`. Stores in a database and
/// subclasses of ``NSIncrementalStore`` support it.
///
/// A request belongs to one thread.
nonisolated open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    private let request: NSFetchRequest<any NSFetchRequestResult>
    /// The IDs that the request was made for; nil for a request made for a fetch.
    private var objectIDs: [NSManagedObjectID]?

    /// The fetch that selects the objects: a copy of the fetch that the request was made with.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { NSFetchRequest(copying: request) }

    /// The form of the result; whether the request succeeded, by default.
    ///
    /// ```swift
    /// let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Song"))
    /// request.resultType = .resultTypeObjectIDs
    /// let result = try context.execute(request) as? NSBatchDeleteResult
    /// // A batch request passes the context by.
    /// let deleted = result?.result as? [NSManagedObjectID] ?? []
    /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: deleted], into: [context])
    /// ```
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

    /// Makes a request that deletes the objects of a fetch.
    ///
    /// ```swift
    /// let old = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
    /// old.predicate = NSPredicate(format: "playCount == 0")
    /// try context.execute(NSBatchDeleteRequest(fetchRequest: old))
    /// ```
    ///
    /// - Parameter fetch: selects the objects, by its entity, predicate, limit, offset and order. It is copied.
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        request = NSFetchRequest(copying: fetch)
        super.init()
        affectedStoresStorage = fetch.affectedStoresStorage
    }

    /// Makes a request that deletes the objects with some IDs. IDs without an object are ignored.
    ///
    /// Stops the program for objects of several entity hierarchies, as an exception does on Apple's platforms.
    ///
    /// - Parameter objects: the IDs, of an entity and its subentities.
    public convenience init(objectIDs objects: [NSManagedObjectID]) {
        let fetch = NSFetchRequest<any NSFetchRequestResult>()
        if let first = objects.first?.layout {
            let root = first.model[first.root]
            guard objects.allSatisfy({ $0.layout.model[$0.layout.root].name == root.name }) else {
                programmingError(
                    "mismatched objectIDs in batch delete initializer: the objects have several root entities.",
                    remedy: "Make a request for each entity hierarchy.")
            }
            fetch.entity = objects.allSatisfy { $0.layout === first } ? first.entity : root.entity
        }
        fetch.predicate = Self.predicate(objects)
        self.init(fetchRequest: fetch)
        objectIDs = objects
    }

    /// The predicate of the objects with some IDs. An ID that names another entity than its row has selects nothing.
    private static func predicate(_ objects: [NSManagedObjectID]) -> NSPredicate {
        let groups = Dictionary(grouping: objects) { $0.layout.number }
        if groups.count < 2 { return NSPredicate(format: "SELF IN %@", argumentArray: [objects]) }
        return NSCompoundPredicate(
            orPredicateWithSubpredicates: groups.values.map { ids in
                let layout = ids[0].layout
                let entities = (layout.number...(layout.number + layout.span)).map { layout.model[$0].entity }
                return NSPredicate(format: "entity IN %@ AND SELF IN %@", argumentArray: [entities, ids])
            })
    }

    /// The fetch that selects the objects. Nil for a request without IDs, or with IDs of entities that the model
    /// doesn't have: such IDs have no objects.
    final func fetchDescription(in layouts: ModelLayout) -> FetchDescription? {
        if let objectIDs, objectIDs.allSatisfy({ layouts.byName[$0.layout.name] == nil }) { return nil }
        return request.fetchDescription
    }

    /// `.batchDeleteRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// A request with the same fetch, stores and result type.
    ///
    /// - Parameter zone: not used.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchDeleteRequest(fetchRequest: request)
        copy.affectedStoresStorage = affectedStoresStorage
        copy.resultType = resultType
        copy.objectIDs = objectIDs
        return copy
    }
}

extension NSBatchDeleteRequest {
    /// **Extension.** Makes a request that deletes the objects of a fetch of any result type. On Apple's platforms a
    /// cast makes the general request.
    ///
    /// - Parameter fetch: selects the objects. It is copied.
    public convenience init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) {
        self.init(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(copying: fetch))
    }
}

/// The form of the result of an `NSBatchDeleteRequest`.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// Whether the request succeeded, as a Boolean `NSNumber`.
    case resultTypeStatusOnly = 0
    /// The IDs of the deleted objects, as an array.
    case resultTypeObjectIDs = 1
    /// The number of deleted objects, as an `NSNumber`.
    case resultTypeCount = 2
}

/// The result of an `NSBatchDeleteRequest`.
nonisolated open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// A Boolean, an array of object IDs or a number, as the ``resultType`` says.
    ///
    /// Objects that were deleted by a cascading delete rule are not part of it.
    open private(set) var result: Any?
    /// The form of the result.
    open private(set) var resultType: NSBatchDeleteRequestResultType

    init(_ result: Any, _ resultType: NSBatchDeleteRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}
