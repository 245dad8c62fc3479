/// One of two expressions, as a predicate says: `TERNARY(price > 10, "dear", "cheap")`.
package struct ConditionalNode: ExpressionNode {
    package let predicate: NSPredicate
    package let whenTrue: NSExpression
    package let whenFalse: NSExpression
    package let depth: TreeDepth

    package init(predicate: NSPredicate, whenTrue: NSExpression, whenFalse: NSExpression) {
        self.predicate = predicate
        self.whenTrue = whenTrue
        self.whenFalse = whenFalse
        depth = .above([.predicate(predicate), .expression(whenTrue), .expression(whenFalse)])
    }

    package var type: NSExpression.ExpressionType { .conditional }

    package var pieces: [TextPiece] {
        [.text("TERNARY("), .part(predicate), .text(", "), .part(whenTrue), .text(", "), .part(whenFalse), .text(")")]
    }

    package var parts: [TreePart] { [.predicate(predicate), .expression(whenTrue), .expression(whenFalse)] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        let holds = predicate.evaluate(with: object, substitutionVariables: bindings ?? [:])
        return (holds ? whenTrue : whenFalse).value(for: object, bindings: bindings)
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        ConditionalNode(predicate: parts.predicate(0), whenTrue: parts.expression(1), whenFalse: parts.expression(2))
    }

    package func isAlike(_ other: any ExpressionNode) -> Bool { other is ConditionalNode }
}
