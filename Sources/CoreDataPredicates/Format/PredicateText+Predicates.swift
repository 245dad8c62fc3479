extension NSPredicate {
    /// The predicate in the format language, for Foundation's own classes too, whose `predicateFormat` is wrong.
    package var predicateText: String {
        switch kind {
        case .comparison(let comparison): PredicateText.comparison(comparison)
        case .compound(let type, let subpredicates): PredicateText.compound(type, subpredicates)
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .block: "BLOCKPREDICATE(\(ObjectIdentifier(self).hashValue))"
        }
    }
}

extension PredicateText {
    static func comparison(_ predicate: NSComparisonPredicate) -> String {
        let modifier =
            switch predicate.comparisonPredicateModifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            }
        let operation = symbol(predicate.predicateOperatorType) + options(predicate.options)
        return "\(modifier)\(predicate.leftExpression) \(operation) \(predicate.rightExpression)"
    }

    static func compound(_ type: NSCompoundPredicate.LogicalType, _ subpredicates: [NSPredicate]) -> String {
        switch type {
        case .and:
            if subpredicates.isEmpty { return "TRUEPREDICATE" }
            return subpredicates.map { part($0) }.joined(separator: " AND ")
        case .or:
            if subpredicates.isEmpty { return "FALSEPREDICATE" }
            return subpredicates.map { part($0) }.joined(separator: " OR ")
        case .not:
            guard let subpredicate = subpredicates.first else { return "TRUEPREDICATE" }
            return "NOT " + part(subpredicate)
        }
    }

    /// A predicate as part of a larger one: in parentheses if it is a compound.
    private static func part(_ predicate: NSPredicate) -> String {
        if case .compound(_, let subpredicates) = predicate.kind, !subpredicates.isEmpty {
            return "(\(predicate.predicateText))"
        }
        return predicate.predicateText
    }

    static func symbol(_ type: NSComparisonPredicate.Operator) -> String {
        switch type {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        }
    }

    private static func options(_ options: NSComparisonPredicate.Options) -> String {
        var letters = ""
        if options.contains(.caseInsensitive) { letters += "c" }
        if options.contains(.diacriticInsensitive) { letters += "d" }
        if options.contains(.normalized) { letters += "n" }
        if options.contains(.localeSensitive) { letters += "l" }
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}
