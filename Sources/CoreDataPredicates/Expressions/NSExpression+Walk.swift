extension NSExpression {
    /// The value for an object, by the shortest way that still asks subclasses.
    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        if isComputedByNode { return node.value(for: object, bindings: bindings) }
        return expressionValue(with: object, context: Bindings.context(from: bindings))
    }

    /// The expression with variables replaced by constants; variables without a value stay.
    package func substituting(_ variables: [String: Any]) -> NSExpression {
        [TreePart.expression(self).substituting(variables)].expression(0)
    }

    /// Whether the node says everything: true but for subclasses that a program makes.
    package var isComputedByNode: Bool {
        type(of: self) == NSExpression.self || type(of: self) == NSFetchRequestExpression.self
    }

    /// An expression of the class that belongs to the node.
    package static func made(of node: any ExpressionNode) -> NSExpression {
        node is FetchRequestNode ? NSFetchRequestExpression(node: node) : NSExpression(node: node)
    }

    /// The value at a key path of this expression's value.
    func following(_ path: String) -> NSExpression {
        switch node {
        case is EvaluatedObjectNode:
            return NSExpression(forKeyPath: path)
        case let node as KeyPathNode:
            return NSExpression(forKeyPath: node.keyPath + "." + path)
        case let node as FunctionNode where node.target != nil && node.selector == "valueForKeyPath:":
            guard let target = node.target, node.arguments.count == 1,
                let start = (node.arguments[0].node as? ConstantNode)?.value as? String
            else { break }
            return target.following(start + "." + path)
        default: break
        }
        return NSExpression(
            forFunction: self, selectorName: "valueForKeyPath:", arguments: [NSExpression(forConstantValue: path)])
    }

    /// True if both have the same structure and equal constants. Blocks and subclasses equal only themselves.
    package func structurallyEquals(_ other: NSExpression) -> Bool {
        TreePart.equal(.expression(self), .expression(other))
    }
}

/// Variables travel as a Swift dictionary inside and as Apple's mutable dictionary outside.
enum Bindings {
    static func dictionary(from context: NSMutableDictionary?) -> [String: Any]? {
        guard let context else { return nil }
        var bindings: [String: Any] = [:]
        for (key, value) in context {
            if let key = key as? String { bindings[key] = value }
        }
        return bindings
    }

    static func context(from bindings: [String: Any]?) -> NSMutableDictionary? {
        guard let bindings else { return nil }
        let context = NSMutableDictionary()
        for (key, value) in bindings { context[key as NSString] = value }
        return context
    }
}
