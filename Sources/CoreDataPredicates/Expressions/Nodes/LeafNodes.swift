// SPDX-License-Identifier: Apache-2.0

/// The evaluated object: `SELF`.
package struct EvaluatedObjectNode: ExpressionNode {
    init() {}

    package var type: NSExpression.ExpressionType { .evaluatedObject }
    package var pieces: [TextPiece] { [.text("SELF")] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? { Values.unwrap(object) }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool { other is EvaluatedObjectNode }
}

/// A key path of the evaluated object.
package struct KeyPathNode: ExpressionNode {
    package let keyPath: String
    /// The path's keys, split once.
    package let keys: [String]

    init(_ keyPath: String) {
        self.keyPath = keyPath
        keys = KeyPathEvaluation.split(keyPath)
    }

    package var type: NSExpression.ExpressionType { .keyPath }
    package var pieces: [TextPiece] { [.text(PredicateText.keyPath(keys))] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        KeyPathEvaluation.value(of: Values.unwrap(object), path: keys[...])
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        (other as? KeyPathNode)?.keyPath == keyPath
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(keyPath) }
}

/// A variable, `$name`. The evaluation gives its value.
package struct VariableNode: ExpressionNode {
    package let name: String

    package var type: NSExpression.ExpressionType { .variable }
    package var pieces: [TextPiece] { [.text("$" + name)] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        guard let value = bindings?[name] else {
            programmingError(
                """
                The variable $\(name) has no value. Give it a value with withSubstitutionVariables(_:) or \
                evaluate(with:substitutionVariables:).
                """)
        }
        return Values.unwrap(value)
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool { (other as? VariableNode)?.name == name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Any key: `ANYKEY`, a word of Spotlight queries. Objects have no value for it.
struct AnyKeyNode: ExpressionNode {
    var type: NSExpression.ExpressionType { .anyKey }
    var pieces: [TextPiece] { [.text("ANYKEY")] }

    func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        programmingError("ANYKEY is for Spotlight queries and has no value for an object. Use a key.")
    }

    func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool { other is AnyKeyNode }
}

/// The node of a subclass of `NSExpression`. The subclass computes the value.
struct SubclassNode: ExpressionNode {
    let type: NSExpression.ExpressionType
    private let identity = SubclassIdentity()

    var pieces: [TextPiece] { [.text("<\(type) expression>")] }

    func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        programmingError(
            """
            NSExpression(expressionType: .\(type)) has no value. Override expressionValue(with:context:) in a subclass.
            """)
    }

    func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        (other as? SubclassNode)?.identity === identity
    }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

private final class SubclassIdentity {}
