extension NSPredicate {
    /// True if both predicates have the same structure and equal constants. Blocks equal only themselves.
    package func structurallyEquals(_ other: NSPredicate) -> Bool {
        if self === other { return true }
        switch (kind, other.kind) {
        case (.comparison(let one), .comparison(let two)):
            return one.predicateOperatorType == two.predicateOperatorType
                && one.comparisonPredicateModifier == two.comparisonPredicateModifier
                && one.options == two.options
                && one.leftExpression.structurallyEquals(two.leftExpression)
                && one.rightExpression.structurallyEquals(two.rightExpression)
        case (.compound(let type, let ones), .compound(let otherType, let twos)):
            return type == otherType && ones.count == twos.count
                && zip(ones, twos).allSatisfy { $0.structurallyEquals($1) }
        case (.constant(let one), .constant(let two)):
            return one == two
        default:
            return false
        }
    }

    /// A hash that agrees with `structurallyEquals`.
    package var structuralHash: Int {
        var hasher = Hasher()
        switch kind {
        case .comparison(let comparison):
            hasher.combine(comparison.hash)
        case .compound(let type, let subpredicates):
            hasher.combine(type.rawValue)
            for subpredicate in subpredicates { hasher.combine(subpredicate.structuralHash) }
        case .constant(let value):
            hasher.combine(value)
        case .block:
            hasher.combine(ObjectIdentifier(self))
        }
        return hasher.finalize()
    }
}
