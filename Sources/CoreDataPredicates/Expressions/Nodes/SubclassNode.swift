/// Stands in an expression of a subclass, which computes its value itself.
package struct SubclassNode: ExpressionNode {
    package let type: NSExpression.ExpressionType
    private let identity = SubclassIdentity()

    package init(type: NSExpression.ExpressionType) {
        self.type = type
    }

    package var pieces: [TextPiece] { [.text("<\(type) expression>")] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        programmingError(
            """
            NSExpression(expressionType: .\(type)) has no value of its own; override expressionValue(with:context:) in \
            a subclass.
            """)
    }

    package func isAlike(_ other: any ExpressionNode) -> Bool { (other as? SubclassNode)?.identity === identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

private final class SubclassIdentity {}
