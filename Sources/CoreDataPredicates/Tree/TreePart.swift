/// A predicate or an expression, as a part of the tree that both make up.
///
/// Programs nest them as deep as they like, and a thread's stack may be small: so what goes through whole trees (texts,
/// equality, hashes, substitution, release) keeps its own stack instead of calling itself.
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
