// SPDX-License-Identifier: Apache-2.0

/// Lets a convenience initializer of a Foundation class return an instance of a subclass of this package: an
/// initializer in a protocol extension may assign `self`.
package protocol FactoryInitializable {}

extension FactoryInitializable {
    init(factory make: () -> AnyObject) {
        self = make() as! Self
    }

    /// Initializes with an object that a closure decodes; nil if the closure gives none, or one of another class.
    package init?(decoded find: () -> AnyObject?) {
        guard let found = find() as? Self else { return nil }
        self = found
    }
}

extension NSPredicate: FactoryInitializable {}

extension NSPredicate {
    /// Creates a predicate by parsing a format string.
    ///
    /// ```swift
    /// let songs = NSFetchRequest<Song>(entityName: "Song")
    /// songs.predicate = NSPredicate(
    ///     format: "title BEGINSWITH %@ AND artist.name == %@ AND rating > %d", "Let", "The Beatles", 3)
    /// ```
    ///
    /// A placeholder is replaced by one argument and is written without quotes: `%@` for a value or object, `%K` for a
    /// key path, and `%d`, `%ld`, `%lld`, `%u`, `%x` and `%f` for numbers. `$name` is a variable, which
    /// ``withSubstitutionVariables(_:)`` replaces. Write `#` before a key that is a word of the language: `#size > 2`.
    ///
    /// Arguments of `%@` are strings, numbers, `Date`, `UUID`, `URL`, `Data`, `Decimal`, `NSNull`, managed objects and
    /// their object IDs, collections of these for `IN` and `BETWEEN`, and `NSExpression`. The predicate retains them.
    ///
    /// The SQLite store translates the predicate to the `WHERE` of the statement and binds the arguments:
    ///
    /// ```sql
    /// SELECT … FROM ZSONG t0 LEFT OUTER JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK
    /// WHERE t0.ZTITLE >= ? AND t0.ZTITLE < ? AND t1.ZNAME = ? AND t0.ZRATING > ?
    /// ```
    ///
    /// A format string with a mistake stops the program. The message has the string, the position of the mistake and
    /// the expected text. Too few arguments, or an argument of another type than its placeholder, stop it too.
    /// The initializer may be called on any thread.
    ///
    /// - Parameters:
    ///   - predicateFormat: the format string.
    ///   - args: the arguments, in the order of their placeholders.
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) {
        self.init(format: predicateFormat, argumentArray: args)
    }

    /// Unavailable: a C list of arguments does not tell the types of its arguments.
    ///
    /// - Parameters:
    ///   - predicateFormat: the format string.
    ///   - argList: the arguments.
    @available(
        *, unavailable, message: "Use init(format:argumentArray:): a C list does not tell the types of arguments."
    )
    public convenience init(format predicateFormat: String, arguments argList: CVaListPointer) {
        programmingError("init(format:arguments:) is unavailable.")
    }

    /// Creates a predicate by parsing a format string, with the arguments in an array.
    ///
    /// Use it if the number of conditions isn't known when the program is written:
    ///
    /// ```swift
    /// let words = ["love", "night"]
    /// let predicate = NSPredicate(
    ///     format: words.map { _ in "title CONTAINS[cd] %@" }.joined(separator: " OR "), argumentArray: words)
    /// ```
    ///
    /// The SQLite store translates it to `WHERE` with one condition for each word. An array as an argument stands for
    /// one placeholder: `NSPredicate(format: "rating IN %@", argumentArray: [[1, 2, 3]])`.
    ///
    /// A format string with a mistake, and too few arguments, stop the program with a message.
    ///
    /// - Parameters:
    ///   - predicateFormat: the format string, as for ``init(format:_:)``.
    ///   - arguments: the arguments, in the order of their placeholders; nil for none.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(factory: {
            do {
                return try NSPredicate.parse(predicateFormat, arguments: arguments ?? [])
            } catch {
                programmingError("NSPredicate(format:): \(error)")
            }
        })
    }

    /// Parses a format string.
    ///
    /// - Parameters:
    ///   - format: the format string.
    ///   - arguments: the arguments, in the order of their placeholders.
    /// - Throws: `PredicateFormatError` with the position and the expected text.
    package static func parse(_ format: String, arguments: [Any] = []) throws -> NSPredicate {
        var parser = try PredicateParser(format: format, arguments: arguments)
        return try parser.predicate()
    }
}
