import CoreDataPredicates

extension SQLQualifier {
    /// The functions of the library that SQL has too.
    func function(
        _ node: FunctionNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        if scope.gathersRows, let gathered = try rowAggregate(node, in: scope) { return gathered }
        if let operation = Self.arithmetic[node.selector] ?? Self.bits[node.selector] {
            let left = try number(node.arguments[0], of: expression, in: scope)
            let right = try number(node.arguments[1], of: expression, in: scope)
            if Self.bits[node.selector] != nil {
                return SQLOperand(.operation(left.expression, operation, right.expression), .integer)
            }
            return try calculation(operation, left, right, expression)
        }
        switch node.selector {
        case "bitwiseXor:with:":
            let left = try number(node.arguments[0], of: expression, in: scope).expression
            let right = try number(node.arguments[1], of: expression, in: scope).expression
            // The bits that one has but not both.
            let both = SQLExpression.complement(.operation(left, .and, right))
            return SQLOperand(.operation(both, .and, .operation(left, .or, right)), .integer)
        case "onesComplement:":
            return SQLOperand(
                .complement(try number(node.arguments[0], of: expression, in: scope).expression), .integer)
        case "abs:":
            let operand = try number(node.arguments[0], of: expression, in: scope)
            return SQLOperand(.call(.absolute, [operand.expression]), operand.kind, isOptional: operand.isOptional)
        case "uppercase:":
            return try text(.uppercase, node, expression, .string, in: scope)
        case "lowercase:":
            return try text(.lowercase, node, expression, .string, in: scope)
        case "canonical:":
            return try text(.fold([.caseInsensitive, .diacriticInsensitive]), node, expression, .string, in: scope)
        case "length:":
            return try text(.length, node, expression, .integer, in: scope)
        case "noindex:":
            return try operand(node.arguments[0], in: scope)
        case "castObject:toType:":
            return try cast(node, expression, in: scope)
        case "count:", "sum:", "average:", "min:", "max:":
            return try gathered(node, expression, in: scope)
        default:
            throw SQLQueryError.unsupported(
                "the function \(node.selector) in \u{201c}\(expression)\u{201d}", because: "SQL has no such function")
        }
    }

    private static let arithmetic: [String: SQLOperator] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "modulus:by:": .modulus,
    ]

    private static let bits: [String: SQLOperator] = [
        "bitwiseAnd:with:": .and, "bitwiseOr:with:": .or, "leftshift:by:": .leftShift, "rightshift:by:": .rightShift,
    ]

    private func calculation(
        _ operation: SQLOperator, _ left: SQLOperand, _ right: SQLOperand, _ expression: NSExpression
    ) throws -> SQLOperand {
        var isInteger = false
        if case .integer = left.kind, case .integer = right.kind { isInteger = true }
        switch operation {
        case .modulus where !isInteger:
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}", because: "SQL has a remainder of integers only")
        case .divide:
            // A whole real may be stored as an integer, so that SQL would cut the fraction off.
            let dividend = isInteger ? left.expression : .real(left.expression)
            let quotient = SQLExpression.operation(dividend, .divide, right.expression)
            if case .value(let divisor) = right.expression, divisor != .integer(0), divisor != .real(0) {
                return SQLOperand(quotient, isInteger ? .integer : .real)
            }
            // In memory a division by zero gives an infinity, in SQL nothing.
            let infinity = SQLExpression.operation(.real(left.expression), .multiply, .value(.real(.infinity)))
            return SQLOperand(
                .conditional(.comparison(right.expression, .equal, .integer(0)), infinity, quotient),
                isInteger ? .integer : .real)
        default:
            return SQLOperand(
                .operation(left.expression, operation, right.expression), isInteger ? .integer : .real,
                isOptional: left.isOptional || right.isOptional || operation == .modulus)
        }
    }

    private func number(
        _ argument: NSExpression, of expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        let operand = try operand(argument, in: scope)
        guard operand.kind.isNumber else {
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}", because: "\u{201c}\(argument)\u{201d} is no number")
        }
        return operand
    }

    private func text(
        _ function: SQLFunction, _ node: FunctionNode, _ expression: NSExpression, _ kind: SQLValueKind,
        in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        let operand = try operand(node.arguments[0], in: scope)
        guard case .string = operand.kind else {
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}",
                because: "\u{201c}\(node.arguments[0])\u{201d} is no string")
        }
        return SQLOperand(.call(function, [operand.expression]), kind, isOptional: operand.isOptional)
    }

    /// A date is stored as a number of seconds, so that both casts keep the value.
    private func cast(
        _ node: FunctionNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        let operand = try operand(node.arguments[0], in: scope)
        let type = (node.arguments[1].node as? ConstantNode)?.value as? String
        switch (operand.kind, type) {
        case (.date, "NSDate"), (.date, "Date"), (.string, "NSString"), (.string, "String"),
            (.integer, "NSNumber"), (.real, "NSNumber"):
            return operand
        case (.date, "NSNumber"):
            return SQLOperand(operand.expression, .real, isOptional: operand.isOptional)
        case (.integer, "NSDate"), (.real, "NSDate"):
            return SQLOperand(operand.expression, .date, isOptional: operand.isOptional)
        default:
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}",
                because: "SQL casts between dates and numbers only")
        }
    }

    /// `count:(songs)`, `max:(songs.year)`: as in memory, equal values of a set count once.
    private func gathered(
        _ node: FunctionNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        guard case .collection(let path) = try side(node.arguments[0], in: scope) else {
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}",
                because: "the argument must be a key path across a to-many relationship")
        }
        let distinct = !path.rest.isEmpty && !path.relationship.isOrdered
        switch node.selector {
        case "count:": return try SQLKeyPaths.gather(path, .count, distinct: distinct)
        case "sum:": return try SQLKeyPaths.gather(path, .sum, distinct: distinct)
        case "average:": return try SQLKeyPaths.gather(path, .average, distinct: distinct)
        case "min:": return try SQLKeyPaths.gather(path, .minimum, distinct: false)
        default: return try SQLKeyPaths.gather(path, .maximum, distinct: false)
        }
    }
}
