// SPDX-License-Identifier: Apache-2.0

/// The free variables of predicates. A variable that a subquery binds for its own elements is not free.
enum PredicateVariables {
    static func names(in predicate: NSPredicate) -> Set<String> {
        switch predicate.kind {
        case .comparison(let comparison):
            return names(in: comparison.leftExpression).union(names(in: comparison.rightExpression))
        case .compound(_, let parts): return parts.reduce(into: []) { $0.formUnion(names(in: $1)) }
        case .constant, .block: return []
        }
    }

    private static func names(in expression: NSExpression) -> Set<String> {
        switch expression.expressionType {
        case .variable: return [expression.variable]
        case .subquery:
            guard let subquery = expression.node as? SubqueryNode else { return [] }
            return names(in: subquery.collection).union(names(in: subquery.predicate).subtracting([subquery.variable]))
        default: return expression.node.children.reduce(into: []) { $0.formUnion(names(in: $1)) }
        }
    }
}
