// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLCondition {
    // MARK: Negation

    /// The condition that holds exactly where this one is false or unknown.
    ///
    /// The negation goes down to the leaves, which keeps the text readable and lets indexes work:
    /// the negation of `t0.ZYEAR < ?` is `t0.ZYEAR >= ? OR t0.ZYEAR IS NULL`.
    var negated: SQLCondition {
        switch self {
        case .constant(let value):
            return .constant(!value)
        case .comparison(let left, let comparison, let right):
            guard left.isSimple, right.isSimple else { return .isNotTrue(self) }
            return .disjunction(
                [.comparison(left, comparison.negated, right)] + [left, right].compactMap(\.isNullIfOptional))
        case .nullSafeEqual(let left, let right, let isNegated):
            return .nullSafeEqual(left, right, isNegated: !isNegated)
        case .isNull(let expression, let isNegated):
            return .isNull(expression, isNegated: !isNegated)
        case .text(let test, let left, let right, let options, let isNegated):
            return .text(test, left, right, options, isNegated: !isNegated)
        case .exists(let select, let isNegated):
            return .exists(select, isNegated: !isNegated)
        case .inValues, .inKeys, .inSelect:
            return .isNotTrue(self)
        case .and(let conditions):
            return .disjunction(conditions.map(\.negated))
        case .or(let conditions):
            return .conjunction(conditions.map(\.negated))
        case .isNotTrue(let condition):
            return condition
        }
    }

    // MARK: Depth

    /// The number of levels of nested conjunctions and disjunctions.
    package var depth: Int {
        switch self {
        case .and(let conditions), .or(let conditions): 1 + (conditions.map(\.depth).max() ?? 0)
        case .isNotTrue(let condition): condition.depth
        default: 0
        }
    }

    /// Whether the nesting may exceed an engine's limit on the depth of expressions.
    var isDeep: Bool { depth > 12 }

    // MARK: Joins

    /// The aliases of tables whose columns must not be NULL for the condition to hold.
    var requiredAliases: Set<String> {
        switch self {
        case .comparison(let left, _, let right): left.aliases.union(right.aliases)
        case .isNull(let expression, isNegated: true), .inValues(let expression, _), .inKeys(let expression),
            .inSelect(let expression, _):
            expression.aliases
        case .text(_, let left, .value(.text), _, isNegated: false): left.aliases
        case .and(let conditions): conditions.reduce(into: []) { $0.formUnion($1.requiredAliases) }
        default: []
        }
    }
}

extension SQLExpression {
    /// The condition that the value is NULL; nil for a value that is known and not NULL.
    fileprivate var isNullIfOptional: SQLCondition? {
        switch self {
        case .value(.null): return .constant(true)
        case .value: return nil
        default: return .isNull(self, isNegated: false)
        }
    }

    /// The alias of the table that a column belongs to; empty for other expressions.
    fileprivate var aliases: Set<String> {
        switch self {
        case .column(let alias, _): [alias]
        case .conversion(let operand, to: .seconds), .conversion(let operand, to: .date): operand.aliases
        default: []
        }
    }
}
