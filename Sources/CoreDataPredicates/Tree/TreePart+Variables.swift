extension TreePart {
    /// The names of the variables that need a value before the tree can be evaluated.
    var freeVariables: Set<String> {
        var free: Set<String> = []
        var rest: [(part: TreePart, bound: Set<String>)] = [(self, [])]
        while let (part, bound) = rest.popLast() {
            var inner = bound
            if case .expression(let expression) = part {
                if let variable = expression.node as? VariableNode, !bound.contains(variable.name) {
                    free.insert(variable.name)
                }
                if let query = expression.node as? SubqueryNode { inner.insert(query.variable) }
            }
            for part in part.parts {
                if case .predicate = part { rest.append((part, inner)) } else { rest.append((part, bound)) }
            }
        }
        return free
    }
}
