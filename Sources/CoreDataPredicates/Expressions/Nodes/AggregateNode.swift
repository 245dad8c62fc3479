/// A list of expressions: `{1, price, $limit}`.
package struct AggregateNode: ExpressionNode {
    package let elements: [NSExpression]
    /// The value, if all elements are constants.
    private let constant: [Any]?
    /// The members of a long list of constants.
    let members: ListMembers?
    package let depth: TreeDepth

    package init(elements: [NSExpression]) {
        self.elements = elements
        depth = .above(elements.map(TreePart.expression))
        let constants = elements.compactMap { $0.node as? ConstantNode }
        constant =
            constants.count == elements.count
            ? constants.map { $0.value(for: nil, bindings: nil) ?? NSNull() } : nil
        members = constant.flatMap { $0.count < ListMembers.least ? nil : ListMembers($0) }
    }

    package var type: NSExpression.ExpressionType { .aggregate }
    package var pieces: [TextPiece] { [.text("{")] + TreeText.list(elements) + [.text("}")] }
    package var parts: [TreePart] { elements.map(TreePart.expression) }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        constant ?? elements.map { $0.value(for: object, bindings: bindings) ?? NSNull() } as [Any]
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        AggregateNode(elements: parts.indices.map { parts.expression($0) })
    }

    package func isAlike(_ other: any ExpressionNode) -> Bool {
        (other as? AggregateNode)?.elements.count == elements.count
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(elements.count) }
}
