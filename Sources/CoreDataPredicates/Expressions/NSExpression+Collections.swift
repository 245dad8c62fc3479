extension NSExpression {
    /// The members of a long list of constants, found by hash.
    var listMembers: ListMembers? {
        switch node {
        case let node as ConstantNode: node.members
        case let node as AggregateNode: node.members
        default: nil
        }
    }

    /// True for a path of several keys, which may cross several collections.
    var isLongKeyPath: Bool {
        switch node {
        case let node as KeyPathNode: node.keys.count > 1
        case let node as FunctionNode: (node.keys?.count ?? 0) > 1
        default: false
        }
    }

    /// The values at the end of a key path, one for each way through its collections, also those that are missing; nil
    /// for another expression.
    func leaves(for object: Any?, bindings: [String: Any]?) -> [Any?]? {
        switch node {
        case let node as KeyPathNode: return KeyPathWalk.leaves(of: object, path: node.keys[...])
        case let node as FunctionNode:
            guard let keys = node.keys, let target = node.target else { return nil }
            return KeyPathWalk.leaves(of: target.value(for: object, bindings: bindings), path: keys[...])
        default: return nil
        }
    }
}
