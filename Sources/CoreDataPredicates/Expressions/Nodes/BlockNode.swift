/// A value that a block computes.
package struct BlockNode: ExpressionNode {
    package let block: (Any?, [Any], NSMutableDictionary?) -> Any
    package let arguments: [NSExpression]?
    /// Closures can't be compared. Copies of one node share this identity.
    private let identity: BlockIdentity
    package let depth: TreeDepth

    package init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
        self.init(block, arguments, BlockIdentity())
    }

    private init(
        _ block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, _ arguments: [NSExpression]?,
        _ identity: BlockIdentity
    ) {
        self.block = block
        self.arguments = arguments
        self.identity = identity
        depth = .above((arguments ?? []).map(TreePart.expression))
    }

    package var type: NSExpression.ExpressionType { .block }

    package var pieces: [TextPiece] {
        let list = TreeText.list(arguments ?? [])
        return [.text(list.isEmpty ? "BLOCK(<block>" : "BLOCK(<block>, ")] + list + [.text(")")]
    }

    package var parts: [TreePart] { (arguments ?? []).map(TreePart.expression) }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        let values = (arguments ?? []).map { $0.value(for: object, bindings: bindings) ?? NSNull() }
        return Values.unwrap(block(object, values, Bindings.context(from: bindings)))
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        BlockNode(block, parts.indices.map { parts.expression($0) }, identity)
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        (other as? BlockNode)?.identity === identity
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

private final class BlockIdentity {}
