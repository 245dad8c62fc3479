extension NSPredicate {
    /// The predicate with parts of its expressions replaced, see `NSExpression.replacing(_:)`. The same object if
    /// nothing is replaced.
    package func replacingExpressions(_ replacement: (NSExpression) throws -> NSExpression?) rethrows -> NSPredicate {
        switch kind {
        case .comparison(let comparison):
            guard type(of: comparison) == NSComparisonPredicate.self else { return self }
            let left = try comparison.leftExpression.replacing(replacement)
            let right = try comparison.rightExpression.replacing(replacement)
            if left === comparison.leftExpression && right === comparison.rightExpression { return self }
            let replaced = NSComparisonPredicate(
                leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
                type: comparison.predicateOperatorType, options: comparison.options)
            replaced.permission = comparison.permission
            return replaced
        case .compound(let type, let parts):
            let new = try parts.map { try $0.replacingExpressions(replacement) }
            if zip(parts, new).allSatisfy({ $0 === $1 }) { return self }
            return CompoundPredicate(type: type, subpredicates: new)
        case .constant, .block:
            return self
        }
    }
}
