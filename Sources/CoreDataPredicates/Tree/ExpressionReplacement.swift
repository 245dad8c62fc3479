// SPDX-License-Identifier: Apache-2.0

extension NSExpression {
    /// The expression with parts replaced, from the outside in.
    ///
    /// - Parameter replacement: gives the replacement of a part, whose own parts aren't visited then; nil keeps the
    ///   part.
    /// - Returns: the same object if nothing is replaced.
    package func replacing(_ replacement: (NSExpression) throws -> NSExpression?) rethrows -> NSExpression {
        if let new = try replacement(self) { return new }
        // Most expressions are leaves, and each case below costs a cast.
        guard isComputedByNode, node.depth.height > 0 else { return self }
        switch node {
        case let node as FunctionNode:
            let target = try node.target?.replacing(replacement)
            guard let arguments = try Self.replaced(node.arguments, replacement, isForced: target !== node.target)
            else { return self }
            guard let target else {
                return NSExpression(node: FunctionNode(library: node.selector, arguments: arguments))
            }
            return NSExpression(node: FunctionNode(target: target, selector: node.selector, arguments: arguments))
        case let node as AggregateNode:
            return try Self.replaced(node.elements, replacement).map { NSExpression(node: AggregateNode(elements: $0)) }
                ?? self
        case let node as SetOperationNode:
            guard let sides = try Self.replaced([node.left, node.right], replacement) else { return self }
            return NSExpression(node: SetOperationNode(operation: node.operation, left: sides[0], right: sides[1]))
        case let node as SubqueryNode:
            let predicate = try node.predicate.replacingExpressions(replacement)
            guard
                let collection = try Self.replaced(
                    [node.collection], replacement, isForced: predicate !== node.predicate)
            else { return self }
            return NSExpression(
                node: SubqueryNode(collection: collection[0], variable: node.variable, predicate: predicate))
        case let node as ConditionalNode:
            let predicate = try node.predicate.replacingExpressions(replacement)
            let parts = try Self.replaced(
                [node.whenTrue, node.whenFalse], replacement, isForced: predicate !== node.predicate)
            guard let parts else { return self }
            return NSExpression(node: ConditionalNode(predicate: predicate, whenTrue: parts[0], whenFalse: parts[1]))
        default:
            // The parts of blocks and fetch requests aren't replaced.
            return self
        }
    }

    /// The expressions after the replacement; nil if none was replaced.
    private static func replaced(
        _ expressions: [NSExpression], _ replacement: (NSExpression) throws -> NSExpression?, isForced: Bool = false
    ) rethrows -> [NSExpression]? {
        let new = try expressions.map { try $0.replacing(replacement) }
        return isForced || zip(expressions, new).contains { $0 !== $1 } ? new : nil
    }
}

extension NSPredicate {
    /// The predicate with parts of its expressions replaced, as by `NSExpression.replacing(_:)`.
    ///
    /// - Returns: the same object if nothing is replaced.
    package func replacingExpressions(_ replacement: (NSExpression) throws -> NSExpression?) rethrows -> NSPredicate {
        try replacingComparisons { comparison in
            comparison.with(
                left: try comparison.leftExpression.replacing(replacement),
                right: try comparison.rightExpression.replacing(replacement))
        }
    }

    /// The predicate with its comparisons replaced. A subclass is replaced by a comparison of its parts.
    ///
    /// - Returns: the same object if nothing is replaced.
    package func replacingComparisons(
        _ replacement: (NSComparisonPredicate) throws -> NSComparisonPredicate
    ) rethrows -> NSPredicate {
        switch kind {
        case .comparison(let comparison):
            return try replacement(comparison)
        case .compound(let type, let parts):
            let new = try parts.map { try $0.replacingComparisons(replacement) }
            if zip(parts, new).allSatisfy({ $0 === $1 }) { return self }
            return CompoundPredicate(type: type, subpredicates: new)
        case .constant, .block:
            return self
        }
    }
}

extension NSComparisonPredicate {
    /// The comparison with other sides; the same object if the sides are the same.
    package final func with(left: NSExpression, right: NSExpression) -> NSComparisonPredicate {
        if left === leftExpression && right === rightExpression { return self }
        let replaced = NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: comparisonPredicateModifier,
            type: predicateOperatorType, options: options)
        replaced.permission = permission
        replaced.missingValues = missingValues
        return replaced
    }
}
