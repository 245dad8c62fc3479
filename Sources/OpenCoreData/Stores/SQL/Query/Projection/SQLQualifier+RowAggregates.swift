import CoreDataPredicates

extension SQLQualifier {
    /// An aggregate of the rows of a group: `max:(year)`.
    ///
    /// Returns nil for a to-many relationship, which is aggregated for each row, and for other functions.
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
        inner.aggregatesRows = false
        let value: SQLOperand
        switch try side(argument, in: inner) {
        case .collection: return nil
        // Values of any kind can be counted.
        case .operand(let operand) where aggregate == .count: value = operand
        default: value = try operand(argument, in: inner)
        }
        let result = SQLExpression.aggregate(aggregate, value.expression, distinct: isDistinct)
        switch aggregate {
        case .count, .concatenation: return SQLOperand(result, .integer, isOptional: false)
        case .sum: return SQLOperand(.coalesce(result, .integer(0)), value.kind, isOptional: false)
        case .minimum, .maximum: return SQLOperand(result, value.kind)
        default: return SQLOperand(result, .real)
        }
    }
}
