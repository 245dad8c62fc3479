// SPDX-License-Identifier: Apache-2.0

/// The elements of a collection for which a predicate is true: `SUBQUERY(songs, $song, $song.length > 3)`.
package struct SubqueryNode: ExpressionNode {
    package let collection: NSExpression
    package let variable: String
    package let predicate: NSPredicate
    package let depth: TreeDepth

    package init(collection: NSExpression, variable: String, predicate: NSPredicate) {
        self.collection = collection
        self.variable = variable
        self.predicate = predicate
        depth = .above([.expression(collection), .predicate(predicate)])
    }

    package var type: NSExpression.ExpressionType { .subquery }

    package var pieces: [TextPiece] {
        [.text("SUBQUERY("), .part(collection), .text(", $\(variable), "), .part(predicate), .text(")")]
    }

    package var parts: [TreePart] { [.expression(collection), .predicate(predicate)] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        guard let elements = Values.flattenedElements(by: collection.value(for: object, bindings: bindings)) else {
            return nil
        }
        var inner = bindings ?? [:]
        let matching = elements.filter {
            inner[variable] = $0
            return predicate.evaluate(with: object, substitutionVariables: inner)
        }
        return matching as NSArray
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        SubqueryNode(collection: parts.expression(0), variable: variable, predicate: parts.predicate(1))
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        (other as? SubqueryNode)?.variable == variable
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(variable) }
}

/// One of two expressions, selected by a predicate: `TERNARY(price > 10, "high", "low")`.
package struct ConditionalNode: ExpressionNode {
    package let predicate: NSPredicate
    package let whenTrue: NSExpression
    package let whenFalse: NSExpression
    package let depth: TreeDepth

    init(predicate: NSPredicate, whenTrue: NSExpression, whenFalse: NSExpression) {
        self.predicate = predicate
        self.whenTrue = whenTrue
        self.whenFalse = whenFalse
        depth = .above([.predicate(predicate), .expression(whenTrue), .expression(whenFalse)])
    }

    package var type: NSExpression.ExpressionType { .conditional }

    package var pieces: [TextPiece] {
        [.text("TERNARY("), .part(predicate), .text(", "), .part(whenTrue), .text(", "), .part(whenFalse), .text(")")]
    }

    package var parts: [TreePart] { [.predicate(predicate), .expression(whenTrue), .expression(whenFalse)] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        let isTrue = predicate.evaluate(with: object, substitutionVariables: bindings ?? [:])
        return (isTrue ? whenTrue : whenFalse).value(for: object, bindings: bindings)
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        ConditionalNode(predicate: parts.predicate(0), whenTrue: parts.expression(1), whenFalse: parts.expression(2))
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool { other is ConditionalNode }
}
