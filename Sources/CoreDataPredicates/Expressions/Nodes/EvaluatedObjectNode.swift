/// The object that is evaluated: `SELF`.
package struct EvaluatedObjectNode: ExpressionNode {
    package init() {}

    package var type: NSExpression.ExpressionType { .evaluatedObject }
    package var pieces: [TextPiece] { [.text("SELF")] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? { Values.unwrap(object) }

    package func isAlike(_ other: any ExpressionNode) -> Bool { other is EvaluatedObjectNode }
}
