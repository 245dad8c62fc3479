/// How deep a tree of expressions and predicates is.
package struct TreeDepth: Sendable {
    /// The levels of the tree.
    let height: Int
    /// The calls within calls that its evaluation takes.
    let calls: Int

    static let leaf = TreeDepth(height: 0, calls: 0)

    /// The depth of a node with these parts.
    static func above(_ parts: [TreePart]) -> TreeDepth {
        var (height, calls) = (0, 0)
        for part in parts {
            let depth = part.depth
            height = max(height, depth.height)
            calls = max(calls, depth.calls)
        }
        return TreeDepth(height: height + 1, calls: calls + 1)
    }

    /// The depth of a node that evaluates the chain of its kind on its left in a loop.
    static func above(chain: NSExpression, isContinued: Bool, others: [TreePart]) -> TreeDepth {
        let (left, right) = (chain.node.depth, above(others))
        return TreeDepth(
            height: max(left.height + 1, right.height),
            calls: max(isContinued ? left.calls : left.calls + 1, right.calls))
    }
}

extension TreePart {
    var depth: TreeDepth {
        switch self {
        case .expression(let expression): return expression.node.depth
        case .predicate(let predicate):
            // Foundation's compounds can't keep their depth.
            var deepest = TreeDepth.leaf
            var rest = [(predicate, 1)]
            while let (predicate, level) = rest.popLast() {
                deepest = TreeDepth(height: max(deepest.height, level), calls: max(deepest.calls, level))
                switch predicate.kind {
                case .comparison(let comparison):
                    let (left, right) = (comparison.leftExpression.node.depth, comparison.rightExpression.node.depth)
                    deepest = TreeDepth(
                        height: max(deepest.height, level + max(left.height, right.height)),
                        calls: max(deepest.calls, level + max(left.calls, right.calls)))
                case .compound(_, let subpredicates): rest += subpredicates.map { ($0, level + 1) }
                case .constant, .block: break
                }
            }
            return deepest
        }
    }
}
