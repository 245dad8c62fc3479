/// A value that a block computes.
package struct BlockNode: ExpressionNode {
    package let block: (Any?, [Any], NSMutableDictionary?) -> Any
    package let arguments: [NSExpression]?
    /// Closures can't be compared; copies of one node know each other by this.
    private let identity = BlockIdentity()

    package init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
        self.block = block
        self.arguments = arguments
    }

    package var type: NSExpression.ExpressionType { .block }

    package var text: String {
        "BLOCK(" + (["<block>"] + (arguments ?? []).map(\.description)).joined(separator: ", ") + ")"
    }

    package var children: [NSExpression] { arguments ?? [] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        let values = (arguments ?? []).map { $0.value(for: object, bindings: bindings) ?? NSNull() }
        return Values.unwrap(block(object, values, Bindings.context(from: bindings)))
    }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode {
        BlockNode(block: block, arguments: arguments?.map { $0.substituting(variables) })
    }

    package func equals(_ other: any ExpressionNode) -> Bool {
        (other as? BlockNode)?.identity === identity
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

private final class BlockIdentity {}
