/// The union, intersection or difference of two collections.
package struct SetOperationNode: ExpressionNode {
    package enum Operation: String, Sendable {
        case union = "UNION"
        case intersect = "INTERSECT"
        case minus = "MINUS"
    }

    package let operation: Operation
    package let left: NSExpression
    package let right: NSExpression

    package var type: NSExpression.ExpressionType {
        switch operation {
        case .union: .unionSet
        case .intersect: .intersectSet
        case .minus: .minusSet
        }
    }

    package var text: String {
        "\(PredicateText.operand(left)) \(operation.rawValue) \(PredicateText.operand(right))"
    }

    package var children: [NSExpression] { [left, right] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        let lefts = Values.elements(of: left.value(for: object, bindings: bindings)) ?? []
        let rights = Values.elements(of: right.value(for: object, bindings: bindings)) ?? []
        let result: [Any]
        switch operation {
        case .union: result = lefts + rights
        case .intersect: result = lefts.filter(ValueSet(rights).contains)
        case .minus:
            let members = ValueSet(rights)
            result = lefts.filter { !members.contains($0) }
        }
        return NSSet(array: Values.distinct(result))
    }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode {
        SetOperationNode(
            operation: operation, left: left.substituting(variables), right: right.substituting(variables))
    }

    package func equals(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? SetOperationNode else { return false }
        return operation == other.operation && left.structurallyEquals(other.left)
            && right.structurallyEquals(other.right)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(left.hash)
        hasher.combine(right.hash)
    }
}
