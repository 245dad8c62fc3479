// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLGenerator {
    package mutating func append(_ expression: SQLExpression) {
        switch expression {
        case .column(let alias, let name):
            write(alias)
            write(".")
            write(Self.identifier(name))
        case .value(.null):
            write("NULL")
        case .value(let value):
            bind(value)
        case .keyParameter:
            write(addKeyParameter())
        case .call(let function, let arguments):
            guard let (name, constants) = dialect.function(function) else { return lack("\(function)") }
            call(name, arguments, constants)
        case .operation(let left, let symbol, let right):
            let (infix, suffix) = dialect.operation(symbol)
            write("(")
            append(left)
            write(infix)
            append(right)
            write(suffix + ")")
        case .bitwiseNot(let operand):
            write("(~")
            append(operand)
            write(")")
        case .conversion(let operand, let type):
            let (prefix, suffix) = dialect.conversion(to: type)
            write(prefix)
            append(operand)
            write(suffix)
        case .coalesce(let first, let second):
            write("COALESCE(")
            append(first)
            write(", ")
            append(second)
            write(")")
        case .conditional(let condition, let whenTrue, let whenFalse):
            write("CASE WHEN ")
            append(condition)
            write(" THEN ")
            append(whenTrue)
            write(" ELSE ")
            append(whenFalse)
            write(" END")
        case .countRows:
            write("COUNT(*)")
        case .aggregate(let aggregate, let operand, let distinct):
            guard let name = dialect.name(of: aggregate) else { return lack("\(aggregate)") }
            write(name + (distinct ? "(DISTINCT " : "("))
            append(operand)
            write(")")
        case .select(let select):
            write("(")
            append(select)
            write(")")
        }
    }

    mutating func call(_ name: String, _ arguments: [SQLExpression], _ constants: [Int64]) {
        write(name + "(")
        list(arguments + constants.map(SQLExpression.integer)) { $0.append($1) }
        write(")")
    }
}
