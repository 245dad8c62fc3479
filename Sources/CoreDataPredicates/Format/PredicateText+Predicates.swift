// SPDX-License-Identifier: Apache-2.0

extension NSPredicate {
    /// The predicate as a format string. It is correct for Foundation's classes too, whose `predicateFormat` isn't.
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

    /// A subpredicate, in parentheses if it is a compound.
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

/// A piece of the text of a predicate or expression.
package enum TextPiece {
    case text(String)
    case part(TreePart)

    static func part(_ expression: NSExpression) -> TextPiece { .part(.expression(expression)) }
    static func part(_ predicate: NSPredicate) -> TextPiece { .part(.predicate(predicate)) }
}

/// Joins pieces of text, and the texts of the parts in them, without recursion.
enum TreeText {
    static func text(_ pieces: [TextPiece]) -> String {
        var result = ""
        var rest: [TextPiece] = pieces.reversed()
        while let piece = rest.popLast() {
            switch piece {
            case .text(let text): result += text
            case .part(.predicate(let predicate)): rest += PredicateText.pieces(predicate).reversed()
            case .part(.expression(let expression)):
                if expression.isEvaluatedByNode {
                    rest += expression.node.pieces.reversed()
                } else {
                    result += expression.description
                }
            }
        }
        return result
    }

    /// The pieces of a list separated by commas.
    static func list(_ expressions: [NSExpression]) -> [TextPiece] {
        var pieces: [TextPiece] = []
        for expression in expressions {
            if !pieces.isEmpty { pieces.append(.text(", ")) }
            pieces.append(.part(expression))
        }
        return pieces
    }
}
