/// Any key: `ANYKEY`. A word of Spotlight's; objects have no value for it.
package struct AnyKeyNode: ExpressionNode {
    package init() {}

    package var type: NSExpression.ExpressionType { .anyKey }
    package var pieces: [TextPiece] { [.text("ANYKEY")] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        programmingError("ANYKEY has no value for an object; it is for search in Spotlight. Name the key.")
    }

    package func isAlike(_ other: any ExpressionNode) -> Bool { other is AnyKeyNode }
}
