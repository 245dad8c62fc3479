/// What a predicate is, for those who translate or store it.
package enum PredicateKind {
    case comparison(NSComparisonPredicate)
    case compound(NSCompoundPredicate.LogicalType, [NSPredicate])
    case constant(Bool)
    /// A block, or a subclass of the user's: it can only be evaluated.
    case block
}

extension NSPredicate {
    /// What this predicate is. Foundation's compounds don't compare or print rightly, so every walk starts here.
    package var kind: PredicateKind {
        if let comparison = self as? NSComparisonPredicate { return .comparison(comparison) }
        if let compound = self as? NSCompoundPredicate {
            return .compound(compound.compoundPredicateType, compound.subpredicates)
        }
        guard type(of: self) == NSPredicate.self else { return .block }
        // Only Foundation knows its constants; equality between two plain predicates is exact.
        if isEqual(PlainPredicates.alwaysTrue) { return .constant(true) }
        if isEqual(PlainPredicates.alwaysFalse) { return .constant(false) }
        return .block
    }

    /// All expressions in the predicate, outermost first, without those inside subqueries.
    package var expressions: [NSExpression] {
        var expressions: [NSExpression] = []
        var rest = [self]
        while let predicate = rest.popLast() {
            switch predicate.kind {
            case .comparison(let comparison): expressions += [comparison.leftExpression, comparison.rightExpression]
            case .compound(_, let subpredicates): rest += subpredicates.reversed()
            case .constant, .block: break
            }
        }
        return expressions
    }
}

/// Foundation's two constant predicates, to compare with.
enum PlainPredicates {
    // Unsafe only by name: the objects never change, but Linux's Foundation declares predicates as not Sendable.
    nonisolated(unsafe) static let alwaysTrue = NSPredicate(value: true)
    nonisolated(unsafe) static let alwaysFalse = NSPredicate(value: false)
}
