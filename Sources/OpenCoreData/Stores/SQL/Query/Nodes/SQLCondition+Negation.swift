import CoreDataPredicates

extension SQLCondition {
    /// The condition that holds exactly where this one doesn't, be it false or unknown.
    ///
    /// The negation goes down to the leaves, so that the text stays as one would write it:
    /// the negation of `t0.ZYEAR < ?` is `t0.ZYEAR >= ? OR t0.ZYEAR IS NULL`.
    var negated: SQLCondition {
        switch self {
        case .constant(let value):
            return .constant(!value)
        case .comparison(let left, let comparison, let right):
            guard left.isSimple, right.isSimple else { return .fails(self) }
            return .disjunction(
                [.comparison(left, comparison.negated, right)] + [left, right].compactMap(\.missingIfOptional))
        case .same(let left, let right, let isNegated):
            return .same(left, right, isNegated: !isNegated)
        case .missing(let expression, let isNegated):
            return .missing(expression, isNegated: !isNegated)
        case .text(let test, let left, let right, let options, let isNegated):
            return .text(test, left, right, options, isNegated: !isNegated)
        case .exists(let select, let isNegated):
            return .exists(select, isNegated: !isNegated)
        case .member, .memberOfKeys, .memberOfSelect:
            return .fails(self)
        case .all(let conditions):
            return .disjunction(conditions.map(\.negated))
        case .any(let conditions):
            return .conjunction(conditions.map(\.negated))
        case .fails(let condition):
            return condition
        }
    }
}

extension SQLExpression {
    /// The condition that the value is missing; `nil` where it can't be.
    fileprivate var missingIfOptional: SQLCondition? {
        switch self {
        case .value(.null): return .constant(true)
        case .value: return nil
        default: return .missing(self, isNegated: false)
        }
    }
}
