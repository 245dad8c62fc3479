/// A variable, `$name`, whose value comes with the evaluation.
package struct VariableNode: ExpressionNode {
    package let name: String

    package init(name: String) {
        self.name = name
    }

    package var type: NSExpression.ExpressionType { .variable }
    package var text: String { "$" + name }
    package var children: [NSExpression] { [] }

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

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode {
        guard let value = variables[name] else { return self }
        if let expression = value as? NSExpression { return expression.node }
        return ConstantNode(value)
    }

    package func equals(_ other: any ExpressionNode) -> Bool { (other as? VariableNode)?.name == name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
