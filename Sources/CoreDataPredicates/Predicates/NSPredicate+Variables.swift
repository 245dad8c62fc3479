extension NSPredicate {
    /// The names of the variables that need a value before the predicate can be evaluated.
    package var freeVariables: Set<String> {
        expressions.reduce(into: []) { $0.formUnion($1.freeVariables) }
    }
}

extension NSExpression {
    /// The names of the variables that need a value before the expression can be evaluated.
    package var freeVariables: Set<String> {
        switch node {
        case let node as VariableNode:
            return [node.name]
        case let node as SubqueryNode:
            return node.collection.freeVariables.union(node.predicate.freeVariables.subtracting([node.variable]))
        default:
            return node.children.reduce(into: []) { $0.formUnion($1.freeVariables) }
        }
    }
}
