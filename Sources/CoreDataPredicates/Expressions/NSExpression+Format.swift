// SPDX-License-Identifier: Apache-2.0

extension NSExpression: FactoryInitializable {}

extension NSExpression {
    /// Creates an expression by parsing a format string.
    ///
    /// ```swift
    /// let discounted = NSExpression(format: "price * (100 - %d) / 100.0", 15)
    /// discounted.expressionValue(with: ["price": 20], context: nil)  // 17.0
    /// ```
    ///
    /// The language has arithmetic (`+`, `-`, `*`, `/`, `**`, and `|`, `&`, `^`, `<<`, `>>` for bits), functions
    /// (`max:(length)`, `sum:(lines.price)`), collection operators (`lines.@sum.price`), `CAST`, `TERNARY`, `SUBQUERY`,
    /// indexes (`songs[FIRST]`) and variables. Two integers are divided as integers, as in SQL.
    ///
    /// In an `NSExpressionDescription`, the SQLite store translates the expression to a column of the result:
    /// `price * 0.85` becomes `SELECT t0.ZPRICE * 0.85`.
    ///
    /// A format string with a mistake stops the program. The message has the string, the position of the mistake and
    /// the expected text.
    ///
    /// - Parameters:
    ///   - expressionFormat: the format string, with placeholders as in `NSPredicate(format:_:)`.
    ///   - args: the arguments, in the order of their placeholders.
    public convenience init(format expressionFormat: String, _ args: any CVarArg...) {
        self.init(format: expressionFormat, argumentArray: args)
    }

    /// Creates an expression by parsing a format string, with the arguments in an array.
    ///
    /// A format string with a mistake, and too few arguments, stop the program with a message.
    ///
    /// - Parameters:
    ///   - expressionFormat: the format string, with placeholders as in `NSPredicate(format:_:)`.
    ///   - arguments: the arguments, in the order of their placeholders.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(factory: {
            do {
                return try NSExpression.parse(expressionFormat, arguments: arguments)
            } catch {
                programmingError("NSExpression(format:): \(error)")
            }
        })
    }

    /// Unavailable: a C list of arguments does not tell the types of its arguments.
    ///
    /// - Parameters:
    ///   - expressionFormat: the format string.
    ///   - argList: the arguments.
    @available(
        *, unavailable, message: "Use init(format:argumentArray:): a C list does not tell the types of arguments."
    )
    public convenience init(format expressionFormat: String, arguments argList: CVaListPointer) {
        programmingError("init(format:arguments:) is unavailable.")
    }

    /// Parses a format string.
    ///
    /// - Parameters:
    ///   - format: the format string.
    ///   - arguments: the arguments, in the order of their placeholders.
    /// - Throws: `PredicateFormatError` with the position and the expected text.
    package static func parse(_ format: String, arguments: [Any] = []) throws -> NSExpression {
        var parser = try PredicateParser(format: format, arguments: arguments)
        return try parser.expression()
    }
}

extension NSExpression {
    /// Creates an expression for a Swift key path of a managed object, or of another ``SwiftKeyPathNaming`` type.
    ///
    /// A key path without a key stops the program: each of its properties must be a property of the model.
    ///
    /// - Parameter keyPath: the key path, for example `\Song.album?.title`.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(forKeyPath: SwiftKeyPaths.requiredKey(for: keyPath, of: "NSExpression(forKeyPath:)"))
    }
}
