/// The elements of a collection for which a predicate holds: `SUBQUERY(songs, $song, $song.length > 3)`.
package struct SubqueryNode: ExpressionNode {
    package let collection: NSExpression
    package let variable: String
    package let predicate: NSPredicate

    package var type: NSExpression.ExpressionType { .subquery }

    package var text: String {
        "SUBQUERY(\(collection), $\(variable), \(predicate.predicateText))"
    }

    package var children: [NSExpression] { [collection] + predicate.expressions }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        guard let elements = Values.elements(of: collection.value(for: object, bindings: bindings)) else { return nil }
        var inner = bindings ?? [:]
        let matching = elements.filter {
            inner[variable] = $0
            return predicate.evaluate(with: object, substitutionVariables: inner)
        }
        return matching as NSArray
    }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode {
        // The element's name hides a variable of the same name outside.
        var inner = variables
        inner[variable] = nil
        return SubqueryNode(
            collection: collection.substituting(variables), variable: variable,
            predicate: predicate.substituting(inner))
    }

    package func equals(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? SubqueryNode else { return false }
        return variable == other.variable && collection.structurallyEquals(other.collection)
            && predicate.structurallyEquals(other.predicate)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(variable)
        hasher.combine(collection.hash)
    }
}
