// SPDX-License-Identifier: Apache-2.0

/// How a comparison treats a missing value.
package enum MissingValues: Hashable, Sendable {
    /// As the store does: in memory a missing value differs from each other value, in SQL the comparison is unknown.
    case ofStore
    /// In each store a missing value differs from every other value. Comparisons of Swift predicates have this meaning.
    case different
    /// In memory, too, the comparison is unknown, as in SQL. `NOT` is part of the comparison, because the negation of
    /// unknown is unknown.
    case unknown(isNegated: Bool)
}

extension NSPredicate {
    /// The predicate with the meaning that it has in SQL, for the evaluation in the process.
    package var asInSQL: NSPredicate { asInSQL(isNegated: false) }

    private func asInSQL(isNegated: Bool) -> NSPredicate {
        switch kind {
        case .comparison(let comparison):
            return comparison.comparisonInSQL(isNegated: isNegated)
        case .compound(.not, let parts):
            guard let part = parts.first else { return NSPredicate(value: !isNegated) }
            return part.asInSQL(isNegated: !isNegated)
        case .compound(let type, let parts):
            let opposite: NSCompoundPredicate.LogicalType = type == .and ? .or : .and
            return CompoundPredicate(
                type: isNegated ? opposite : type, subpredicates: parts.map { $0.asInSQL(isNegated: isNegated) })
        case .constant(let value):
            return NSPredicate(value: value != isNegated)
        case .block:
            return isNegated ? CompoundPredicate(type: .not, subpredicates: [self]) : self
        }
    }
}

extension NSComparisonPredicate {
    fileprivate final func comparisonInSQL(isNegated: Bool) -> NSPredicate {
        let comparison = NSComparisonPredicate(
            leftExpression: leftExpression.asInSQL, rightExpression: rightExpression.asInSQL,
            modifier: comparisonPredicateModifier, type: predicateOperatorType, options: options)
        comparison.permission = permission
        comparison.missingValues = missingValues == .ofStore ? .unknown(isNegated: isNegated) : missingValues
        if missingValues == .different, isNegated { return CompoundPredicate(type: .not, subpredicates: [comparison]) }
        return comparison
    }
}

extension NSExpression {
    /// The expression with the predicates inside of it as they are in SQL.
    package var asInSQL: NSExpression {
        replacing { part in
            switch part.node {
            case let node as SubqueryNode:
                return NSExpression(
                    node: SubqueryNode(
                        collection: node.collection.asInSQL, variable: node.variable, predicate: node.predicate.asInSQL)
                )
            case let node as ConditionalNode:
                return NSExpression(
                    node: ConditionalNode(
                        predicate: node.predicate.asInSQL, whenTrue: node.whenTrue.asInSQL,
                        whenFalse: node.whenFalse.asInSQL))
            default: return nil
            }
        }
    }
}

extension Comparison {
    /// Whether the comparison holds for an object as in SQL or, if it is negated, whether it is false and not unknown.
    ///
    /// `ANY` and `ALL` are never unknown: they ask for which elements the comparison holds.
    func evaluate(_ object: Any?, _ bindings: [String: Any]?, isNegated: Bool) -> Bool {
        let right = predicate.rightExpression.value(for: object, bindings: bindings)
        let left = predicate.leftExpression.value(for: object, bindings: bindings)
        if modifier == .direct { return isKnown(left, right) == !isNegated }
        let leaves =
            predicate.leftExpression.leaves(for: object, bindings: bindings) ?? Self.leaves(of: left)
        let holds =
            modifier == .any
            ? leaves.contains { isKnown($0, right) == true } : leaves.allSatisfy { isKnown($0, right) == true }
        return holds != isNegated
    }

    /// The result for two values; nil where it is unknown.
    private func isKnown(_ left: Any?, _ right: Any?) -> Bool? {
        switch type {
        case .equalTo, .notEqualTo:
            // A comparison with the constant nil asks whether the value is missing.
            if predicate.leftExpression.isConstantNil || predicate.rightExpression.isConstantNil {
                return test(left, right)
            }
        case .between:
            guard Self.isPresent(left), let bounds = Values.elements(of: right), bounds.count == 2 else {
                return Self.isPresent(left) && Self.isPresent(right) ? test(left, right) : nil
            }
            let missing = bounds.filter { !Self.isPresent($0) }
            if missing.isEmpty { return test(left, right) }
            if let low = order(bounds[0], left), low == .orderedDescending { return false }
            if let high = order(left, bounds[1]), high == .orderedDescending { return false }
            return nil
        default: break
        }
        return Self.isPresent(left) && Self.isPresent(right) ? test(left, right) : nil
    }

    /// Whether a value isn't missing in SQL, where NaN is NULL.
    private static func isPresent(_ value: Any?) -> Bool {
        guard let value = Values.unwrap(value) else { return false }
        if let number = Numbers.number(value) { return !number.doubleValue.isNaN }
        return true
    }
}

extension NSExpression {
    fileprivate var isConstantNil: Bool {
        guard isComputedByNode, let constant = node as? ConstantNode else { return false }
        return Values.unwrap(constant.value) == nil
    }
}
