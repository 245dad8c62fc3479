// SPDX-License-Identifier: Apache-2.0

extension NSExpression {
    /// The expression's kind.
    public var expressionType: ExpressionType { node.type }

    /// The value of a constant. Stops the program for another kind of expression.
    public var constantValue: Any? { part(ConstantNode.self).constant }

    /// The key path of a key path expression. Stops the program for another kind of expression.
    public var keyPath: String { part(KeyPathNode.self).keyPath }

    /// The name of a variable, or of the variable of a subquery, without `$`. Stops the program for another kind of
    /// expression.
    public var variable: String {
        switch node {
        case let node as VariableNode: node.name
        case let node as SubqueryNode: node.variable
        default: typeMismatch()
        }
    }

    /// The name of a function as a selector, for example `"sum:"`. Stops the program for another kind of expression.
    public var function: String {
        if node is KeyPathNode { return "valueForKeyPath:" }
        return part(FunctionNode.self).selector
    }

    /// The receiver of a function; for a key path, the evaluated object. Stops the program for another kind of
    /// expression.
    public var operand: NSExpression {
        if node is KeyPathNode { return NSExpression.expressionForEvaluatedObject() }
        return part(FunctionNode.self).operand
    }

    /// The arguments of a function or block. Stops the program for another kind of expression.
    public var arguments: [NSExpression]? {
        switch node {
        case let node as FunctionNode: node.arguments
        case let node as BlockNode: node.arguments
        case let node as KeyPathNode: [NSExpression(forConstantValue: node.keyPath)]
        default: typeMismatch()
        }
    }

    /// The collection of a subquery (an `NSExpression`), or the elements of an aggregate (an array of `NSExpression`).
    /// Stops the program for another kind of expression.
    public var collection: Any {
        switch node {
        case let node as SubqueryNode: node.collection
        case let node as AggregateNode: node.elements
        default: typeMismatch()
        }
    }

    /// The predicate of a subquery or conditional. Stops the program for another kind of expression.
    public var predicate: NSPredicate {
        switch node {
        case let node as SubqueryNode: node.predicate
        case let node as ConditionalNode: node.predicate
        default: typeMismatch()
        }
    }

    /// The left side of a set operation. Stops the program for another kind of expression.
    public var left: NSExpression { part(SetOperationNode.self).left }

    /// The right side of a set operation. Stops the program for another kind of expression.
    public var right: NSExpression { part(SetOperationNode.self).right }

    /// The expression of a conditional whose predicate is true. Stops the program for another kind of expression.
    public var `true`: NSExpression { part(ConditionalNode.self).whenTrue }

    /// The expression of a conditional whose predicate is false. Stops the program for another kind of expression.
    public var `false`: NSExpression { part(ConditionalNode.self).whenFalse }

    /// The block of a block expression. Stops the program for another kind of expression.
    public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any { part(BlockNode.self).block }

    private func part<Node: ExpressionNode>(_ type: Node.Type, _ name: String = #function) -> Node {
        guard let node = node as? Node else { typeMismatch(name) }
        return node
    }

    private func typeMismatch(_ name: String = #function) -> Never {
        programmingError(
            "The expression \(self) of type \(expressionType) has no \(name). Check expressionType first.")
    }
}
