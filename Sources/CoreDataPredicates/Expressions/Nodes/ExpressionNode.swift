/// One kind of expression: its data, its value, its text.
package protocol ExpressionNode {
    var type: NSExpression.ExpressionType { get }

    /// The expression in the format language.
    var text: String { get }

    /// The expressions directly inside, so that a walk needs to know no kind.
    var children: [NSExpression] { get }

    /// The value for an object, nil for none.
    func value(for object: Any?, bindings: [String: Any]?) -> Any?

    /// The node with variables replaced by constants.
    func substituting(_ variables: [String: Any]) -> any ExpressionNode

    /// True if the other node is of the same kind and structure, with equal constants.
    func equals(_ other: any ExpressionNode) -> Bool

    /// Agrees with `equals`.
    func hash(into hasher: inout Hasher)
}
