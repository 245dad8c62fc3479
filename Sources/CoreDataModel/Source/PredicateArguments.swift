// SPDX-License-Identifier: Apache-2.0

/// Replaces constants of a predicate by placeholders, if the constants can't be read from text without a loss.
struct PredicateArguments {
    /// The prefix of the variables that stand for values temporarily.
    private let prefix: String
    private var values: [Any] = []

    /// Creates the replacement.
    ///
    /// - Parameter text: the text of the predicate, which must not contain the prefix.
    init(avoiding text: String) {
        var prefix = "argument_"
        while text.contains(prefix) { prefix += "_" }
        self.prefix = prefix
    }

    mutating func format(_ predicate: NSPredicate) -> (text: String, values: [Any]) {
        var text = replacing(predicate).predicateText
        // Larger numbers are replaced first, because the name of one variable can be the beginning of another.
        for number in values.indices.reversed() {
            text = text.replacingOccurrences(of: "$\(prefix)\(number)", with: "%@")
        }
        return (text, values)
    }

    private mutating func replacing(_ predicate: NSPredicate) -> NSPredicate {
        switch predicate.kind {
        case .comparison(let comparison):
            return NSComparisonPredicate(
                leftExpression: replacing(comparison.leftExpression),
                rightExpression: replacing(comparison.rightExpression),
                modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
                options: comparison.options)
        case .compound(let type, let parts):
            return NSCompoundPredicate(type: type, subpredicates: parts.map { replacing($0) })
        case .constant, .block: return predicate
        }
    }

    private mutating func replacing(_ expression: NSExpression) -> NSExpression {
        guard expression.expressionType == .constantValue, let value = expression.constantValue else {
            return expression
        }
        if let parsed = try? NSExpression.parse(expression.node.text), parsed.structurallyEquals(expression),
            parsed.node.text == expression.node.text
        {
            return expression
        }
        values.append(value)
        return NSExpression(forVariable: prefix + String(values.count - 1))
    }
}
