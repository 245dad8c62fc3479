// SPDX-License-Identifier: Apache-2.0

/// A value that a block computes.
struct BlockNode: ExpressionNode {
    let block: (Any?, [Any], NSMutableDictionary?) -> Any
    let arguments: [NSExpression]?
    /// Closures can't be compared. Copies of one node share this identity.
    private let identity: BlockIdentity
    let depth: TreeDepth

    init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
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

    var type: NSExpression.ExpressionType { .block }

    var pieces: [TextPiece] {
        let list = TreeText.list(arguments ?? [])
        return [.text(list.isEmpty ? "BLOCK(<block>" : "BLOCK(<block>, ")] + list + [.text(")")]
    }

    var parts: [TreePart] { (arguments ?? []).map(TreePart.expression) }

    func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        let values = (arguments ?? []).map { $0.value(for: object, bindings: bindings) ?? NSNull() }
        return Values.unwrap(block(object, values, Bindings.context(from: bindings)))
    }

    func with(parts: [TreePart]) -> any ExpressionNode {
        BlockNode(block, parts.indices.map { parts.expression($0) }, identity)
    }

    func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        (other as? BlockNode)?.identity === identity
    }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

private final class BlockIdentity {}
