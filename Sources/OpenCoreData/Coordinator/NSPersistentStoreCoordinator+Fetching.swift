// SPDX-License-Identifier: Apache-2.0

/// The stores that a fetch reads, and their state. A context describes them; the coordinator finds them.
struct FetchScope {
    let layout: EntityLayout
    /// The stores of the request; all if it is nil or empty.
    let affectedStores: [NSPersistentStore]?
    /// The query generation of the rows; nil for the newest rows.
    let generation: QueryGeneration?
    /// The context that fetches, and its fetch, for custom stores.
    let requester: ContextHandle
    let description: FetchDescription
}

/// The result of a fetch of objects, by store.
struct StoreFetchResult {
    enum Content {
        case rows(RowList)
        case references([ObjectReference])
    }

    let parts: [(store: StoreIdentity, content: Content)]

    /// The number of rows and keys.
    var count: Int {
        parts.reduce(0) { sum, part in
            switch part.content {
            case .rows(let rows): sum + rows.count
            case .references(let references): sum + references.count
            }
        }
    }
}

/// Fetches of contexts. May be called on any queue.
extension NSPersistentStoreCoordinator {
    /// The sources of the stores that may contain objects of a fetch.
    final func sources(_ scope: FetchScope) -> [any SnapshotSource] {
        stores(for: scope.layout, among: scope.affectedStores).map { store in
            scope.generation?.source(of: store)
                ?? store.source(for: scope.requester, fetching: scope.description)
        }
    }

    /// Whether the program answers a fetch, at least in part.
    final func isContextBound(_ scope: FetchScope) -> Bool {
        stores(for: scope.layout, among: scope.affectedStores).contains { $0.database.isContextBound }
    }

    /// The number of the stores that a fetch reads.
    final func storeCount(_ scope: FetchScope) -> Int {
        stores(for: scope.layout, among: scope.affectedStores).count
    }

    /// Whether a fetch reads one store, which can run another fetch of the same store within its statement.
    ///
    /// - Parameters:
    ///   - inner: the stores of the fetch in the predicate.
    ///   - outer: the stores of the fetch with the predicate.
    final func canRun(_ inner: FetchScope, within outer: FetchScope) -> Bool {
        let (inner, outer) = (sources(inner), sources(outer))
        return inner.count == 1 && outer.count == 1 && inner[0] === outer[0] && outer[0].runsFetchesInPredicates
    }

    /// Fetches the rows, or the keys, of a query from each store.
    ///
    /// - Throws: the errors of the stores.
    final func fetch(
        _ query: StoreQuery, in scope: FetchScope, keysOnly: Bool, making objects: ArrivingObjects? = nil
    ) throws -> StoreFetchResult {
        try activity.observe(event(.fetch, scope)) {
            StoreFetchResult(
                parts: try sources(scope).map { source in
                    let content: StoreFetchResult.Content =
                        keysOnly || source.isContextBound
                        ? .references(try read(source) { try $0.references(query) })
                        : .rows(try rows(query, of: source, making: objects))
                    return (source.identity, content)
                })
        } count: {
            $0.count
        }
    }

    /// The IDs of the objects of a query, store by store.
    ///
    /// - Throws: the errors of the stores.
    final func objectIDs(_ query: StoreQuery, in scope: FetchScope) throws -> [NSManagedObjectID] {
        try activity.observe(event(.fetch, scope)) {
            try fetchObjectIDs(query, in: scope)
        } count: {
            $0.count
        }
    }

    private final func fetchObjectIDs(_ query: StoreQuery, in scope: FetchScope) throws -> [NSManagedObjectID] {
        var ids: [NSManagedObjectID] = []
        for source in sources(scope) {
            let found = NSManagedObjectID.ids(
                of: try read(source) { try $0.references(query) }, model: query.layout.model, store: source.identity)
            if ids.isEmpty { ids = found } else { ids += found }
        }
        return ids
    }

    /// The number of results of a query in all stores.
    ///
    /// - Throws: the errors of the stores.
    final func count(_ query: StoreQuery, in scope: FetchScope) throws -> Int {
        try activity.observe(event(.count, scope)) {
            try sources(scope).reduce(0) { $0 + (try read($1) { try $0.count(query) }) }
        } count: {
            $0
        }
    }
}
