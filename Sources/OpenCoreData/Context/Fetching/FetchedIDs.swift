// SPDX-License-Identifier: Apache-2.0

/// The object IDs of a fetch. Each ID is made when it is asked for: only the keys and entities of the rows are stored.
/// May be used on any thread.
package struct FetchedIDs: Sendable {
    private enum Results: Sendable {
        case ids([NSManagedObjectID])
        case references([ObjectReference], ModelLayout, StoreIdentity)
    }

    private let results: Results

    fileprivate init(_ ids: [NSManagedObjectID]) { results = .ids(ids) }

    fileprivate init(_ references: [ObjectReference], _ model: ModelLayout, _ store: StoreIdentity) {
        results = .references(references, model, store)
    }

    package var count: Int {
        switch results {
        case .ids(let ids): ids.count
        case .references(let references, _, _): references.count
        }
    }

    package subscript(position: Int) -> NSManagedObjectID {
        switch results {
        case .ids(let ids): return ids[position]
        case .references(let references, let model, let store):
            let reference = references[position]
            return NSManagedObjectID(layout: model[reference.layout], store: store, key: reference.key)
        }
    }
}

extension NSManagedObjectContext {
    /// Fetches the IDs of the objects that a request describes, without making the objects, unless there are unsaved
    /// changes.
    package final func fetchIDs<T>(_ request: NSFetchRequest<T>) throws -> FetchedIDs {
        checkQueue()
        resolveEntity(of: request)
        var description = request.fetchDescription
        description.resultType = .managedObjectIDResultType
        description.propertiesToFetch = nil
        let plan = try fetchPlan(description, affectedStores: request.affectedStores)
        let coordinator = try requireCoordinator()
        let sources = coordinator.sources(plan.scope)
        guard sources.count == 1, !pendingOverlay(of: plan).isNeeded else {
            return FetchedIDs(try objects(plan).map(\.objectID))
        }
        let references = try coordinator.read(sources[0]) { try $0.references(plan.query) }
        return FetchedIDs(references, plan.query.layout.model, sources[0].identity)
    }
}
