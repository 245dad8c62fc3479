// SPDX-License-Identifier: Apache-2.0

/// Answers the questions of one context by calling an incremental store of the program. Used on the context's queue.
final class IncrementalSource: SnapshotSource, @unchecked Sendable {
    let store: NSIncrementalStore
    /// The context that the store gets.
    let context: NSManagedObjectContext
    /// The fetch of the context; nil for other reads.
    private let description: FetchDescription?

    init(_ store: NSIncrementalStore, context: NSManagedObjectContext, fetching description: FetchDescription?) {
        self.store = store
        self.context = context
        self.description = description
    }

    var identity: StoreIdentity { store.identity }
    var isContextBound: Bool { true }

    // MARK: Fetches

    func rows(_ query: StoreQuery) throws -> RowList {
        let keys = try references(query).map(\.key)
        return try rows(layout: query.layout, keys: keys, properties: nil)
    }

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        let wantsIDs = description?.resultType == .managedObjectIDResultType
        let results = try execute(query, wantsIDs ? .managedObjectIDResultType : .managedObjectResultType)
        return try results.map { result in
            guard let id = (result as? NSManagedObject)?.objectID ?? result as? NSManagedObjectID,
                let reference = reference(id), query.layout.model[reference.layout].isKind(of: query.layout)
            else { throw misfit("a fetch of \(query.layout.name)", result, "managed objects of the context, or IDs") }
            return reference
        }
    }

    func values(_ query: StoreQuery) throws -> ProjectedRows {
        guard let projection = query.projection else { return ProjectedRows(width: 0) }
        var rows = ProjectedRows(width: projection.columns.count)
        if projection.isPart {
            // The rows of several stores are evaluated together.
            for reference in try references(query) {
                let id = objectID(reference.key, query.layout.model[reference.layout])
                let object = context.objectOrFault(id)
                for column in projection.columns {
                    rows.values.append(column.type.value(of: column.expression.value(for: object, bindings: nil)))
                }
            }
            return rows
        }
        for result in try execute(query, .dictionaryResultType) {
            guard let dictionary = result as? NSDictionary ?? (result as? [String: Any]).map(NSDictionary.init) else {
                throw misfit("a fetch of dictionaries", result, "dictionaries")
            }
            for column in projection.columns {
                let value = dictionary[NSString(string: column.key)] ?? dictionary[column.key]
                rows.values.append(value.flatMap { $0 is NSNull ? nil : column.type.value(of: $0) })
            }
        }
        return rows
    }

    func count(_ query: StoreQuery) throws -> Int {
        if query.projection != nil { return try values(query).count }
        let request = request(query, .countResultType)
        let result = try store.execute(request, with: context)
        let number = (Self.elements(result)?.first ?? result) as? NSNumber
        guard let number else { throw misfit("a count", result, "an array with one number") }
        return number.intValue
    }

    private func execute(_ query: StoreQuery, _ resultType: NSFetchRequestResultType) throws -> [Any] {
        try query.control?.report(rowCount: 0)
        let result = try store.execute(request(query, resultType), with: context)
        guard let elements = Self.elements(result) else { throw misfit("a fetch", result, "an array") }
        return elements
    }

    /// The elements of an array of either kind.
    static func elements(_ result: Any) -> [Any]? {
        if let array = result as? NSArray { return array.map { $0 } }
        return result as? [Any]
    }

    /// The request of the context, with the range that the context needs.
    private func request(_ query: StoreQuery, _ resultType: NSFetchRequestResultType)
        -> NSFetchRequest<any NSFetchRequestResult>
    {
        var description = description ?? FetchDescription()
        description.entity = query.layout.entity
        description.resultType = resultType
        if self.description == nil { description.predicate = query.predicate }
        // The store compares its own objects, which a Swift key path of a managed object class would not accept.
        let descriptors = query.sortDescriptors.map(\.keyDescriptor)
        description.sortDescriptors = descriptors.isEmpty ? nil : descriptors
        description.fetchLimit = query.limit
        description.fetchOffset = query.offset
        description.includesSubentities = query.includesSubentities
        let request = NSFetchRequest<any NSFetchRequestResult>(fetchDescription: description)
        request.affectedStores = [store]
        return request
    }

    // MARK: IDs

    /// The ID of an object. Its entity is the entity that is registered with the reference object of the key, otherwise
    /// the entity of `layout`.
    func objectID(_ key: Int64, _ layout: EntityLayout) -> NSManagedObjectID {
        let own = store.references.entity(of: key).flatMap { layout.model.byName[$0] } ?? layout
        return NSManagedObjectID(layout: own, store: store.identity, key: key)
    }

    /// The reference of an ID of the store; nil for another one.
    func reference(_ id: NSManagedObjectID) -> ObjectReference? {
        guard !id.isTemporaryID, id.storeIdentity?.uuid == store.identity.uuid else { return nil }
        return ObjectReference(key: id.key, layout: context.registry.layout(of: id).number)
    }

    // MARK: Errors

    func misfit(_ question: String, _ answer: Any, _ expected: String) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreOperationError,
            "The store \(store.url?.absoluteString ?? "") can\u{2019}t be read.",
            reason: """
                The class \(Swift.type(of: store)) answers \(question) with \(Swift.type(of: answer)) instead of \
                \(expected).
                """,
            suggestion: "Correct the class of the store.")
    }
}
