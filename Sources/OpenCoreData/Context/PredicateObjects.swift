/// Objects inside predicates become their IDs before a store sees them.
enum PredicateObjects {
    static func replacingObjects(_ predicate: NSPredicate) -> NSPredicate {
        switch predicate.kind {
        case .comparison(let comparison):
            let left = replaced(comparison.leftExpression), right = replaced(comparison.rightExpression)
            if left === comparison.leftExpression && right === comparison.rightExpression { return predicate }
            return NSComparisonPredicate(
                leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
                type: comparison.predicateOperatorType, options: comparison.options)
        case .compound(let type, let parts):
            let new = parts.map(replacingObjects)
            if zip(parts, new).allSatisfy({ $0 === $1 }) { return predicate }
            return NSCompoundPredicate(type: type, subpredicates: new)
        default:
            return predicate
        }
    }

    private static func replaced(_ expression: NSExpression) -> NSExpression {
        switch expression.expressionType {
        case .constantValue:
            return replacement(of: expression.constantValue).map { NSExpression(forConstantValue: $0) } ?? expression
        case .aggregate:
            guard let parts = expression.collection as? [NSExpression] else { return expression }
            let new = parts.map(replaced)
            return zip(parts, new).allSatisfy({ $0 === $1 }) ? expression : NSExpression(forAggregate: new)
        case .subquery:
            guard let collection = expression.collection as? NSExpression else { return expression }
            let new = replacingObjects(expression.predicate)
            return new === expression.predicate
                ? expression : NSExpression(forSubquery: collection, usingIteratorVariable: expression.variable, predicate: new)
        default:
            return expression
        }
    }

    /// The value with IDs in place of objects, nil if it holds none.
    private static func replacement(of value: Any?) -> Any? {
        switch value {
        case let object as NSManagedObject: return object.objectID
        case let set as Set<NSManagedObject>: return set.map(\.objectID)
        case let array as [NSManagedObject]: return array.map(\.objectID)
        case let set as NSSet: return replacement(ofAll: set.allObjects)
        case let set as NSOrderedSet: return replacement(ofAll: set.array)
        case let array as [Any]: return replacement(ofAll: array)
        default: return nil
        }
    }

    private static func replacement(ofAll values: [Any]) -> [Any]? {
        guard values.contains(where: { $0 is NSManagedObject }) else { return nil }
        return values.map { ($0 as? NSManagedObject)?.objectID ?? $0 }
    }
}
