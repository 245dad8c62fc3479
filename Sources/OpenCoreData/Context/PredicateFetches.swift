/// Fetch request expressions inside the predicate of a fetch, before stores see it: each becomes a fetch that the store
/// runs within its statement, or its results where only the context can give these.
struct PredicateFetches {
    let context: NSManagedObjectContext
    /// What the stores of the fetch around are read from.
    let stores: [any SnapshotSource]

    func replacing(_ predicate: NSPredicate) throws -> NSPredicate { try predicate.replacingExpressions(replacement) }

    /// What stands for a fetch request expression; nil for every other one, and for a request or context that isn't
    /// known yet.
    private func replacement(_ expression: NSExpression) throws -> NSExpression? {
        guard let node = expression.node as? FetchRequestNode,
            let request = (node.request.node as? ConstantNode)?.value,
            let executor = (node.context.node as? ConstantNode)?.value as? NSManagedObjectContext,
            let given = request as? NSPersistentStoreRequest, let description = given.fetchDescriptionStorage
        else { return nil }
        let plan = try FetchPlan(
            description, context: executor, affectedStores: given.affectedStoresStorage as? [NSPersistentStore])
        if let result = result(of: plan, node), try isWhole(plan, of: executor) {
            return NSExpression.made(of: StoredFetchNode(query: plan.query, result: result, original: node))
        }
        let value = try executor.value(ofFetchRequest: request, countOnly: node.isCountOnly)
        return NSExpression(forConstantValue: Self.values(value, of: plan))
    }

    /// Whether the only store of the fetch around has all that the inner fetch finds.
    private func isWhole(_ plan: FetchPlan, of executor: NSManagedObjectContext) throws -> Bool {
        guard stores.count == 1, stores[0].runsFetchesInPredicates else { return false }
        let coordinator = try context.requireCoordinator()
        guard try executor.requireCoordinator() === coordinator else { return false }
        return plan.sources.count == 1 && plan.sources[0] === stores[0]
            && !PendingOverlay(plan, context: executor).isNeeded
    }

    private func result(of plan: FetchPlan, _ node: FetchRequestNode) -> StoredFetchNode.Result? {
        if let projection = plan.query.projection {
            let isPlain =
                !projection.isAggregated && projection.having == nil && plan.query.limit == 0 && plan.query.offset == 0
            guard isPlain, !node.isCountOnly, projection.columns.count == 1 else { return nil }
            return .values(projection.columns[0].expression)
        }
        if node.isCountOnly { return .count }
        return plan.description.resultType == .countResultType ? nil : .objects
    }

    /// Dictionaries of one property stand for its values, as in SQL.
    private static func values(_ value: Any, of plan: FetchPlan) -> Any {
        guard let projection = plan.query.projection, projection.columns.count == 1, let results = value as? [Any]
        else { return value }
        return results.compactMap { ($0 as? NSDictionary)?.allValues.first }
    }
}
