extension NSPredicate {
    /// The predicate in the format language, for Foundation's own classes too, whose `predicateFormat` is wrong.
    package var predicateText: String { TreeText.text([.part(self)]) }
}

extension PredicateText {
    static func pieces(_ predicate: NSPredicate) -> [TextPiece] {
        switch predicate.kind {
        case .comparison(let comparison): self.comparison(comparison)
        case .compound(let type, let subpredicates): compound(type, subpredicates)
        case .constant(let value): [.text(value ? "TRUEPREDICATE" : "FALSEPREDICATE")]
        case .block: [.text("BLOCKPREDICATE(\(ObjectIdentifier(predicate).hashValue))")]
        }
    }

    private static func comparison(_ predicate: NSComparisonPredicate) -> [TextPiece] {
        let modifier =
            switch predicate.comparisonPredicateModifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            }
        let operation = symbol(predicate.predicateOperatorType) + options(predicate.options)
        return [
            .text(modifier), .part(predicate.leftExpression), .text(" \(operation) "), .part(predicate.rightExpression),
        ]
    }

    private static func compound(_ type: NSCompoundPredicate.LogicalType, _ subpredicates: [NSPredicate]) -> [TextPiece]
    {
        switch type {
        case .and: return joined(subpredicates, by: " AND ", orNone: "TRUEPREDICATE")
        case .or: return joined(subpredicates, by: " OR ", orNone: "FALSEPREDICATE")
        case .not:
            guard let subpredicate = subpredicates.first else { return [.text("TRUEPREDICATE")] }
            return [.text("NOT ")] + part(subpredicate)
        }
    }

    private static func joined(_ subpredicates: [NSPredicate], by word: String, orNone: String) -> [TextPiece] {
        var pieces: [TextPiece] = []
        for subpredicate in subpredicates {
            if !pieces.isEmpty { pieces.append(.text(word)) }
            pieces += part(subpredicate)
        }
        return pieces.isEmpty ? [.text(orNone)] : pieces
    }

    /// A predicate as part of a larger one: in parentheses if it is a compound.
    private static func part(_ predicate: NSPredicate) -> [TextPiece] {
        if case .compound(_, let subpredicates) = predicate.kind, !subpredicates.isEmpty {
            return [.text("("), .part(predicate), .text(")")]
        }
        return [.part(predicate)]
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
