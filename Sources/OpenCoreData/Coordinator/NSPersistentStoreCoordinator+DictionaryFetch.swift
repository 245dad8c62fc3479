// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStoreCoordinator {
    /// The results of a fetch of dictionaries: the values of the stores, without unsaved changes of the context.
    final func dictionaries(_ plan: FetchPlan) throws -> [NSDictionary] {
        try dictionaries(plan) { keys, values in
            var presentKeys: [NSString] = []
            var present: [Any] = []
            for (key, value) in zip(keys, values) {
                guard let value else { continue }
                presentKeys.append(key)
                present.append(value)
            }
            return NSDictionary(objects: present, forKeys: presentKeys)
        } keys: {
            NSString(string: $0)
        }
    }

    /// The results of a fetch as Swift dictionaries; nil for another result type.
    final func swiftDictionaries<T>(_ plan: FetchPlan, as type: T.Type) throws -> [T]? {
        guard T.self == [String: Any].self else { return nil }
        let results = try dictionaries(plan) { keys, values in
            var dictionary = [String: Any](minimumCapacity: keys.count)
            for (key, value) in zip(keys, values) { dictionary[key] = value }
            return dictionary
        } keys: {
            $0
        }
        return results as? [T]
    }

    /// The number of results of a fetch of dictionaries.
    final func dictionaryCount(_ plan: FetchPlan) throws -> Int {
        let stores = sources(plan.scope)
        return stores.count == 1
            ? try read(stores[0]) { try $0.count(plan.query) } : try collectedRows(plan.query, of: stores).count
    }

    private func dictionaries<Key, Result>(
        _ plan: FetchPlan, _ make: ([Key], ArraySlice<Any?>) -> Result, keys: (String) -> Key
    ) throws -> [Result] {
        let stores = sources(plan.scope)
        let rows = try activity.observe(event(.dictionaries, plan.scope)) {
            stores.count == 1
                ? try read(stores[0]) { try $0.values(plan.query) } : try collectedRows(plan.query, of: stores)
        } count: {
            $0.count
        }
        let keys = (plan.query.projection?.columns ?? []).map { keys($0.key) }
        return (0..<rows.count).map { make(keys, rows[$0]) }
    }

    /// The results of several stores: each store reads the needed values of its rows, then all rows are grouped and
    /// sorted together.
    private func collectedRows(_ query: StoreQuery, of stores: [any SnapshotSource]) throws -> ProjectedRows {
        guard let projection = query.projection else { return ProjectedRows(width: 0) }
        let evaluator = ProjectionEvaluator(projection, layout: query.layout)
        var part = query
        part.projection = Projection(columns: evaluator.sources, isPart: true)
        part.sortDescriptors = []
        part.returnsDistinctResults = false
        part.limit = 0
        part.offset = 0
        var rows = ProjectedRows(width: evaluator.sources.count)
        for store in stores { rows.values += try read(store) { try $0.values(part) }.values }
        return evaluator.results(of: rows, for: query)
    }
}
