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
        case .all(let conditions):
            chain(conditions[...], " AND ")
        case .any(let conditions):
            chain(conditions[...], " OR ")
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

    /// Joins conditions. Long chains are written as groups of groups, since engines bound the depth of an expression and
    /// count each part of a chain as one level.
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
            if let function = packed.function { write(function + "(") }
            append(expression)
            if packed.function != nil { write(")") }
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
