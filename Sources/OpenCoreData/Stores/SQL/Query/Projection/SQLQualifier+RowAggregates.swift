import CoreDataPredicates

extension SQLQualifier {
    /// `max:(year)` where rows are gathered: the greatest year of the rows of a group. Nil for a to-many relationship,
    /// which each row gathers for itself, and for other functions.
    func rowAggregate(_ node: FunctionNode, in scope: SQLPredicateScope) throws -> SQLOperand? {
        guard let aggregate = Self.aggregates[node.selector] else { return nil }
        var argument = node.arguments[0]
        var isDistinct = false
        if let path = argument.node as? KeyPathNode, path.keys.first == ProjectedExpressions.distinctOperator {
            isDistinct = true
            let rest = path.keys.dropFirst().joined(separator: ".")
            argument = rest.isEmpty ? NSExpression.expressionForEvaluatedObject() : NSExpression(forKeyPath: rest)
        }
        if aggregate == .count, argument.node is EvaluatedObjectNode {
            return SQLOperand(.countRows, .integer, isOptional: false)
        }
        var inner = scope
        // The argument is a value of one row.
        inner.gathersRows = false
        let value: SQLOperand
        switch try side(argument, in: inner) {
        case .collection: return nil
        // What is counted may be of any kind: only whether it is there counts.
        case .operand(let operand) where aggregate == .count: value = operand
        default: value = try operand(argument, in: inner)
        }
        let gathered = SQLExpression.aggregate(aggregate, value.expression, distinct: isDistinct)
        switch aggregate {
        case .count, .list: return SQLOperand(gathered, .integer, isOptional: false)
        case .sum: return SQLOperand(.coalesce(gathered, .integer(0)), value.kind, isOptional: false)
        case .minimum, .maximum: return SQLOperand(gathered, value.kind)
        default: return SQLOperand(gathered, .real)
        }
    }
}
