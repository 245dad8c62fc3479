/// One of two expressions, as a predicate says: `TERNARY(price > 10, "dear", "cheap")`.
package struct ConditionalNode: ExpressionNode {
    package let predicate: NSPredicate
    package let whenTrue: NSExpression
    package let whenFalse: NSExpression

    package var type: NSExpression.ExpressionType { .conditional }

    package var text: String { "TERNARY(\(predicate.predicateText), \(whenTrue), \(whenFalse))" }

    package var children: [NSExpression] { predicate.expressions + [whenTrue, whenFalse] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        let holds = predicate.evaluate(with: object, substitutionVariables: bindings ?? [:])
        return (holds ? whenTrue : whenFalse).value(for: object, bindings: bindings)
    }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode {
        ConditionalNode(
            predicate: predicate.substituting(variables), whenTrue: whenTrue.substituting(variables),
            whenFalse: whenFalse.substituting(variables))
    }

    package func equals(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? ConditionalNode else { return false }
        return predicate.structurallyEquals(other.predicate) && whenTrue.structurallyEquals(other.whenTrue)
            && whenFalse.structurallyEquals(other.whenFalse)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(whenTrue.hash)
        hasher.combine(whenFalse.hash)
    }
}
