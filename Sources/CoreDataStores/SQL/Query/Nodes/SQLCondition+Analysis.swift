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
        case .not:
            return .isNotTrue(self)
        }
    }

    /// The condition that holds exactly where this one is false, and not where it is unknown.
    ///
    /// A test of texts counts as false for a missing text: `SQLQualifier` adds that both are present.
    var refuted: SQLCondition {
        switch self {
        case .comparison(let left, let comparison, let right): return .comparison(left, comparison.negated, right)
        case .inValues, .inKeys, .inSelect: return .not(self)
        case .and(let conditions): return .disjunction(conditions.map(\.refuted))
        case .or(let conditions): return .conjunction(conditions.map(\.refuted))
        case .not(let condition): return condition
        case .constant, .nullSafeEqual, .isNull, .text, .exists, .isNotTrue: return negated
        }
    }

    // MARK: Present values

    /// The condition for rows in which these values aren't NULL.
    func assuming(present values: [SQLExpression]) -> SQLCondition {
        switch self {
        case .isNull(let value, let isNegated) where values.contains(value): return .constant(isNegated)
        case .and(let conditions): return .conjunction(conditions.map { $0.assuming(present: values) })
        case .or(let conditions): return .disjunction(conditions.map { $0.assuming(present: values) })
        case .isNotTrue(.inValues(let value, let list)) where values.contains(value):
            return .not(.inValues(value, list))
        case .isNotTrue(.inKeys(let value)) where values.contains(value): return .not(.inKeys(value))
        case .isNotTrue(.inSelect(let value, let select)) where values.contains(value):
            return .not(.inSelect(value, select))
        default: return self
        }
    }

    /// Whether the condition holds only where a value isn't NULL.
    func requires(_ value: SQLExpression) -> Bool {
        switch self {
        case .constant(false): true
        case .comparison(let left, _, let right): left.isNull(with: value) || right.isNull(with: value)
        case .isNull(let tested, isNegated: true), .inValues(let tested, _), .inKeys(let tested),
            .inSelect(let tested, _):
            tested.isNull(with: value)
        // A missing value isn't in an empty result: that is false, not unknown.
        case .not(.inKeys), .not(.inSelect): false
        case .not(let condition): condition.requires(value)
        case .and(let conditions): conditions.contains { $0.requires(value) }
        case .or(let conditions): conditions.allSatisfy { $0.requires(value) }
        default: false
        }
    }

    // MARK: Depth

    /// The number of levels of nested conjunctions and disjunctions.
    var depth: Int {
        switch self {
        case .and(let conditions), .or(let conditions): 1 + (conditions.map(\.depth).max() ?? 0)
        case .isNotTrue(let condition), .not(let condition): condition.depth
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
        case .not(.inValues(let expression, _)): expression.aliases
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

    /// Whether the value is NULL wherever another value is NULL.
    fileprivate func isNull(with other: SQLExpression) -> Bool {
        if self == other { return true }
        switch self {
        case .operation(let left, _, let right): return left.isNull(with: other) || right.isNull(with: other)
        case .bitwiseNot(let operand), .conversion(let operand, _): return operand.isNull(with: other)
        case .call(.position, let arguments), .call(.order, let arguments), .call(.fold, let arguments):
            return arguments.contains { $0.isNull(with: other) }
        default: return false
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
