// SPDX-License-Identifier: Apache-2.0

extension TreePart {
    /// The tree with constants in place of variables. A part without variables remains the same object.
    func substituting(_ variables: [String: Any]) -> TreePart {
        var stack = [Substitution(part: self, variables: variables)]
        while true {
            let last = stack.count - 1
            if let (part, variables) = stack[last].next {
                stack.append(Substitution(part: part, variables: variables))
                continue
            }
            let result = stack.removeLast().result
            if stack.isEmpty { return result }
            stack[last - 1].results.append(result)
        }
    }
}

/// One level of a substitution.
private struct Substitution {
    let part: TreePart
    let parts: [TreePart]
    /// The results for the first parts.
    var results: [TreePart] = []
    private let variables: [String: Any]

    init(part: TreePart, variables: [String: Any]) {
        self.part = part
        self.variables = variables
        parts = Self.isReplaceable(part) ? part.parts : []
    }

    /// False for subclasses of expressions that only code computes.
    private static func isReplaceable(_ part: TreePart) -> Bool {
        switch part {
        case .expression(let expression): expression.isComputedByNode
        case .predicate: true
        }
    }

    /// The next part with its variables; nil after the last part.
    var next: (TreePart, [String: Any])? {
        guard results.count < parts.count else { return nil }
        let part = parts[results.count]
        guard case .predicate = part, case .expression(let owner) = self.part, let query = owner.node as? SubqueryNode
        else {
            return (part, variables)
        }
        // The variable of the subquery shadows an outer variable of the same name.
        var inner = variables
        inner[query.variable] = nil
        return (part, inner)
    }

    var result: TreePart {
        let isUnchanged = zip(parts, results).allSatisfy { $0.object === $1.object }
        switch part {
        case .expression(let expression):
            guard expression.isComputedByNode else { return part }
            if let variable = expression.node as? VariableNode, let value = variables[variable.name] {
                return .expression(value as? NSExpression ?? NSExpression(forConstantValue: value))
            }
            if isUnchanged { return part }
            let replaced = NSExpression.expression(of: expression.node.with(parts: results))
            replaced.permission = expression.permission
            return .expression(replaced)
        case .predicate(let predicate):
            switch predicate.kind {
            case .comparison(let comparison):
                if isUnchanged { return part }
                return .predicate(comparison.with(left: results.expression(0), right: results.expression(1)))
            case .compound(let type, _):
                // Foundation's compounds have no correct text and no equality, so they are replaced in any case.
                if isUnchanged, predicate is CompoundPredicate { return part }
                return .predicate(
                    CompoundPredicate(type: type, subpredicates: results.indices.map { results.predicate($0) }))
            case .constant, .block:
                return part
            }
        }
    }
}

extension [TreePart] {
    /// The part at an index, which must be an expression.
    func expression(_ index: Int) -> NSExpression {
        guard case .expression(let expression) = self[index] else {
            programmingError("Part \(index) of an expression must be an expression, not a predicate.")
        }
        return expression
    }

    /// The part at an index, which must be a predicate.
    func predicate(_ index: Int) -> NSPredicate {
        guard case .predicate(let predicate) = self[index] else {
            programmingError("Part \(index) of an expression must be a predicate, not an expression.")
        }
        return predicate
    }
}

extension TreePart {
    /// The names of the variables that need a value before the tree can be evaluated, in the order of the text.
    var freeVariables: [String] {
        var free: [String] = []
        var rest: [(part: TreePart, bound: Set<String>)] = [(self, [])]
        while let (part, bound) = rest.popLast() {
            var inner = bound
            if case .expression(let expression) = part {
                if let variable = expression.node as? VariableNode, !bound.contains(variable.name),
                    !free.contains(variable.name)
                {
                    free.append(variable.name)
                }
                if let query = expression.node as? SubqueryNode { inner.insert(query.variable) }
            }
            for part in part.parts.reversed() {
                if case .predicate = part { rest.append((part, inner)) } else { rest.append((part, bound)) }
            }
        }
        return free
    }
}

extension NSPredicate {
    /// A copy of the predicate with constants in place of variables. Variables without a value remain.
    ///
    /// A subclass of the program, which can't be copied, stops the program.
    ///
    /// - Parameter variables: the values by the variables' names, without `$`.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        guard let result = substituting(variables) as? Self else {
            programmingError(
                """
                withSubstitutionVariables(_:) can't copy the subclass \(type(of: self)). Use NSComparisonPredicate or \
                NSCompoundPredicate, or override the method.
                """)
        }
        return result
    }

    package func substituting(_ variables: [String: Any]) -> NSPredicate {
        [TreePart.predicate(self).substituting(variables)].predicate(0)
    }
}

extension NSPredicate {
    /// The names of the variables that need a value before the predicate can be evaluated, in the order of the text.
    package var freeVariables: [String] { TreePart.predicate(self).freeVariables }
}

extension NSExpression {
    /// The names of the variables that need a value before the expression can be evaluated, in the order of the text.
    var freeVariables: [String] { TreePart.expression(self).freeVariables }
}
