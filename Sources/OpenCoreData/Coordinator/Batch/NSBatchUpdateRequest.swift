// SPDX-License-Identifier: Apache-2.0

/// Sets values of all objects that a predicate selects, in the store, without loading them.
///
/// ```swift
/// func markAllAsRead(in context: NSManagedObjectContext) throws -> Int {
///     let request = NSBatchUpdateRequest(entityName: "Message")
///     request.predicate = NSPredicate(format: "isRead == NO")
///     request.propertiesToUpdate = ["isRead": true, "readCount": NSExpression(format: "readCount + 1")]
///     request.resultType = .updatedObjectsCountResultType
///     let result = try context.execute(request) as? NSBatchUpdateResult
///     return (result?.result as? NSNumber)?.intValue ?? 0
/// }
/// ```
///
/// The values aren't validated. The row versions increase, so that a context that saves an older object finds a
/// conflict. The request doesn't update contexts: pass the IDs to `mergeChanges(fromRemoteContextSave:into:)`. Unsaved
/// changes of contexts are not seen. The request runs in one transaction: `UPDATE ZMESSAGE SET … WHERE …`. Stores in a
/// database and subclasses of ``NSIncrementalStore`` support it.
///
/// A request belongs to one thread.
nonisolated open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    private let name: String
    private var entityStorage: NSEntityDescription?

    /// Makes a request for an entity that the executing context looks up.
    ///
    /// ```swift
    /// let request = NSBatchUpdateRequest(entityName: "Song")
    /// request.predicate = NSPredicate(format: "title BEGINSWITH 'La'")
    /// request.propertiesToUpdate = ["playCount": 0]
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameter entityName: the name of the entity.
    public init(entityName: String) {
        name = entityName
        super.init()
    }

    /// Makes a request for an entity.
    ///
    /// - Parameter entity: the entity.
    public init(entity: NSEntityDescription) {
        name = entity.name ?? ""
        entityStorage = entity
        super.init()
    }

    /// The name of the entity.
    open var entityName: String { name }

    /// The entity. Stops the program if the request was made with a name, and no context has executed it yet.
    open var entity: NSEntityDescription {
        guard let entityStorage else {
            programmingError(
                """
                This batch update request was created with a string name (\(name)), and cannot respond to -entity until
                used by an NSManagedObjectContext.
                """,
                remedy: "Use entityName, or make the request with an entity.")
        }
        return entityStorage
    }

    /// The condition of the objects to update; nil, the default, for all objects of the entity.
    open var predicate: NSPredicate?

    /// Whether objects of subentities are updated too. True by default.
    open var includesSubentities = true

    /// The form of the result; whether the request succeeded, by default.
    ///
    /// ```swift
    /// let request = NSBatchUpdateRequest(entityName: "Song")
    /// request.propertiesToUpdate = ["playCount": 0]
    /// request.resultType = .updatedObjectIDsResultType
    /// let result = try context.execute(request) as? NSBatchUpdateResult
    /// let updated = result?.result as? [NSManagedObjectID] ?? []
    /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: updated], into: [context])
    /// ```
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

    /// The new values, by the names or descriptions of properties.
    ///
    /// The properties are attributes, or to-one relationships whose inverse is missing or an unordered to-many
    /// relationship. The values are constants, `NSNull` for nil, the IDs of saved objects, or instances of
    /// `NSExpression` that are evaluated in SQL with the old values of each row.
    ///
    /// ```swift
    /// let request = NSBatchUpdateRequest(entityName: "Song")
    /// request.propertiesToUpdate = ["rating": 0]
    /// try context.execute(request)
    /// ```
    open var propertiesToUpdate: [AnyHashable: Any]?

    /// `.batchUpdateRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// A request with the same values.
    ///
    /// - Parameter zone: not used.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = entityStorage.map(NSBatchUpdateRequest.init(entity:)) ?? NSBatchUpdateRequest(entityName: name)
        copy.affectedStoresStorage = affectedStoresStorage
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.resultType = resultType
        copy.propertiesToUpdate = propertiesToUpdate
        return copy
    }
}

extension NSBatchUpdateRequest {
    func resolveEntity(_ entity: NSEntityDescription) { if entityStorage == nil { entityStorage = entity } }
}

/// The form of the result of an `NSBatchUpdateRequest`.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// Whether the request succeeded, as a Boolean `NSNumber`.
    case statusOnlyResultType = 0
    /// The IDs of the updated objects, as an array.
    case updatedObjectIDsResultType = 1
    /// The number of updated objects, as an `NSNumber`.
    case updatedObjectsCountResultType = 2
}

/// The result of an `NSBatchUpdateRequest`.
nonisolated open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// A Boolean, an array of object IDs or a number, as the ``resultType`` says.
    open private(set) var result: Any?
    /// The form of the result.
    open private(set) var resultType: NSBatchUpdateRequestResultType

    init(_ result: Any, _ resultType: NSBatchUpdateRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}
