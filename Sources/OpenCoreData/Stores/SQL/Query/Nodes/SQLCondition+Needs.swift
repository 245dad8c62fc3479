extension SQLCondition {
    /// The tables without a row of which the condition can't hold.
    var neededAliases: Set<String> {
        switch self {
        case .comparison(let left, _, let right): left.alias.union(right.alias)
        case .missing(let expression, isNegated: true), .member(let expression, _), .memberOfKeys(let expression),
            .memberOfSelect(let expression, _):
            expression.alias
        case .text(_, let left, .value(.text), _, isNegated: false): left.alias
        case .all(let conditions): conditions.reduce(into: []) { $0.formUnion($1.neededAliases) }
        default: []
        }
    }
}

extension SQLExpression {
    fileprivate var alias: Set<String> {
        if case .column(let alias, _) = self { [alias] } else { [] }
    }
}
