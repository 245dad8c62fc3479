// SPDX-License-Identifier: Apache-2.0

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

    init(operation: Operation, left: NSExpression, right: NSExpression) {
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

    /// Operators of one precedence nest to the left, so a loop evaluates them without recursion.
    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        var chain = [self]
        var first = left
        while first.isEvaluatedByNode, let next = first.node as? SetOperationNode {
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
        return Values.set(result)
    }

    private static func elements(of value: Any?) -> [Any] { Values.flattenedElements(by: value) ?? [] }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        SetOperationNode(operation: operation, left: parts.expression(0), right: parts.expression(1))
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        (other as? SetOperationNode)?.operation == operation
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(operation) }
}

/// A list of expressions: `{1, price, $limit}`.
package struct AggregateNode: ExpressionNode {
    package let elements: [NSExpression]
    /// The value, if all elements are constants.
    private let constant: [Any]?
    /// The members of a long list of constants.
    let members: ListMembers?
    package let depth: TreeDepth

    package init(elements: [NSExpression]) {
        self.elements = elements
        depth = .above(elements.map(TreePart.expression))
        let constants = elements.compactMap { $0.node as? ConstantNode }
        constant =
            constants.count == elements.count
            ? constants.map { $0.value(for: nil, bindings: nil) ?? NSNull() } : nil
        members = constant.flatMap { $0.count < ListMembers.minimumCount ? nil : ListMembers($0) }
    }

    package var type: NSExpression.ExpressionType { .aggregate }
    package var pieces: [TextPiece] { [.text("{")] + TreeText.list(elements) + [.text("}")] }
    package var parts: [TreePart] { elements.map(TreePart.expression) }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        constant ?? elements.map { $0.value(for: object, bindings: bindings) ?? NSNull() } as [Any]
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        AggregateNode(elements: parts.indices.map { parts.expression($0) })
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        (other as? AggregateNode)?.elements.count == elements.count
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(elements.count) }
}
