extension TreePart {
    /// The tree with variables replaced by constants; what holds no variable stays the same object.
    func substituting(_ variables: [String: Any]) -> TreePart {
        var open = [Substitution(part: self, variables: variables)]
        while true {
            let last = open.count - 1
            if let (part, variables) = open[last].next {
                open.append(Substitution(part: part, variables: variables))
                continue
            }
            let result = open.removeLast().result
            if open.isEmpty { return result }
            open[last - 1].done.append(result)
        }
    }
}

/// One level of a substitution at work.
private struct Substitution {
    let part: TreePart
    let parts: [TreePart]
    /// What came of the first parts.
    var done: [TreePart] = []
    private let variables: [String: Any]

    init(part: TreePart, variables: [String: Any]) {
        self.part = part
        self.variables = variables
        parts = Self.isOpen(part) ? part.parts : []
    }

    /// Subclasses that a program makes are taken as they are.
    private static func isOpen(_ part: TreePart) -> Bool {
        switch part {
        case .expression(let expression): return expression.isComputedByNode
        case .predicate(let predicate):
            guard case .comparison(let comparison) = predicate.kind else { return true }
            return type(of: comparison) == NSComparisonPredicate.self
        }
    }

    /// The part whose turn it is, and the variables that it sees; nil after the last.
    var next: (TreePart, [String: Any])? {
        guard done.count < parts.count else { return nil }
        let part = parts[done.count]
        guard case .predicate = part, case .expression(let owner) = self.part, let query = owner.node as? SubqueryNode
        else {
            return (part, variables)
        }
        // The element's name hides a variable of the same name outside.
        var inner = variables
        inner[query.variable] = nil
        return (part, inner)
    }

    var result: TreePart {
        let isUnchanged = zip(parts, done).allSatisfy { $0.object === $1.object }
        switch part {
        case .expression(let expression):
            guard expression.isComputedByNode else { return part }
            if let variable = expression.node as? VariableNode, let value = variables[variable.name] {
                return .expression(value as? NSExpression ?? NSExpression(forConstantValue: value))
            }
            if isUnchanged { return part }
            let replaced = NSExpression.made(of: expression.node.with(parts: done))
            replaced.permission = expression.permission
            return .expression(replaced)
        case .predicate(let predicate):
            switch predicate.kind {
            case .comparison(let comparison):
                if isUnchanged { return part }
                let replaced = NSComparisonPredicate(
                    leftExpression: done.expression(0), rightExpression: done.expression(1),
                    modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
                    options: comparison.options)
                replaced.permission = comparison.permission
                return .predicate(replaced)
            case .compound(let type, _):
                // Foundation's own compounds have no text, equality or copies.
                if isUnchanged, predicate is CompoundPredicate { return part }
                return .predicate(CompoundPredicate(type: type, subpredicates: done.indices.map { done.predicate($0) }))
            case .constant, .block:
                return part
            }
        }
    }
}

extension [TreePart] {
    /// The expression at a place that holds one.
    func expression(_ index: Int) -> NSExpression {
        guard case .expression(let expression) = self[index] else {
            programmingError("The part \(index) of an expression is a predicate.")
        }
        return expression
    }

    /// The predicate at a place that holds one.
    func predicate(_ index: Int) -> NSPredicate {
        guard case .predicate(let predicate) = self[index] else {
            programmingError("The part \(index) of an expression is no predicate.")
        }
        return predicate
    }
}
