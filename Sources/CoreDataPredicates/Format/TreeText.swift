/// A piece of the text of a predicate or expression.
package enum TextPiece {
    case text(String)
    case part(TreePart)

    static func part(_ expression: NSExpression) -> TextPiece { .part(.expression(expression)) }
    static func part(_ predicate: NSPredicate) -> TextPiece { .part(.predicate(predicate)) }
}

/// Puts texts together piece by piece.
enum TreeText {
    static func text(_ pieces: [TextPiece]) -> String {
        var result = ""
        var rest: [TextPiece] = pieces.reversed()
        while let piece = rest.popLast() {
            switch piece {
            case .text(let text): result += text
            case .part(.predicate(let predicate)): rest += PredicateText.pieces(predicate).reversed()
            case .part(.expression(let expression)):
                if expression.isComputedByNode {
                    rest += expression.node.pieces.reversed()
                } else {
                    result += expression.description
                }
            }
        }
        return result
    }

    /// The pieces of a list, with commas between.
    static func list(_ expressions: [NSExpression]) -> [TextPiece] {
        var pieces: [TextPiece] = []
        for expression in expressions {
            if !pieces.isEmpty { pieces.append(.text(", ")) }
            pieces.append(.part(expression))
        }
        return pieces
    }
}
