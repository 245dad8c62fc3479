// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension DataStoreBridge {
    /// Executes a fetch.
    func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext?) throws -> Any {
        guard let entity = request.entity, let type = schemaModel.type(of: entity.entityLayout) else {
            throw misfit("nothing: the entity '\(request.entityName ?? "")' has no class")
        }
        // Values without models, such as sums, would need a language that the protocol of stores doesn't have.
        guard request.resultType != .dictionaryResultType else { throw DataStoreError.unsupportedFeature }
        let fetch = try BridgeFetch(request, of: type, entity, context, self)
        if request.resultType == .countResultType { return [NSNumber(value: try fetch.count())] }
        let ids = try fetch.objectIDs()
        return request.resultType == .managedObjectIDResultType ? ids : ids.compactMap { context?.object(with: $0) }
    }

    // MARK: Values

    /// The values of a row.
    func node(of objectID: NSManagedObjectID, _ context: NSManagedObjectContext) throws -> NSIncrementalStoreNode {
        let row = try existingRow(of: objectID, context, takesRow: true)
        return NSIncrementalStoreNode(objectID: objectID, withValues: row.values, version: row.version)
    }

    /// The destinations of a relationship.
    func destinations(
        of relationship: NSRelationshipDescription, _ objectID: NSManagedObjectID, _ context: NSManagedObjectContext?
    ) throws -> Any {
        guard let context else { throw DataStoreError.unsupportedFeature }
        let row = try existingRow(of: objectID, context, takesRow: false)
        return relationship.isToMany
            ? row.toMany[relationship.name] ?? [] : row.values[relationship.name] ?? NSNull()
    }

    // MARK: Snapshots

    /// The values of an object.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) if the store doesn't have the row, and the error
    ///   of the store.
    private func existingRow(of id: NSManagedObjectID, _ context: NSManagedObjectContext, takesRow: Bool) throws
        -> SnapshotRow
    {
        if let known = snapshots.row(id.key, of: context, takesRow: takesRow) { return known }
        let identifier = PersistentIdentifier(id)
        guard !identifier.isTemporary, let type = schemaModel.type(of: id.layout) else { throw missing(id) }
        let state = state(of: context)
        let cached = try calling { try dataStore.cachedContents([identifier], state) }
        if let other = cached.first(where: { $0.identifier != identifier }) {
            throw misfit("a snapshot of \(other.identifier) for \(identifier)")
        }
        if let found = cached.first { return try SnapshotRow(found, self) }
        guard let found = try row(of: identifier, type, state, context) else { throw missing(id) }
        return found
    }

    /// Fetches a snapshot by its identifier; all snapshots of the class, if the store has no predicates.
    private func row<T: PersistentModel>(
        of identifier: PersistentIdentifier, _ type: T.Type, _ state: EditingState, _ context: NSManagedObjectContext
    ) throws -> SnapshotRow? {
        let descriptor = FetchDescriptor<T>(predicate: #Predicate { $0.persistentModelID == identifier })
        let contents: FetchedContents
        do {
            contents = try calling { try dataStore.contents(descriptor, state) }
        } catch is DataStoreError {
            contents = try calling { try dataStore.contents(FetchDescriptor<T>(), state) }
        }
        let rows = try (contents.fetched + contents.related).map { try SnapshotRow($0, self) }
        snapshots.add(rows, of: context)
        return rows.first { $0.identifier == identifier }
    }

    private func missing(_ id: NSManagedObjectID) -> NSError {
        CoreDataErrors.error(
            NSManagedObjectReferentialIntegrityError, "The model can\u{2019}t be read.",
            reason: "The store \(dataStore.identifier) has no snapshot of \(PersistentIdentifier(id)).")
    }
}
