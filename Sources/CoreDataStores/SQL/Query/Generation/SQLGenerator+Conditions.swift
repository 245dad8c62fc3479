// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLGenerator {
    package mutating func append(_ condition: SQLCondition) {
        switch condition {
        case .constant(let value):
            write(dialect.constant(value))
        case .comparison(let left, let comparison, let right):
            infix(left, comparison.rawValue, right)
        case .nullSafeEqual(let left, let right, let isNegated):
            infix(left, isNegated ? dialect.nullSafeNotEqualOperator : dialect.nullSafeEqualOperator, right)
        case .isNull(let expression, let isNegated):
            append(expression)
            write(isNegated ? " IS NOT NULL" : " IS NULL")
        case .inValues(let expression, let values):
            appendMembership(of: expression, in: values)
        case .inKeys(let expression):
            append(expression)
            write(dialect.keyMembership(addKeyParameter()))
        case .inSelect(let expression, let select):
            append(expression)
            write(" IN (")
            append(select)
            write(")")
        case .text(let test, let left, let right, let options, let isNegated):
            guard let (name, constants) = dialect.function(test, options: options) else {
                return lack("\(test)")
            }
            if isNegated { write("NOT ") }
            call(name, [left, right], constants)
        case .exists(let select, let isNegated):
            write(isNegated ? "NOT EXISTS (" : "EXISTS (")
            append(select)
            write(")")
        case .and, .or:
            if condition.isDeep { appendCases(of: condition) } else { appendChain(condition) }
        case .isNotTrue(let inner):
            write("(")
            append(inner)
            write(") IS NOT TRUE")
        case .not(let inner):
            write("NOT (")
            append(inner)
            write(")")
        }
    }

    private mutating func infix(_ left: SQLExpression, _ symbol: String, _ right: SQLExpression) {
        append(left)
        write(" " + symbol + " ")
        append(right)
    }

    private mutating func appendChain(_ condition: SQLCondition) {
        switch condition {
        case .and(let conditions): appendChain(conditions[...], " AND ")
        case .or(let conditions): appendChain(conditions[...], " OR ")
        default: append(condition)
        }
    }

    /// Writes deeply nested conditions as one CASE, because engines limit the depth of parentheses.
    ///
    /// Each level is a WHEN: its members except the deepest one decide the result, or the next level does.
    private mutating func appendCases(of condition: SQLCondition) {
        write("CASE")
        var rest = condition
        while true {
            let (members, decides): ([SQLCondition], Bool)
            switch rest {
            case .and(let conditions): (members, decides) = (conditions, false)
            case .or(let conditions): (members, decides) = (conditions, true)
            default:
                write(" ELSE ")
                append(rest)
                write(" END")
                return
            }
            let depths = members.map(\.depth)
            let deepest = depths.firstIndex(of: depths.max() ?? 0) ?? 0
            let others = Array(members[..<deepest] + members[(deepest + 1)...])
            if !others.isEmpty {
                write(" WHEN (")
                append(decides ? SQLCondition.disjunction(others) : SQLCondition.conjunction(others))
                write(decides ? ") THEN " : ") IS NOT TRUE THEN ")
                write(dialect.constant(decides))
            }
            rest = members[deepest]
        }
    }

    /// Joins conditions by AND or OR.
    ///
    /// A long chain is written as groups of groups: engines limit the depth of an expression, and each part of a chain
    /// counts as one level.
    private mutating func appendChain(_ conditions: ArraySlice<SQLCondition>, _ symbol: String) {
        let width = 64
        guard conditions.count > width else {
            list(Array(conditions), separator: symbol) { generator, condition in
                switch condition {
                case .and, .or:
                    generator.write("(")
                    generator.append(condition)
                    generator.write(")")
                default:
                    generator.append(condition)
                }
            }
            return
        }
        let size = (conditions.count + width - 1) / width
        var rest = conditions
        var isFirst = true
        while !rest.isEmpty {
            if !isFirst { write(symbol) }
            isFirst = false
            write("(")
            appendChain(rest.prefix(size), symbol)
            write(")")
            rest = rest.dropFirst(size)
        }
    }

    private mutating func appendMembership(of expression: SQLExpression, in values: [SQLValue]) {
        append(expression)
        if values.count > dialect.maximumListCount, let list = dialect.list(values) {
            return write(list.membership(addParameter(list.value)))
        }
        write(" IN (")
        list(values) { $0.bind($1) }
        write(")")
    }
}
