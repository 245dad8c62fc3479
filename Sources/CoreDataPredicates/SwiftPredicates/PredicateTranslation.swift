/// Translates Swift's predicates into the tree of the format language. One is made for each predicate.
final class PredicateTranslation {
    /// What the variables of the predicate, of subqueries and of unwrapped values stand for.
    private var variables: [PredicateExpressions.VariableID: NSExpression] = [:]
    private var subqueryCount = 0
    private var depth = 0
    /// A predicate that was decoded may be nested deeper than a stack can take.
    private static let maximumDepth = 400

    static func predicate<Input>(of predicate: Predicate<Input>) throws -> NSPredicate {
        let translation = PredicateTranslation()
        translation.bind(predicate.variable, to: NSExpression.expressionForEvaluatedObject())
        return try translation.predicate(predicate.expression)
    }

    static func expression<Input, Output>(of expression: Expression<Input, Output>) throws -> NSExpression {
        let translation = PredicateTranslation()
        translation.bind(expression.variable, to: NSExpression.expressionForEvaluatedObject())
        return try translation.expression(expression.expression)
    }

    // MARK: Parts

    func translate(_ part: any PredicateExpression) throws -> TranslatedExpression {
        guard let part = part as? any TranslatablePredicateExpression else { throw Untranslatable("\(type(of: part))") }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw Untranslatable("a predicate nested more than \(Self.maximumDepth) levels deep")
        }
        return try part.translated(by: self)
    }

    func predicate(_ part: any PredicateExpression) throws -> NSPredicate { try translate(part).predicate }

    func expression(_ part: any PredicateExpression) throws -> NSExpression { try translate(part).expression }

    // MARK: Variables

    func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, to expression: NSExpression) {
        variables[variable.key] = expression
    }

    func value(of variable: PredicateExpressions.VariableID) throws -> NSExpression {
        guard let expression = variables[variable] else { throw Untranslatable("a variable of another predicate") }
        return expression
    }

    /// A name for the element of a subquery.
    func newVariableName() -> String {
        subqueryCount += 1
        return "x\(subqueryCount)"
    }
}

/// A part of a Swift predicate that has a form in the format language.
protocol TranslatablePredicateExpression: PredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression
}

/// Why a Swift predicate has no form in the format language.
struct Untranslatable: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
