/// Objects inside predicates become their IDs before a store sees them.
enum PredicateObjects {
    static func replacingObjects(_ predicate: NSPredicate) -> NSPredicate {
        predicate.replacingExpressions(constantOfIDs)
    }

    static func replacingObjects(_ expression: NSExpression) -> NSExpression { expression.replacing(constantOfIDs) }

    /// A constant of IDs for one that holds objects, nil for every other expression.
    private static func constantOfIDs(_ expression: NSExpression) -> NSExpression? {
        if let value = valueOfKeys(expression) {
            return NSExpression(forConstantValue: replacement(of: value) ?? value)
        }
        guard expression.expressionType == .constantValue else { return nil }
        return replacement(of: expression.constantValue).map { NSExpression(forConstantValue: $0) }
    }

    /// What keys behind an object or a property give, as in `$FETCH_SOURCE.name`: the store doesn't know the object as
    /// it is now.
    ///
    /// - Returns: nil for every other expression, and an optional that holds nil where the keys lead to nothing.
    private static func valueOfKeys(_ expression: NSExpression) -> Any?? {
        guard expression.expressionType == .function,
            ["valueForKeyPath:", "valueForKey:"].contains(expression.function),
            expression.operand.expressionType == .constantValue,
            expression.operand.constantValue is NSManagedObject
                || expression.operand.constantValue is NSPropertyDescription
        else { return nil }
        return .some(expression.expressionValue(with: nil, context: nil))
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
