// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLQualifier {
    /// A function of the predicate library.
    func function(
        _ node: FunctionNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        if scope.aggregatesRows, let aggregate = try rowAggregate(node, in: scope) { return aggregate }
        if let operation = Self.arithmetic[node.selector] {
            let left = try operand(node.arguments[0], in: scope)
            let right = try operand(node.arguments[1], in: scope)
            if let date = Self.dates(operation, left, right) { return date }
            try requireNumber(left, node.arguments[0], of: expression)
            try requireNumber(right, node.arguments[1], of: expression)
            return Self.calculation(operation, left, right)
        }
        if let operation = Self.bits[node.selector] {
            let left = try number(node.arguments[0], of: expression, in: scope).wide
            let right = try number(node.arguments[1], of: expression, in: scope).wide
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
            let left = try number(node.arguments[0], of: expression, in: scope).wide
            let right = try number(node.arguments[1], of: expression, in: scope).wide
            // The bits that exactly one of them has.
            let notBoth = SQLExpression.bitwiseNot(.operation(left, .bitwiseAnd, right))
            return SQLOperand(.operation(notBoth, .bitwiseAnd, .operation(left, .bitwiseOr, right)), .integer)
        case "onesComplement:":
            return SQLOperand(
                .bitwiseNot(try number(node.arguments[0], of: expression, in: scope).expression), .integer)
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
                return try self.aggregate(aggregate, node.arguments[0], expression, in: scope)
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
        "bitwiseAnd:with:": .bitwiseAnd, "bitwiseOr:with:": .bitwiseOr, "leftshift:by:": .leftShift,
        "rightshift:by:": .rightShift,
    ]

    /// The functions that return floating-point numbers for arguments of any number type.
    private static let reals: Set = ["sqrt:", "log:", "ln:", "exp:", "raise:toPower:"]

    /// A date plus or minus seconds, or the seconds between two dates; nil for other operands.
    private static func dates(_ operation: SQLOperator, _ left: SQLOperand, _ right: SQLOperand) -> SQLOperand? {
        let isDate: Bool
        switch (operation, left.kind.isDate, right.kind.isDate) {
        case (.add, true, false) where right.kind.isNumber, (.add, false, true) where left.kind.isNumber: isDate = true
        case (.subtract, true, false) where right.kind.isNumber: isDate = true
        case (.subtract, true, true): isDate = false
        default: return nil
        }
        let seconds = SQLExpression.operation(Self.seconds(of: left), operation, Self.seconds(of: right))
        return SQLOperand(
            isDate ? .conversion(seconds, to: .date) : seconds, isDate ? .date : .real,
            missingWhere: .disjunction([left.isMissing, right.isMissing]))
    }

    private static func calculation(_ operation: SQLOperator, _ left: SQLOperand, _ right: SQLOperand) -> SQLOperand {
        let kind = left.kind.promoted(with: right.kind)
        let missing = SQLCondition.disjunction([left.isMissing, right.isMissing])
        switch operation {
        case .modulus where !kind.isInteger:
            let arguments = [SQLExpression.real(left.expression), .real(right.expression)]
            return SQLOperand(.call(.library("modulus:by:"), arguments), .real, missingWhere: missing)
        case .divide:
            // A column may contain a whole real as an integer: an integer division would drop the fraction.
            let dividend = kind.isInteger ? left.wide : .real(left.expression)
            let quotient = SQLExpression.operation(dividend, .divide, right.wide)
            // A decimal divided by zero is NaN in memory and NULL in SQL.
            if kind.isDecimal || right.expression.isNonzero {
                return SQLOperand(quotient, kind, missingWhere: missing)
            }
            // Other divisions by zero give an infinity in memory, or NaN for zero, and NULL in SQL.
            let infinity = SQLExpression.operation(.real(left.expression), .multiply, .value(.real(.infinity)))
            let isUndefined = SQLCondition.comparison(left.expression, .equal, .integer(0))
            return SQLOperand(
                .conditional(
                    .comparison(right.expression, .equal, .integer(0)),
                    .conditional(isUndefined, .value(.null), infinity), quotient), kind, missingWhere: missing)
        default:
            let expression = SQLExpression.operation(left.wide, operation, right.wide)
            if kind.isInteger {
                return SQLOperand(
                    expression, kind, isOptional: left.isOptional || right.isOptional || operation == .modulus)
            }
            return SQLOperand(expression, kind, missingWhere: missing)
        }
    }

    /// `abs:` and the functions that round, which return an integer unchanged.
    private static func rounded(_ selector: String, _ operand: SQLOperand) -> SQLOperand {
        if operand.kind.isInteger {
            guard selector == "abs:" else { return operand }
            // SQL fails for the smallest integer, whose absolute value is no integer.
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

extension SQLExpression {
    /// Whether the value is known to differ from zero.
    fileprivate var isNonzero: Bool {
        switch self {
        case .value(.integer(let value)): value != 0
        case .value(.real(let value)): value != 0
        default: false
        }
    }
}
