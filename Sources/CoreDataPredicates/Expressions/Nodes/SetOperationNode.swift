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
    package let depth: TreeDepth

    package init(operation: Operation, left: NSExpression, right: NSExpression) {
        self.operation = operation
        self.left = left
        self.right = right
        depth = .above(chain: left, isContinued: left.node is SetOperationNode, others: [.expression(right)])
    }

    package var type: NSExpression.ExpressionType {
        switch operation {
        case .union: .unionSet
        case .intersect: .intersectSet
        case .minus: .minusSet
        }
    }

    package var pieces: [TextPiece] {
        PredicateText.operand(left) + [.text(" \(operation.rawValue) ")] + PredicateText.operand(right)
    }

    package var parts: [TreePart] { [.expression(left), .expression(right)] }

    /// Operators of one level nest to the left: a loop goes along them.
    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        var chain = [self]
        var first = left
        while first.isComputedByNode, let next = first.node as? SetOperationNode {
            chain.append(next)
            first = next.left
        }
        var value = first.value(for: object, bindings: bindings)
        while let node = chain.popLast() {
            value = node.apply(value, node.right.value(for: object, bindings: bindings))
        }
        return value
    }

    private func apply(_ left: Any?, _ right: Any?) -> NSSet {
        let lefts = Self.elements(of: left)
        let rights = Self.elements(of: right)
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

    private static func elements(of value: Any?) -> [Any] {
        (Values.reached(by: value) ?? []).map { element in
            // A set asks for hashes, which Foundation's own decimals don't have on Linux.
            Swift.type(of: element) == NSDecimalNumber.self
                ? (element as? NSDecimalNumber).map { HashableDecimalNumber(decimal: $0.decimalValue) } ?? element
                : element
        }
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        SetOperationNode(operation: operation, left: parts.expression(0), right: parts.expression(1))
    }

    package func isAlike(_ other: any ExpressionNode) -> Bool { (other as? SetOperationNode)?.operation == operation }

    package func hash(into hasher: inout Hasher) { hasher.combine(operation) }
}
