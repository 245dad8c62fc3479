/// One kind of expression: its data, its value, its text.
package protocol ExpressionNode {
    var type: NSExpression.ExpressionType { get }

    /// The expression in the format language, in pieces, so that deep trees are written without calls within calls.
    var pieces: [TextPiece] { get }

    /// The expressions and predicates directly inside, so that a walk needs to know no kind.
    var parts: [TreePart] { get }

    /// How deep the tree below is; nodes with parts find it once.
    var depth: TreeDepth { get }

    /// The value for an object, nil for none.
    func value(for object: Any?, bindings: [String: Any]?) -> Any?

    /// The node with other parts, as many as it has and of the same kinds.
    func with(parts: [TreePart]) -> any ExpressionNode

    /// True if the other node is of the same kind and equal but for the parts.
    func isAlike(_ other: any ExpressionNode) -> Bool

    /// Agrees with `isAlike`; the parts don't count.
    func hash(into hasher: inout Hasher)
}

extension ExpressionNode {
    package var parts: [TreePart] { [] }
    package var depth: TreeDepth { .leaf }
    package func with(parts: [TreePart]) -> any ExpressionNode { self }
    package func hash(into hasher: inout Hasher) {}

    /// The expression in the format language.
    package var text: String { TreeText.text(pieces) }

    /// The expressions directly inside, those of predicates included.
    package var children: [NSExpression] {
        parts.flatMap { part in
            switch part {
            case .expression(let expression): [expression]
            case .predicate(let predicate): predicate.expressions
            }
        }
    }
}
