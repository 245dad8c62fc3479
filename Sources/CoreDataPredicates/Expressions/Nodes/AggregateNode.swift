/// A list of expressions: `{1, price, $limit}`.
package struct AggregateNode: ExpressionNode {
    package let elements: [NSExpression]
    /// The value, if all elements are constants.
    private let constant: [Any]?
    /// The members of a long list of constants.
    let members: ListMembers?

    package init(elements: [NSExpression]) {
        self.elements = elements
        let constants = elements.compactMap { $0.node as? ConstantNode }
        constant =
            constants.count == elements.count
            ? constants.map { $0.value(for: nil, bindings: nil) ?? NSNull() } : nil
        members = constant.flatMap { $0.count < ListMembers.least ? nil : ListMembers($0) }
    }

    package var type: NSExpression.ExpressionType { .aggregate }
    package var text: String { "{" + elements.map(\.description).joined(separator: ", ") + "}" }
    package var children: [NSExpression] { elements }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        constant ?? elements.map { $0.value(for: object, bindings: bindings) ?? NSNull() } as [Any]
    }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode {
        AggregateNode(elements: elements.map { $0.substituting(variables) })
    }

    package func equals(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? AggregateNode, other.elements.count == elements.count else { return false }
        return zip(elements, other.elements).allSatisfy { $0.structurallyEquals($1) }
    }

    package func hash(into hasher: inout Hasher) {
        for element in elements { hasher.combine(element.hash) }
    }
}
