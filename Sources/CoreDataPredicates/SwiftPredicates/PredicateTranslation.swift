// SPDX-License-Identifier: Apache-2.0

extension NSPredicate {
    /// Creates a predicate from a Swift predicate, for example `#Predicate<Song> { $0.title == "x" }`.
    ///
    /// Its key paths must have keys: they name properties of managed objects or of a ``SwiftKeyPathNaming`` type.
    ///
    /// - Parameter predicate: the Swift predicate. Captured values are read now.
    /// - Returns: nil if the format language can't express a part of the predicate, such as a computed property or a
    ///   range of a collection.
    public convenience init?<Input>(_ predicate: Predicate<Input>) where Input: NSObject {
        self.init(decoded: { try? PredicateTranslation.predicate(of: predicate) })
    }
}

extension NSExpression {
    /// Creates an expression from a Swift expression, for example `#Expression<Song, Int> { $0.title.count }`.
    ///
    /// - Parameter expression: the Swift expression. Captured values are read now.
    /// - Returns: nil if the format language can't express a part of the expression.
    public convenience init?<Input, Output>(_ expression: Expression<Input, Output>) where Input: NSObject {
        self.init(decoded: { try? PredicateTranslation.expression(of: expression) })
    }
}

/// The translation of one Swift predicate into the tree of the format language.
package final class PredicateTranslation {
    /// The expressions for the variables of the predicate, of subqueries and of unwrapped values.
    private var variables: [PredicateExpressions.VariableID: NSExpression] = [:]
    private var subqueryCount = 0
    private var depth = 0
    /// The deepest nesting that is translated: a decoded predicate could overflow the stack.
    private static let maximumDepth = 400
    /// The special types of the predicate.
    let types: (any PredicateTypes)?

    private init(_ types: (any PredicateTypes)?) { self.types = types }

    /// The predicate as a tree of the format language.
    ///
    /// - Throws: an `UntranslatableError` that names the part which the language can't express.
    package static func predicate<Input>(of predicate: Predicate<Input>, types: (any PredicateTypes)? = nil) throws
        -> NSPredicate
    {
        let translation = PredicateTranslation(types)
        translation.bind(predicate.variable, to: NSExpression.expressionForEvaluatedObject())
        return try translation.predicate(predicate.expression)
    }

    /// The predicate of several inputs as a tree of the format language: the first input is the evaluated object, the
    /// others are variables, as `$NAME` in a format is.
    ///
    /// - Parameter names: the names of the variables, without the dollar sign.
    /// - Throws: an `UntranslatableError` that names the part which the language can't express.
    package static func predicate<each Input>(
        of predicate: Predicate<repeat each Input>, names: [String], types: (any PredicateTypes)? = nil
    ) throws -> NSPredicate {
        let translation = PredicateTranslation(types)
        var inputs = ([NSExpression.expressionForEvaluatedObject()] + names.map(NSExpression.init(forVariable:)))[...]
        for variable in repeat each predicate.variable {
            guard let input = inputs.popFirst() else { throw UntranslatableError("an input without a name") }
            translation.bind(variable, to: input)
        }
        return try translation.predicate(predicate.expression)
    }

    static func expression<Input, Output>(of expression: Expression<Input, Output>) throws -> NSExpression {
        let translation = PredicateTranslation(nil)
        translation.bind(expression.variable, to: NSExpression.expressionForEvaluatedObject())
        return try translation.expression(expression.expression)
    }

    // MARK: Parts

    func translate(_ part: any PredicateExpression) throws -> TranslatedExpression {
        guard let part = part as? any TranslatablePredicateExpression else {
            throw UntranslatableError("\(type(of: part))")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw UntranslatableError("a predicate nested more than \(Self.maximumDepth) levels deep")
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
        guard let expression = variables[variable] else { throw UntranslatableError("a variable of another predicate") }
        return expression
    }

    /// A new variable name for the element of a subquery.
    func newVariableName() -> String {
        subqueryCount += 1
        return "x\(subqueryCount)"
    }
}

/// A part of a Swift predicate that the format language can express.
protocol TranslatablePredicateExpression: PredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression
}

/// The part of a Swift predicate that the format language can't express.
package struct UntranslatableError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
