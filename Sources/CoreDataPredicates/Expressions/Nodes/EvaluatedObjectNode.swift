/// The object that is evaluated: `SELF`.
package struct EvaluatedObjectNode: ExpressionNode {
    package init() {}

    package var type: NSExpression.ExpressionType { .evaluatedObject }
    package var text: String { "SELF" }
    package var children: [NSExpression] { [] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? { Values.unwrap(object) }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode { self }

    package func equals(_ other: any ExpressionNode) -> Bool { other is EvaluatedObjectNode }

    package func hash(into hasher: inout Hasher) {}
}
