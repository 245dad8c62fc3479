// SPDX-License-Identifier: Apache-2.0

extension NSExpression {
    /// The value for an object. Subclasses are asked through `expressionValue(with:context:)`.
    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        if isEvaluatedByNode { return node.value(for: object, bindings: bindings) }
        return expressionValue(with: object, context: Bindings.context(from: bindings))
    }

    /// The expression with constants in place of variables. Variables without a value remain.
    func substituting(_ variables: [String: Any]) -> NSExpression {
        [TreePart.expression(self).substituting(variables)].expression(0)
    }

    /// True if the node says what the expression means, also in SQL; false for a subclass that only code computes.
    package var isComputedByNode: Bool { isEvaluatedByNode || !(node is SubclassNode) }

    /// True if the node computes the value in memory; false for the program's subclasses, which may override that.
    var isEvaluatedByNode: Bool {
        type(of: self) == NSExpression.self || type(of: self) == NSFetchRequestExpression.self
    }

    /// An expression with a node, of the class for the node.
    package static func expression(of node: any ExpressionNode) -> NSExpression {
        node is FetchRequestNode ? NSFetchRequestExpression(node: node) : NSExpression(node: node)
    }

    /// The expression for the value at a key path of this expression's value.
    package func appendingKeyPath(_ path: String) -> NSExpression {
        switch node {
        case is EvaluatedObjectNode:
            return NSExpression(forKeyPath: path)
        case let node as KeyPathNode:
            return NSExpression(forKeyPath: node.keyPath + "." + path)
        case let node as FunctionNode where node.target != nil && node.selector == "valueForKeyPath:":
            guard let target = node.target, node.arguments.count == 1,
                let start = (node.arguments[0].node as? ConstantNode)?.value as? String
            else { break }
            return target.appendingKeyPath(start + "." + path)
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

/// Conversion of variables between the Swift dictionary of this module and the mutable dictionary of Apple's API.
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

extension NSExpression {
    /// The hashed members of a long list of constants.
    var listMembers: ListMembers? {
        switch node {
        case let node as ConstantNode: node.members
        case let node as AggregateNode: node.members
        default: nil
        }
    }

    /// True for a path of several keys, which may cross several collections.
    var hasMultipleKeys: Bool {
        switch node {
        case let node as KeyPathNode: node.keys.count > 1
        case let node as FunctionNode: (node.keys?.count ?? 0) > 1
        default: false
        }
    }

    /// The values at the end of a key path, one for each path through its collections, missing values included; nil for
    /// another expression.
    func leaves(for object: Any?, bindings: [String: Any]?) -> [Any?]? {
        switch node {
        case let node as KeyPathNode: return KeyPathEvaluation.leaves(of: object, path: node.keys[...])
        case let node as FunctionNode:
            guard let keys = node.keys, let target = node.target else { return nil }
            return KeyPathEvaluation.leaves(of: target.value(for: object, bindings: bindings), path: keys[...])
        default: return nil
        }
    }
}
