/// Any key: `ANYKEY`. A word of Spotlight's; objects have no value for it.
package struct AnyKeyNode: ExpressionNode {
    package init() {}

    package var type: NSExpression.ExpressionType { .anyKey }
    package var text: String { "ANYKEY" }
    package var children: [NSExpression] { [] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        programmingError("ANYKEY has no value for an object; it is for search in Spotlight. Name the key.")
    }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode { self }

    package func equals(_ other: any ExpressionNode) -> Bool { other is AnyKeyNode }

    package func hash(into hasher: inout Hasher) {}
}
