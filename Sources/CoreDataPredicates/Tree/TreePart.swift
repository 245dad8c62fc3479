// SPDX-License-Identifier: Apache-2.0

/// A predicate or an expression, as a part of a tree of both.
///
/// A tree may be deep and the stack of a thread small. So code that traverses complete trees (texts, equality, hashes,
/// substitution, release) uses an explicit stack instead of recursion.
package enum TreePart {
    case predicate(NSPredicate)
    case expression(NSExpression)

    /// The parts directly inside.
    var parts: [TreePart] {
        switch self {
        case .expression(let expression): return expression.node.parts
        case .predicate(let predicate):
            switch predicate.kind {
            case .comparison(let comparison):
                return [.expression(comparison.leftExpression), .expression(comparison.rightExpression)]
            case .compound(_, let subpredicates): return subpredicates.map(TreePart.predicate)
            case .constant, .block: return []
            }
        }
    }

    var object: NSObject {
        switch self {
        case .expression(let expression): expression
        case .predicate(let predicate): predicate
        }
    }
}

/// The depth of a tree of expressions and predicates.
package struct TreeDepth: Sendable {
    /// The number of levels.
    let height: Int
    /// The depth of the recursion that evaluates the tree.
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

    /// The depth of a node that evaluates the chain of nodes of its kind on its left in a loop.
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
            // Foundation's compounds can't store their depth.
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

extension NSPredicate {
    /// The number of levels of the tree.
    package var levelCount: Int { TreePart.predicate(self).depth.height }
}

extension NSExpression {
    /// The number of levels of the tree.
    package var levelCount: Int { node.depth.height }
}

/// Releases a tree object by object, without recursion: the parts of an object are retained here while the object is
/// released.
///
/// It stores objects, not `TreePart`s, so that the check for a unique reference works.
struct TreeRelease {
    private var expressions: [NSExpression] = []
    private var predicates: [NSPredicate] = []

    mutating func add(_ parts: [TreePart]) {
        for part in parts {
            switch part {
            case .expression(let expression): expressions.append(expression)
            case .predicate(let predicate): predicates.append(predicate)
            }
        }
    }

    mutating func release() {
        while true {
            if !expressions.isEmpty {
                releaseExpression()
            } else if !predicates.isEmpty {
                releasePredicate()
            } else {
                return
            }
        }
    }

    private mutating func releaseExpression() {
        var expression = expressions.removeLast()
        if isKnownUniquelyReferenced(&expression) { add(expression.node.parts) }
    }

    private mutating func releasePredicate() {
        var predicate = predicates.removeLast()
        if isKnownUniquelyReferenced(&predicate) { add(TreePart.predicate(predicate).parts) }
    }
}

extension NSExpression {
    /// Whether code of the program computes a part of the value: a block, or a subclass.
    package var containsProgramCode: Bool {
        var rest = [TreePart.expression(self)]
        while let part = rest.popLast() {
            switch part {
            case .expression(let expression):
                if !expression.isEvaluatedByNode || expression.node is BlockNode { return true }
            case .predicate(let predicate):
                if case .block = predicate.kind { return true }
            }
            rest += part.parts
        }
        return false
    }
}
