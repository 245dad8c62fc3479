/// Puts placeholders in the place of the constants of a predicate that no text gives again.
private struct PredicateArguments {
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
        for number in values.indices.reversed() { text = text.replacingOccurrences(of: "$\(prefix)\(number)", with: "%@") }
        return (text, values)
    }

    private mutating func replacing(_ predicate: NSPredicate) -> NSPredicate {
        switch predicate.kind {
        case .comparison(let comparison):
            return NSComparisonPredicate(
                leftExpression: replacing(comparison.leftExpression), rightExpression: replacing(comparison.rightExpression),
                modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType, options: comparison.options)
        case .compound(let type, let parts):
            return NSCompoundPredicate(type: type, subpredicates: parts.map { replacing($0) })
        case .constant, .block: return predicate
        }
    }

    private mutating func replacing(_ expression: NSExpression) -> NSExpression {
        guard expression.expressionType == .constantValue, let value = expression.constantValue else { return expression }
        if let again = try? NSExpression.parse(expression.node.text), again.structurallyEquals(expression),
            again.node.text == expression.node.text
        {
            return expression
        }
        values.append(value)
        return NSExpression(forVariable: prefix + String(values.count - 1))
    }
}

/// The texts of predicates and expressions for the notation: each is parsed again before it is written, so that no text says
/// something else than the model.
struct SourceTextCheck {
    /// Entity and key, for messages.
    let entity: String?
    let key: String?

    /// The text of a predicate. Constants that the format language can't say (dates, exact decimals) become `%@`, and their values
    /// elements `argument` that name the attribute of the text.
    func predicate(_ predicate: NSPredicate?, _ attribute: String) throws -> (text: String?, arguments: [SourceElement]) {
        guard let predicate else { return (nil, []) }
        let text = predicate.predicateText
        if gives(text, [], predicate) { return (text, []) }
        var split = PredicateArguments(avoiding: text)
        let (format, values) = split.format(predicate)
        let arguments = values.compactMap { SourceValue.element("argument", $0, of: attribute) }
        guard arguments.count == values.count, gives(format, arguments.compactMap(SourceValue.read), predicate) else {
            throw refusal("the predicate '\(text)'")
        }
        return (format, arguments)
    }

    private func gives(_ text: String, _ arguments: [Any], _ predicate: NSPredicate) -> Bool {
        guard let again = try? NSPredicate.parse(text, arguments: arguments) else { return false }
        // 1 and 1.0 are equal, but not the same text; a value that is given as an argument is what it was.
        return again.structurallyEquals(predicate) && (!arguments.isEmpty || again.predicateText == predicate.predicateText)
    }

    func expression(_ expression: NSExpression?) throws -> String? {
        guard let expression else { return nil }
        let text = SourceDerivation.text(expression)
        guard let again = try? SourceDerivation.read(text), again.structurallyEquals(expression) else {
            throw refusal("the expression '\(text)'")
        }
        return text
    }

    func refusal(_ what: String) -> CocoaError {
        let owner = [key.map { "'\($0)'" }, entity.map { "entity '\($0)'" }].compactMap { $0 }.joined(separator: " of ")
        return ModelFileError.notExpressible("\(what) of \(owner) has no text that gives it again.", entity: entity, key: key)
    }
}
