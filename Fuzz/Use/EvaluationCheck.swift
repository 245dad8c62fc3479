import CoreDataPredicates

/// Finds the predicates that can be evaluated. Others stop the program with a message, as programming errors do.
enum EvaluationCheck {
    static func isHarmless(_ predicate: NSPredicate) -> Bool {
        switch predicate.kind {
        case .comparison(let comparison):
            // A regular expression may be invalid, and a valid one may take very long.
            return comparison.predicateOperatorType != .matches && isHarmless(comparison.leftExpression)
                && isHarmless(comparison.rightExpression)
        case .compound(_, let parts): return parts.allSatisfy(isHarmless)
        case .constant: return true
        case .block: return false
        }
    }

    static func bindings(of predicate: NSPredicate) -> [String: Any] {
        Dictionary(uniqueKeysWithValues: predicate.freeVariables.map { ($0, 1) })
    }

    private static func isHarmless(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case is ConstantNode, is EvaluatedObjectNode, is VariableNode: return true
        case let node as KeyPathNode: return leadsAlongObjects(node.keys)
        case let node as FunctionNode:
            // The supported messages depend on the class of the receiver.
            if node.target != nil { return false }
            if node.selector == "castObject:toType:", !(node.arguments[1].node is ConstantNode) { return false }
            return node.selector != "distanceToLocation:fromLocation:" && node.arguments.allSatisfy(isHarmless)
        case let node as SubqueryNode: return isHarmless(node.collection) && isHarmless(node.predicate)
        case let node as ConditionalNode:
            return isHarmless(node.predicate) && isHarmless(node.whenTrue) && isHarmless(node.whenFalse)
        case is AggregateNode, is SetOperationNode: return expression.node.children.allSatisfy(isHarmless)
        default: return false
        }
    }

    /// Only the last key may be a property of a value.
    private static func leadsAlongObjects(_ keys: [String]) -> Bool {
        keys.dropLast().allSatisfy { SampleObject.toOne.contains($0) || SampleObject.toMany.contains($0) }
            && keys.last.map {
                !$0.hasPrefix("@")
                    || ($0 == "@count" && keys.count > 1 && SampleObject.toMany.contains(keys[keys.count - 2]))
            } ?? false
    }
}
