/// A variable, `$name`, whose value comes with the evaluation.
package struct VariableNode: ExpressionNode {
    package let name: String

    package init(name: String) {
        self.name = name
    }

    package var type: NSExpression.ExpressionType { .variable }
    package var pieces: [TextPiece] { [.text("$" + name)] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        guard let value = bindings?[name] else {
            programmingError(
                """
                The variable $\(name) has no value. Give one with withSubstitutionVariables(_:) or \
                evaluate(with:substitutionVariables:).
                """)
        }
        return Values.unwrap(value)
    }

    package func isAlike(_ other: any ExpressionNode) -> Bool { (other as? VariableNode)?.name == name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
