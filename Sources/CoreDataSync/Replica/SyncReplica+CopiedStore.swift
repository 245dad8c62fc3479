// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel

/// A mapping model makes the objects of a store anew: the migrated store has another history, and its objects have
/// other numbers. Those with an identifying value are found again by it.
extension SyncReplica {
    /// Looks whether a mapping model has copied the store, which has a new version of its model, and finds the known
    /// objects in the copy. What the copy has otherwise than the server becomes a pending change; an object that isn't
    /// found is one that the server gives again.
    ///
    /// - Returns: whether it is a copy.
    /// - Throws: ``SyncReplicaError/storesDiffer`` for a copy with known objects that have no identifying value.
    func noteCopy(_ state: SyncReplicaState) throws -> Bool {
        let isNew = try state.isHistoryNew(in: app, stores)
        // A history that goes on with the numbers of the former transactions is no history of a copy.
        guard try isNew ?? (app.transactions(after: state.token, .transactionsOnly, in: stores) == nil) else {
            return false
        }
        let request = NSFetchRequest<SyncKnownObject>(entityName: "KnownObject")
        request.predicate = NSPredicate(format: "key != 0 AND entityName IN %@", Array(schema.entities.keys))
        let rows = try side.fetch(request)
        let found = try identifiedObjects()
        guard isNew ?? isMoved(rows, found) else { return false }
        guard rows.allSatisfy({ schema.entities[$0.entityName]?.identityAttribute != nil }) else {
            throw SyncReplicaError.storesDiffer
        }
        // The keys of an import that was interrupted are those of the former store.
        if let record = try planRecord() { side.delete(record) }
        let last = try app.transactions(after: nil, .transactionsOnly, in: stores)?.last
        let token = last?.token ?? coordinator.currentPersistentHistoryToken(fromStores: stores)
        for row in rows {
            let object = found[row.identity]
            (row.entityName, row.key) = (object?.entityName ?? row.entityName, object?.key ?? 0)
        }
        try noteAll(keepsPending: state.isPrepared)
        (state.token, seenToken) = (token, token)
        (state.newestTransaction, state.unseenImports) = (0, 0)
        if let last { state.note(last) }
        return true
    }

    /// Whether an object has another number than the known one. An object that a program has inserted in the place of a
    /// deleted one, with the same identifying value, has a number above all others of its hierarchy. One that an import
    /// has put there has the number of a known object whose UUID comes from another version's hierarchy.
    private func isMoved(_ rows: [SyncKnownObject], _ found: [UUID: (entityName: String, key: Int64)]) -> Bool {
        func root(_ entityName: String) -> String {
            schema.entities[entityName].flatMap { hierarchy(of: $0).last } ?? entityName
        }
        let newest = Dictionary(rows.map { (root($0.entityName), $0.key) }, uniquingKeysWith: max)
        let unfound = Dictionary(grouping: rows.filter { found[$0.identity] == nil }, by: { root($0.entityName) })
            .mapValues { Set($0.map(\.key)) }
        return rows.contains { row in
            let root = root(row.entityName)
            guard let key = found[row.identity]?.key, key != row.key, unfound[root]?.contains(key) != true else {
                return false
            }
            return key <= newest[root] ?? 0
        }
    }

    /// The objects of the app's store that have an identifying value, by their UUIDs.
    private func identifiedObjects() throws -> [UUID: (entityName: String, key: Int64)] {
        app.reset()
        let id = NSExpressionDescription()
        (id.name, id.expression) = ("id of the object", NSExpression.expressionForEvaluatedObject())
        id.expressionResultType = .objectIDAttributeType
        var result: [UUID: (entityName: String, key: Int64)] = [:]
        for entity in schema.concreteEntities {
            guard let attribute = entity.identityAttribute else { continue }
            let request = NSFetchRequest<NSDictionary>(entityName: entity.modelName)
            request.includesSubentities = false
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [id, attribute]
            // A version of the model may have put another entity on top of the hierarchy.
            let roots = hierarchy(of: entity)
            for row in try app.fetch(request) {
                guard let object = row[id.name] as? NSManagedObjectID else { continue }
                for identity in roots.compactMap({ SyncIdentity.uuid($0, row[attribute]) }) {
                    result[identity] = (entity.name, SyncObjectKey.key(of: object))
                }
            }
        }
        return result
    }

    /// The names in messages of an entity and of those above it, the root last.
    private func hierarchy(of entity: SyncEntity) -> [String] {
        let description = coordinator.managedObjectModel.entitiesByName[entity.modelName]
        return sequence(first: description) { $0?.superentity }.compactMap { $0?.nameInMessages }
    }
}
