// SPDX-License-Identifier: Apache-2.0

/// The data, value and text of one kind of expression.
package protocol ExpressionNode {
    var type: NSExpression.ExpressionType { get }

    /// The expression in the format language, in pieces: the text of a deep tree is built without recursion.
    var pieces: [TextPiece] { get }

    /// The expressions and predicates directly inside, for code that traverses trees of any kind.
    var parts: [TreePart] { get }

    /// The depth of the tree below. Nodes with parts compute it once.
    var depth: TreeDepth { get }

    /// The value for an object, nil for none.
    func value(for object: Any?, bindings: [String: Any]?) -> Any?

    /// The node with other parts, of the same number and kinds.
    func with(parts: [TreePart]) -> any ExpressionNode

    /// True if the other node is of the same kind and differs in its parts only.
    func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool

    /// Hashes the node without its parts, consistently with `isEqualIgnoringParts`.
    func hash(into hasher: inout Hasher)
}

extension ExpressionNode {
    package var parts: [TreePart] { [] }
    package var depth: TreeDepth { .leaf }
    package func with(parts: [TreePart]) -> any ExpressionNode { self }
    package func hash(into hasher: inout Hasher) {}

    /// The expression in the format language.
    package var text: String { TreeText.text(pieces) }

    /// The expressions directly inside, and the expressions of predicates directly inside.
    package var children: [NSExpression] {
        parts.flatMap { part in
            switch part {
            case .expression(let expression): [expression]
            case .predicate(let predicate): predicate.expressions
            }
        }
    }
}
