/// Looks at the parts of a predicate before it may be evaluated: what `allowEvaluation(validator:)` asks.
///
/// Each method has an empty implementation: implement those whose parts are to be looked at, and throw to refuse one.
public protocol NSPredicateValidating {
    /// Looks at a predicate: the whole one first, then those inside it.
    func visit(_ predicate: NSPredicate) throws
    /// Looks at an expression.
    func visit(_ expression: NSExpression) throws
    /// Looks at the operator of a comparison.
    func visit(_ operatorType: NSComparisonPredicate.Operator) throws
    /// Looks at a key path.
    ///
    /// - Parameters:
    ///   - expression: the expression that holds it.
    ///   - scope: the path up to the last key, nil if there is one key only.
    ///   - key: the last key.
    func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws
}

extension NSPredicateValidating {
    public func visit(_ predicate: NSPredicate) throws {}
    public func visit(_ expression: NSExpression) throws {}
    public func visit(_ operatorType: NSComparisonPredicate.Operator) throws {}
    public func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws {}
}

extension NSPredicate {
    /// Allows a predicate that was read from an archive to be evaluated. Predicates made by the program always may be.
    public func allowEvaluation() { TreePart.predicate(self).allowEvaluation() }

    /// Allows a predicate that was read from an archive to be evaluated, if a validator finds nothing wrong with any
    /// part.
    ///
    /// - Throws: what the validator throws; the predicate then stays as it was.
    public func allowEvaluation(validator: any NSPredicateValidating) throws {
        try TreePart.predicate(self).forEachPart { try $0.show(to: validator) }
        allowEvaluation()
    }
}

extension NSExpression {
    /// Allows an expression that was read from an archive to be evaluated. Expressions made by the program always may
    /// be.
    public func allowEvaluation() { TreePart.expression(self).allowEvaluation() }
}

extension TreePart {
    fileprivate func allowEvaluation() {
        forEachPart { part in
            switch part {
            case .expression(let expression): expression.permission?.allow()
            case .predicate(let predicate): (predicate as? NSComparisonPredicate)?.permission?.allow()
            }
        }
    }

    /// Looks at this part and all inside it, from the left; trees may be deep, so without calls within calls.
    fileprivate func forEachPart(_ body: (TreePart) throws -> Void) rethrows {
        var open = [self]
        while let part = open.popLast() {
            try body(part)
            open += part.parts.reversed()
        }
    }

    fileprivate func show(to validator: any NSPredicateValidating) throws {
        switch self {
        case .predicate(let predicate):
            try validator.visit(predicate)
            if case .comparison(let comparison) = predicate.kind {
                try validator.visit(comparison.predicateOperatorType)
            }
        case .expression(let expression):
            try validator.visit(expression)
            guard let node = expression.node as? KeyPathNode else { return }
            let scope = node.keys.dropLast().joined(separator: ".")
            try validator.visitExpressionKeyPath(expression, scope: scope.isEmpty ? nil : scope, key: node.keys.last)
        }
    }
}

extension NSSortDescriptor {
    /// Allows a sort descriptor that was read from an archive to be used. Here each may be: an archive with another
    /// method than those that compare strings and values is refused when it is read.
    public func allowEvaluation() {}
}
