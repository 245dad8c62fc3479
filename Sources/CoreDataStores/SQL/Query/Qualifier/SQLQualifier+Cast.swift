// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLQualifier {
    /// `CAST(value, "NSDate")`. Conversions that SQL lacks call the function that casts in memory.
    func cast(
        _ node: FunctionNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        let operand = try operand(node.arguments[0], in: scope)
        guard let name = (node.arguments[1].node as? ConstantNode)?.value as? String, let target = Self.castKinds[name]
        else {
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}",
                because: "CAST knows \(FunctionLibrary.castTypes.joined(separator: ", "))")
        }
        switch (operand.kind, target) {
        case (.date, .date), (.string, .string), (.integer, .real), (.real, .real), (.decimal, .real),
            (.decimal, .decimal), (.uuid, .uuid), (.uri, .uri), (.data, .data):
            return operand
        case (.date, .real):
            return SQLOperand(Self.seconds(of: operand), .real, missingWhere: operand.isMissing)
        case (.integer, .date), (.real, .date), (.decimal, .date):
            return SQLOperand(.conversion(operand.expression, to: .date), .date, missingWhere: operand.isMissing)
        case (.integer, .decimal), (.real, .decimal), (.date, .decimal):
            return SQLOperand(
                .conversion(Self.seconds(of: operand), to: .decimal), .decimal, missingWhere: operand.isMissing)
        case (.string, _), (.integer, .string), (.real, .string), (.decimal, .string), (.date, .string),
            (.uuid, .string):
            return SQLOperand(converted(operand, to: name), target)
        case (.uri, .string):
            return SQLOperand(operand.expression, .string)
        default:
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}",
                because: "\u{201c}\(node.arguments[0])\u{201d} has no form as \(name)")
        }
    }

    /// The number of seconds that a date stands for; other values as they are.
    static func seconds(of operand: SQLOperand) -> SQLExpression {
        operand.kind.isDate ? .conversion(operand.expression, to: .seconds) : operand.expression
    }

    private func converted(_ operand: SQLOperand, to name: String) -> SQLExpression {
        .call(.cast(operand.kind.form), [operand.expression, .value(.text(name))])
    }

    /// A value as text, for tests of texts; nil for kinds that have no text.
    func asText(_ operand: SQLOperand) -> SQLExpression? {
        if case .uuid = operand.kind { return converted(operand, to: "NSString") }
        return operand.kind.isText ? operand.expression : nil
    }

    /// The kinds of the types that `CAST` accepts. A number may be an integer.
    private static let castKinds: [String: SQLValueKind] = [
        "NSDate": .date, "Date": .date, "NSString": .string, "String": .string, "NSNumber": .real, "Double": .real,
        "Float": .real, "Int": .real, "NSInteger": .real, "NSDecimalNumber": .decimal, "Decimal": .decimal,
        "NSUUID": .uuid, "UUID": .uuid, "NSURL": .uri, "URL": .uri, "NSData": .data, "Data": .data,
    ]
}

extension SQLValueKind {
    fileprivate var form: SQLValueForm {
        switch self {
        case .date: .date
        case .decimal: .decimal
        case .uuid: .uuid
        default: .natural
        }
    }
}
