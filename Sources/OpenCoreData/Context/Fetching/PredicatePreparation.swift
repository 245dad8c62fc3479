// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Replaces the fetch request expressions in the predicate of a fetch: by a subquery that the store runs within its
/// statement, or by their results where only the context can compute these.
struct PredicateFetches {
    let context: NSManagedObjectContext
    /// The stores of the outer fetch.
    let scope: FetchScope

    func replacing(_ predicate: NSPredicate) throws -> NSPredicate { try predicate.replacingExpressions(replacement) }

    /// The replacement of a fetch request expression; nil for other expressions, and where the request or the context
    /// is no constant.
    private func replacement(_ expression: NSExpression) throws -> NSExpression? {
        guard expression.node.type == .fetchRequest, let node = expression.node as? FetchRequestNode,
            let request = (node.request.node as? ConstantNode)?.value,
            let executor = (node.context.node as? ConstantNode)?.value as? NSManagedObjectContext,
            let given = request as? NSPersistentStoreRequest, let description = given.fetchDescriptionStorage
        else { return nil }
        let plan = try executor.fetchPlan(
            description, affectedStores: given.affectedStoresStorage as? [NSPersistentStore])
        if let result = result(of: plan, node), try isContainedInStore(plan, of: executor) {
            return NSExpression.expression(of: StoredFetchNode(query: plan.query, result: result, original: node))
        }
        let value = try executor.value(ofFetchRequest: request, countOnly: node.isCountOnly)
        return NSExpression(forConstantValue: Self.values(value, of: plan))
    }

    /// Whether the only store of the outer fetch has all results of the inner fetch.
    private func isContainedInStore(_ plan: FetchPlan, of executor: NSManagedObjectContext) throws -> Bool {
        let coordinator = try context.requireCoordinator()
        guard try executor.requireCoordinator() === coordinator, coordinator.canRun(plan.scope, within: scope) else {
            return false
        }
        return !executor.pendingOverlay(of: plan).isNeeded
    }

    /// The kind of result that a subquery of the inner fetch has; nil if it can't be a subquery.
    private func result(of plan: FetchPlan, _ node: FetchRequestNode) -> StoredFetchNode.Result? {
        if let projection = plan.query.projection {
            let isSimple =
                !projection.isAggregated && projection.having == nil && plan.query.limit == 0 && plan.query.offset == 0
            guard isSimple, !node.isCountOnly, projection.columns.count == 1 else { return nil }
            return .values(projection.columns[0].expression)
        }
        if node.isCountOnly { return .count }
        return plan.description.resultType == .countResultType ? nil : .objects
    }

    /// The values of dictionaries with one property, as a subquery in SQL returns them.
    private static func values(_ value: Any, of plan: FetchPlan) -> Any {
        guard let projection = plan.query.projection, projection.columns.count == 1, let results = value as? [Any]
        else { return value }
        return results.compactMap { ($0 as? NSDictionary)?.allValues.first }
    }
}

/// The context executes the fetch request expressions (`NSFetchRequestExpression`) that name it.
extension NSManagedObjectContext: FetchRequestExecuting {
    package final func value(ofFetchRequest request: Any, countOnly: Bool) throws -> Any {
        guard let given = request as? NSPersistentStoreRequest, given.fetchDescriptionStorage != nil else {
            programmingError(
                "A fetch request expression got \(Wording.withArticle(type(of: request))) instead of a fetch request.",
                remedy: "Let its requestExpression give an NSFetchRequest.")
        }
        let general = NSFetchRequest<any NSFetchRequestResult>(copying: given)
        return countOnly ? NSNumber(value: try count(for: general)) : try fetch(general)
    }
}

/// Replaces the objects in predicates by their IDs: stores don't see objects.
enum PredicateObjects {
    static func replacingObjects(_ predicate: NSPredicate) -> NSPredicate {
        predicate.replacingExpressions(constantOfIDs)
    }

    static func replacingObjects(_ expression: NSExpression) -> NSExpression { expression.replacing(constantOfIDs) }

    /// A constant of IDs for a constant of objects; nil for every other expression.
    private static func constantOfIDs(_ expression: NSExpression) -> NSExpression? {
        if let value = valueOfKeys(expression) {
            return NSExpression(forConstantValue: replacement(of: value) ?? value)
        }
        guard expression.expressionType == .constantValue else { return nil }
        return replacement(of: expression.constantValue).map { NSExpression(forConstantValue: $0) }
    }

    /// The value of a key path of an object or property, as in `$FETCH_SOURCE.name`: it may be an unsaved value, which
    /// the store doesn't have.
    ///
    /// - Returns: nil for every other expression; `.some(nil)` if the value is nil.
    private static func valueOfKeys(_ expression: NSExpression) -> Any?? {
        guard expression.expressionType == .function,
            ["valueForKeyPath:", "valueForKey:"].contains(expression.function),
            expression.operand.expressionType == .constantValue,
            expression.operand.constantValue is NSManagedObject
                || expression.operand.constantValue is NSPropertyDescription
        else { return nil }
        return .some(expression.expressionValue(with: nil, context: nil))
    }

    /// The value with IDs in place of objects; nil if it contains no objects.
    private static func replacement(of value: Any?) -> Any? {
        guard let value else { return nil }
        if let object = managedObject(value) { return object.objectID }
        guard let elements = Values.elements(of: value),
            elements.contains(where: { managedObject($0) != nil })
        else { return nil }
        return elements.map { managedObject($0)?.objectID ?? $0 }
    }

    /// The value as a managed object. A cast of a text or a list would first bridge it to an object of Foundation.
    private static func managedObject(_ value: Any) -> NSManagedObject? {
        guard let value = Values.unwrap(value), let type = type(of: value) as? AnyClass, type is NSManagedObject.Type
        else { return nil }
        return value as? NSManagedObject
    }
}
