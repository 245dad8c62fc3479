/// A key path of the evaluated object.
package struct KeyPathNode: ExpressionNode {
    package let keyPath: String
    /// The path's keys, split once.
    package let keys: [String]

    package init(_ keyPath: String) {
        self.keyPath = keyPath
        keys = KeyPathWalk.split(keyPath)
    }

    package var type: NSExpression.ExpressionType { .keyPath }
    package var pieces: [TextPiece] { [.text(PredicateText.keyPath(keys))] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        KeyPathWalk.value(of: Values.unwrap(object), path: keys[...])
    }

    package func isAlike(_ other: any ExpressionNode) -> Bool { (other as? KeyPathNode)?.keyPath == keyPath }

    package func hash(into hasher: inout Hasher) { hasher.combine(keyPath) }
}
