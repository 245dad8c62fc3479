/// Lets a convenience initialiser of a Foundation class give an instance of a subclass of ours: an initialiser in a
/// protocol extension may assign `self`.
package protocol FactoryInitializable {}

extension FactoryInitializable {
    init(made make: () -> AnyObject) {
        self = make() as! Self
    }

    /// The object that is found in an archive; nil if there is none, or one of another class.
    package init?(decoded find: () -> AnyObject?) {
        guard let found = find() as? Self else { return nil }
        self = found
    }
}

extension NSPredicate: FactoryInitializable {}

extension NSPredicate {
    /// Creates a predicate from its text.
    ///
    /// ```swift
    /// NSPredicate(format: "artist.name == %@ AND ANY tags.%K BEGINSWITH[cd] %@", name, "title", "live")
    /// ```
    ///
    /// A text that isn't in the format language is a mistake of the programmer's and stops the program with a message.
    ///
    /// - Parameters:
    ///   - predicateFormat: the text; `%@` stands for a value, `%K` for a key path, `%d`, `%ld`, `%lld`, `%u`, `%f` and
    ///     their like for numbers.
    ///   - args: the arguments, in the order of their placeholders.
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) {
        self.init(format: predicateFormat, argumentArray: args)
    }

    /// Creates a predicate from its text and an array of arguments.
    ///
    /// - Parameters:
    ///   - predicateFormat: the text, as for `init(format:_:)`.
    ///   - arguments: the arguments, in the order of their placeholders.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(made: {
            do {
                return try NSPredicate.parse(predicateFormat, arguments: arguments ?? [])
            } catch {
                programmingError("NSPredicate(format:): \(error)")
            }
        })
    }

    /// Reads a predicate from its text.
    ///
    /// - Throws: `PredicateFormatError`, with the position and what was expected there.
    package static func parse(_ format: String, arguments: [Any] = []) throws -> NSPredicate {
        var parser = try PredicateParser(format: format, arguments: arguments)
        return try parser.predicate()
    }
}
