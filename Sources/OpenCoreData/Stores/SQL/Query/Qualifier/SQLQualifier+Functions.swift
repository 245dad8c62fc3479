import CoreDataPredicates

extension SQLQualifier {
    /// The functions of the library that SQL has too.
    func function(
        _ node: FunctionNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        if scope.gathersRows, let gathered = try rowAggregate(node, in: scope) { return gathered }
        if let operation = Self.arithmetic[node.selector] {
            let left = try operand(node.arguments[0], in: scope)
            let right = try operand(node.arguments[1], in: scope)
            if let date = Self.dates(operation, left, right) { return date }
            try requireNumber(left, node.arguments[0], of: expression)
            try requireNumber(right, node.arguments[1], of: expression)
            return Self.calculation(operation, left, right)
        }
        if let operation = Self.bits[node.selector] {
            let left = try number(node.arguments[0], of: expression, in: scope).expression
            let right = try number(node.arguments[1], of: expression, in: scope).expression
            return SQLOperand(.operation(left, operation, right), .integer)
        }
        if Self.reals.contains(node.selector) {
            let operands = try node.arguments.map { try number($0, of: expression, in: scope) }
            return SQLOperand(
                .call(.library(node.selector), operands.map(\.expression)), .real,
                missingWhere: .disjunction(operands.map(\.isMissing)))
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
        case "abs:", "floor:", "ceiling:", "trunc:":
            return Self.rounded(node.selector, try number(node.arguments[0], of: expression, in: scope))
        case "random":
            return SQLOperand(.call(.library(node.selector), []), .integer, isOptional: false)
        case "randomn:":
            let limit = try number(node.arguments[0], of: expression, in: scope)
            return SQLOperand(.call(.library(node.selector), [limit.expression]), .integer)
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
        default:
            if let aggregate = Self.aggregates[node.selector] {
                return try gathered(aggregate, node.arguments[0], expression, in: scope)
            }
            throw SQLQueryError.unsupported(
                "the function \(node.selector) in \u{201c}\(expression)\u{201d}", because: "SQL has no such function")
        }
    }

    // MARK: Numbers

    private static let arithmetic: [String: SQLOperator] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "modulus:by:": .modulus,
    ]

    private static let bits: [String: SQLOperator] = [
        "bitwiseAnd:with:": .and, "bitwiseOr:with:": .or, "leftshift:by:": .leftShift, "rightshift:by:": .rightShift,
    ]

    /// The functions of numbers whose values are floating-point ones, be the arguments what they are.
    private static let reals: Set = ["sqrt:", "log:", "ln:", "exp:", "raise:toPower:"]

    /// Dates are stored as seconds: they are moved by seconds, and lie seconds apart.
    private static func dates(_ operation: SQLOperator, _ left: SQLOperand, _ right: SQLOperand) -> SQLOperand? {
        let kind: SQLValueKind
        switch (operation, left.kind.isDate, right.kind.isDate) {
        case (.add, true, false) where right.kind.isNumber, (.add, false, true) where left.kind.isNumber: kind = .date
        case (.subtract, true, false) where right.kind.isNumber: kind = .date
        case (.subtract, true, true): kind = .real
        default: return nil
        }
        return SQLOperand(
            .operation(left.expression, operation, right.expression), kind,
            missingWhere: .disjunction([left.isMissing, right.isMissing]))
    }

    private static func calculation(_ operation: SQLOperator, _ left: SQLOperand, _ right: SQLOperand) -> SQLOperand {
        let kind = left.kind.calculated(with: right.kind)
        let missing = SQLCondition.disjunction([left.isMissing, right.isMissing])
        switch operation {
        case .modulus where !kind.isInteger:
            let arguments = [SQLExpression.real(left.expression), .real(right.expression)]
            return SQLOperand(.call(.library("modulus:by:"), arguments), .real, missingWhere: missing)
        case .divide:
            // A whole real may be stored as an integer, so that SQL would cut the fraction off.
            let dividend = kind.isInteger ? left.expression : .real(left.expression)
            let quotient = SQLExpression.operation(dividend, .divide, right.expression)
            if case .value(let divisor) = right.expression, divisor != .integer(0), divisor != .real(0) {
                return SQLOperand(quotient, kind, isOptional: left.isOptional)
            }
            // A decimal divided by zero is no number; SQL has nothing for either.
            if kind.isDecimal { return SQLOperand(quotient, kind, missingWhere: missing) }
            // In memory another division by zero gives an infinity, in SQL nothing.
            let infinity = SQLExpression.operation(.real(left.expression), .multiply, .value(.real(.infinity)))
            return SQLOperand(
                .conditional(.comparison(right.expression, .equal, .integer(0)), infinity, quotient), kind,
                missingWhere: missing)
        default:
            let expression = SQLExpression.operation(left.expression, operation, right.expression)
            if kind.isInteger {
                return SQLOperand(
                    expression, kind, isOptional: left.isOptional || right.isOptional || operation == .modulus)
            }
            return SQLOperand(expression, kind, missingWhere: missing)
        }
    }

    /// Functions that keep an integer as it is, or what is most of them.
    private static func rounded(_ selector: String, _ operand: SQLOperand) -> SQLOperand {
        if operand.kind.isInteger {
            guard selector == "abs:" else { return operand }
            // The least integer has no positive one, at which SQL gives up.
            return SQLOperand(.call(.library(selector), [operand.expression]), .integer, isOptional: operand.isOptional)
        }
        if selector == "abs:" {
            return SQLOperand(.call(.absolute, [operand.expression]), operand.kind, missingWhere: operand.isMissing)
        }
        return SQLOperand(
            .call(.library(selector), [.real(operand.expression)]), .real, missingWhere: operand.isMissing)
    }

    private func number(
        _ argument: NSExpression, of expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        let operand = try operand(argument, in: scope)
        try requireNumber(operand, argument, of: expression)
        return operand
    }

    private func requireNumber(_ operand: SQLOperand, _ argument: NSExpression, of expression: NSExpression) throws {
        guard operand.kind.isNumber else {
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}", because: "\u{201c}\(argument)\u{201d} is no number")
        }
    }

    // MARK: Texts

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
}
