extension NSExpression: FactoryInitializable {}

extension NSExpression {
    /// Creates an expression from its text, for example `"price * quantity"`.
    ///
    /// A text that isn't in the format language is a mistake of the programmer's and stops the program with a message.
    ///
    /// - Parameters:
    ///   - expressionFormat: the text, with placeholders as in `NSPredicate(format:_:)`.
    ///   - args: the arguments, in the order of their placeholders.
    public convenience init(format expressionFormat: String, _ args: any CVarArg...) {
        self.init(format: expressionFormat, argumentArray: args)
    }

    /// Creates an expression from its text and an array of arguments.
    ///
    /// - Parameters:
    ///   - expressionFormat: the text, with placeholders as in `NSPredicate(format:_:)`.
    ///   - arguments: the arguments, in the order of their placeholders.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(made: {
            do {
                return try NSExpression.parse(expressionFormat, arguments: arguments)
            } catch {
                programmingError("NSExpression(format:): \(error)")
            }
        })
    }

    /// Reads an expression from its text.
    ///
    /// - Throws: `PredicateFormatError`, with the position and what was expected there.
    package static func parse(_ format: String, arguments: [Any] = []) throws -> NSExpression {
        var parser = try PredicateParser(format: format, arguments: arguments)
        return try parser.expression()
    }
}
