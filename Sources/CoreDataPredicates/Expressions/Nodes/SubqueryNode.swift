/// The elements of a collection for which a predicate holds: `SUBQUERY(songs, $song, $song.length > 3)`.
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
        guard let elements = Values.reached(by: collection.value(for: object, bindings: bindings)) else { return nil }
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

    package func isAlike(_ other: any ExpressionNode) -> Bool { (other as? SubqueryNode)?.variable == variable }

    package func hash(into hasher: inout Hasher) { hasher.combine(variable) }
}
