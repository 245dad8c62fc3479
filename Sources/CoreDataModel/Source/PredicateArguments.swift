/// Puts placeholders in the place of the constants of a predicate that no text gives again.
struct PredicateArguments {
    /// The variables that stand for values until the text is made.
    private let prefix: String
    private var values: [Any] = []

    /// - Parameter text: the predicate's text, with which the variables must not be confused.
    init(avoiding text: String) {
        var prefix = "argument_"
        while text.contains(prefix) { prefix += "_" }
        self.prefix = prefix
    }

    mutating func format(_ predicate: NSPredicate) -> (text: String, values: [Any]) {
        var text = replacing(predicate).predicateText
        // The longer numbers first: a variable's name may begin another's.
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
        if let again = try? NSExpression.parse(expression.node.text), again.structurallyEquals(expression),
            again.node.text == expression.node.text
        {
            return expression
        }
        values.append(value)
        return NSExpression(forVariable: prefix + String(values.count - 1))
    }
}
