import CoreDataPredicates

extension SQLGenerator {
    mutating func append(_ condition: SQLCondition) {
        switch condition {
        case .constant(let value):
            write(value ? "1" : "0")
        case .comparison(let left, let comparison, let right):
            infix(left, comparison.rawValue, right)
        case .same(let left, let right, let isNegated):
            infix(left, isNegated ? dialect.notSameOperator : dialect.sameOperator, right)
        case .missing(let expression, let isNegated):
            append(expression)
            write(isNegated ? " IS NOT NULL" : " IS NULL")
        case .member(let expression, let values):
            member(expression, values)
        case .memberOfKeys(let expression):
            append(expression)
            write(" IN (" + dialect.keyListSource + ")")
        case .memberOfSelect(let expression, let select):
            append(expression)
            write(" IN (")
            append(select)
            write(")")
        case .text(let test, let left, let right, let options, let isNegated):
            let (name, constants) = dialect.function(test, options: options)
            if isNegated { write("NOT ") }
            call(name, [left, right], constants)
        case .exists(let select, let isNegated):
            write(isNegated ? "NOT EXISTS (" : "EXISTS (")
            append(select)
            write(")")
        case .all, .any:
            if condition.isDeep { cases(condition) } else { chain(condition) }
        case .fails(let inner):
            write("(")
            append(inner)
            write(") IS NOT TRUE")
        }
    }

    private mutating func infix(_ left: SQLExpression, _ symbol: String, _ right: SQLExpression) {
        append(left)
        write(" " + symbol + " ")
        append(right)
    }

    private mutating func chain(_ condition: SQLCondition) {
        switch condition {
        case .all(let conditions): chain(conditions[...], " AND ")
        case .any(let conditions): chain(conditions[...], " OR ")
        default: append(condition)
        }
    }

    /// Writes conditions that are nested deep as one list of cases, since engines bound the depth of parentheses: at
    /// each level the members but the deepest one decide, or leave the decision to that one.
    private mutating func cases(_ condition: SQLCondition) {
        write("CASE")
        var rest = condition
        while true {
            let (members, decides): ([SQLCondition], Bool)
            switch rest {
            case .all(let conditions): (members, decides) = (conditions, false)
            case .any(let conditions): (members, decides) = (conditions, true)
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
                write(decides ? ") THEN 1" : ") IS NOT TRUE THEN 0")
            }
            rest = members[deepest]
        }
    }

    /// Joins conditions. Long chains are written as groups of groups, since engines bound the depth of an expression
    /// and count each part of a chain as one level.
    private mutating func chain(_ conditions: ArraySlice<SQLCondition>, _ symbol: String) {
        let width = 64
        guard conditions.count > width else {
            list(Array(conditions), separator: symbol) { generator, condition in
                switch condition {
                case .all, .any:
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
            chain(rest.prefix(size), symbol)
            write(")")
            rest = rest.dropFirst(size)
        }
    }

    private mutating func member(_ expression: SQLExpression, _ values: [SQLValue]) {
        if values.count > dialect.maximumListCount, let packed = dialect.packed(values) {
            append(expression)
            write(" IN (" + packed.source + ")")
            take(packed.value)
            return
        }
        append(expression)
        write(" IN (")
        list(values) { $0.bind($1) }
        write(")")
    }
}
