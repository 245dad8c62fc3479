extension NSExpression {
    /// The expression's kind.
    public var expressionType: ExpressionType { node.type }

    /// The value of a constant. Asking another kind stops the program.
    public var constantValue: Any? { part(ConstantNode.self).value }

    /// The key path of a key path expression. Asking another kind stops the program.
    public var keyPath: String { part(KeyPathNode.self).keyPath }

    /// The name of a variable, without `$`, or of the variable of a subquery. Asking another kind stops the program.
    public var variable: String {
        switch node {
        case let node as VariableNode: node.name
        case let node as SubqueryNode: node.variable
        default: wrongKind()
        }
    }

    /// The name of a function as a selector, for example `"sum:"`. Asking another kind stops the program.
    public var function: String {
        if node is KeyPathNode { return "valueForKeyPath:" }
        return part(FunctionNode.self).selector
    }

    /// The receiver of a function; for a key path the evaluated object. Asking another kind stops the program.
    public var operand: NSExpression {
        if node is KeyPathNode { return NSExpression.expressionForEvaluatedObject() }
        return part(FunctionNode.self).operand
    }

    /// The arguments of a function or block. Asking another kind stops the program.
    public var arguments: [NSExpression]? {
        switch node {
        case let node as FunctionNode: node.arguments
        case let node as BlockNode: node.arguments
        case let node as KeyPathNode: [NSExpression(forConstantValue: node.keyPath)]
        default: wrongKind()
        }
    }

    /// The collection of a subquery (an `NSExpression`), or the elements of an aggregate (an array of `NSExpression`).
    /// Asking another kind stops the program.
    public var collection: Any {
        switch node {
        case let node as SubqueryNode: node.collection
        case let node as AggregateNode: node.elements
        default: wrongKind()
        }
    }

    /// The predicate of a subquery or conditional. Asking another kind stops the program.
    public var predicate: NSPredicate {
        switch node {
        case let node as SubqueryNode: node.predicate
        case let node as ConditionalNode: node.predicate
        default: wrongKind()
        }
    }

    /// The left side of a set operation. Asking another kind stops the program.
    public var left: NSExpression { part(SetOperationNode.self).left }

    /// The right side of a set operation. Asking another kind stops the program.
    public var right: NSExpression { part(SetOperationNode.self).right }

    /// The expression that a conditional gives when its predicate holds. Asking another kind stops the program.
    public var `true`: NSExpression { part(ConditionalNode.self).whenTrue }

    /// The expression that a conditional gives when its predicate doesn't hold. Asking another kind stops the program.
    public var `false`: NSExpression { part(ConditionalNode.self).whenFalse }

    /// The block of a block expression. Asking another kind stops the program.
    public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any { part(BlockNode.self).block }

    private func part<Node: ExpressionNode>(_ type: Node.Type, _ name: String = #function) -> Node {
        guard let node = node as? Node else { wrongKind(name) }
        return node
    }

    private func wrongKind(_ name: String = #function) -> Never {
        programmingError(
            "The expression \(self) of type \(expressionType) has no \(name); look at expressionType first.")
    }
}
