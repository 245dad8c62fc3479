// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Checks the parts of a predicate from an archive, for `allowEvaluation(validator:)`.
///
/// Each method has an empty default implementation. Implement the methods for the parts that you check, and throw to
/// refuse the predicate.
public protocol NSPredicateValidating {
    /// Checks a predicate: first the outermost one, then the predicates inside it.
    ///
    /// - Parameter predicate: the predicate.
    /// - Throws: any error, to refuse the predicate.
    func visit(_ predicate: NSPredicate) throws
    /// Checks an expression.
    ///
    /// - Parameter expression: the expression.
    /// - Throws: any error, to refuse the predicate.
    func visit(_ expression: NSExpression) throws
    /// Checks the operator of a comparison.
    ///
    /// - Parameter operatorType: the operator.
    /// - Throws: any error, to refuse the predicate.
    func visit(_ operatorType: NSComparisonPredicate.Operator) throws
    /// Checks a key path.
    ///
    /// - Parameters:
    ///   - expression: the expression with the key path.
    ///   - scope: the keys before the last one, nil for a single key.
    ///   - key: the last key.
    /// - Throws: any error, to refuse the predicate.
    func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws
}

extension NSPredicateValidating {
    /// Accepts each predicate.
    public func visit(_ predicate: NSPredicate) throws {}
    /// Accepts each expression.
    public func visit(_ expression: NSExpression) throws {}
    /// Accepts each operator.
    public func visit(_ operatorType: NSComparisonPredicate.Operator) throws {}
    /// Accepts each key path.
    public func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws {}
}

extension NSPredicate {
    /// Allows the evaluation of a predicate from an archive. Other predicates need no permission.
    public func allowEvaluation() { TreePart.predicate(self).allowEvaluation() }

    /// Allows the evaluation of a predicate from an archive if a validator accepts all its parts.
    ///
    /// - Parameter validator: checks the parts.
    /// - Throws: the error of the validator. The predicate must not be evaluated then.
    public func allowEvaluation(validator: any NSPredicateValidating) throws {
        try TreePart.predicate(self).forEachPart { try $0.validate(with: validator) }
        allowEvaluation()
    }
}

extension NSExpression {
    /// Allows the evaluation of an expression from an archive. Other expressions need no permission.
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

    /// Visits this part and all parts inside it, from left to right. Trees may be deep, so it doesn't recurse.
    fileprivate func forEachPart(_ body: (TreePart) throws -> Void) rethrows {
        var stack = [self]
        while let part = stack.popLast() {
            try body(part)
            stack += part.parts.reversed()
        }
    }

    fileprivate func validate(with validator: any NSPredicateValidating) throws {
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
    /// Allows the use of a sort descriptor from an archive. It does nothing here: decoding refuses an archive with a
    /// method that isn't one of the known comparison methods.
    public func allowEvaluation() {}
}

/// Whether the predicates and expressions of one archive may be evaluated. Archives aren't trusted, so the program must
/// allow it.
///
/// All parts of the archive share one permission. It may be used on any thread.
final class EvaluationPermission: Sendable {
    private let isAllowed = Atomic<Bool>(false)

    func allow() { isAllowed.store(true, ordering: .releasing) }

    @inline(__always)
    func check(_ part: @autoclosure () -> String) {
        if !isAllowed.load(ordering: .acquiring) { refuse(part()) }
    }

    @inline(never)
    private func refuse(_ part: String) -> Never {
        programmingError(
            """
            \(part) is from an archive and may not be evaluated yet. Check it, and call allowEvaluation() or \
            allowEvaluation(validator:).
            """
        )
    }
}
