// SPDX-License-Identifier: Apache-2.0

/// A predicate that compares the values of two expressions, for example `name BEGINSWITH[c] "a"`.
///
/// `NSPredicate(format:)` makes comparisons from text. Make one in code if its parts are known only at run time, for
/// example in a search form:
///
/// ```swift
/// func condition(key: String, text: String, ignoresCase: Bool) -> NSPredicate {
///     NSComparisonPredicate(
///         leftExpression: NSExpression(forKeyPath: key),
///         rightExpression: NSExpression(forConstantValue: text),
///         modifier: .direct, type: .contains, options: ignoresCase ? [.caseInsensitive, .diacriticInsensitive] : [])
/// }
/// ```
///
/// A modifier other than `.direct` is for a key path that crosses a to-many relationship: `.any` is `ANY songs.rating >
/// 3`, `.all` is `ALL songs.rating > 3`.
///
/// The SQLite store translates a comparison to a condition of `WHERE`: `rating > 3` to `t0.ZRATING > ?`, `title == "a"`
/// to `t0.ZTITLE = ?`, and `ANY` to `EXISTS (SELECT …)`. Comparisons by `==`, `<`, `BETWEEN`, `IN` and `BEGINSWITH`
/// without options can use an index. A subclass is translated by its parts: SQL never calls an override of
/// ``evaluate(with:)``.
///
/// In memory, a comparison with a missing value is false, except for `== nil`, and for `!=` with another value. In a
/// SQL store it is unknown, except for `== nil` and `!= nil`: neither the comparison nor `NOT` around it finds the
/// object. An invalid regular expression of `MATCHES` stops the program.
///
/// Instances are immutable. They may be used on any thread if the constants in their expressions may.
nonisolated open class NSComparisonPredicate: NSPredicate, NSSecureCoding {
    /// How a comparison treats a collection on the left side.
    public enum Modifier: UInt, Sendable {
        /// Compares the two values directly.
        case direct = 0
        /// `ALL`: true if the comparison is true for all elements of the left side.
        case all = 1
        /// `ANY`: true if the comparison is true for at least one element of the left side.
        case any = 2
    }

    /// The operators of comparisons.
    public enum Operator: UInt, Sendable {
        /// `<`
        case lessThan = 0
        /// `<=`
        case lessThanOrEqualTo = 1
        /// `>`
        case greaterThan = 2
        /// `>=`
        case greaterThanOrEqualTo = 3
        /// `==`
        case equalTo = 4
        /// `!=`
        case notEqualTo = 5
        /// The complete left string matches the regular expression on the right.
        case matches = 6
        /// The left string matches the pattern on the right, with `?` for one character and `*` for any number.
        case like = 7
        /// The left string begins with the right one.
        case beginsWith = 8
        /// The left string ends with the right one.
        case endsWith = 9
        /// The right collection contains the left value, or the right string contains the left one.
        case `in` = 10
        /// The left collection contains the right value, or the left string contains the right one.
        case contains = 99
        /// The left value is between the two values of the collection on the right, both included.
        case between = 100
    }

    /// How strings are compared.
    public struct Options: OptionSet, Sendable {
        /// The option bits, with Apple's numbers.
        public let rawValue: UInt

        /// Creates options from their bits.
        ///
        /// - Parameter rawValue: the bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// `[c]`: ignores case.
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: ignores diacritics.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// `[n]`: compares bytes, as the strings were normalized before. Overrides the other options.
        public static let normalized = Options(rawValue: 4)
        /// `[l]`: folds letters by the rules of the current locale. Apple's parser accepts it, but no header declares
        /// it.
        package static let localeSensitive = Options(rawValue: 8)
    }

    /// The expression on the left of the operator.
    public let leftExpression: NSExpression
    /// The expression on the right of the operator.
    public let rightExpression: NSExpression
    /// How the comparison treats a collection on the left.
    public let comparisonPredicateModifier: Modifier
    /// The operator.
    public let predicateOperatorType: Operator
    /// How strings are compared.
    public let options: Options

    /// Whether a predicate from an archive may be evaluated; nil for other predicates.
    final var permission: EvaluationPermission?
    /// How the comparison treats a missing value. Set before other code sees the comparison.
    package final var missingValues: MissingValues = .ofStore

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - lhs: the expression on the left of the operator.
    ///   - rhs: the expression on the right of the operator.
    ///   - modifier: how the comparison treats a collection on the left.
    ///   - type: the operator.
    ///   - options: how strings are compared. Options have no effect on other values.
    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression,
        modifier: Modifier, type: Operator, options: Options = []
    ) {
        leftExpression = lhs
        rightExpression = rhs
        comparisonPredicateModifier = modifier
        predicateOperatorType = type
        self.options = options
        super.init(value: true)
    }

    /// Decodes a comparison that `encode(with:)` wrote. It must not be evaluated before `allowEvaluation()`.
    ///
    /// - Parameter coder: a keyed unarchiver. Another coder stops the program.
    /// - Returns: nil for a damaged archive; the coder's `error` has the reason.
    public required init?(coder: NSCoder) {
        guard let decoded = PredicateCoding.decode(NSComparisonPredicate.self, from: coder) else { return nil }
        leftExpression = decoded.leftExpression
        rightExpression = decoded.rightExpression
        comparisonPredicateModifier = decoded.comparisonPredicateModifier
        predicateOperatorType = decoded.predicateOperatorType
        options = decoded.options
        permission = decoded.permission
        super.init(value: true)
        missingValues = decoded.missingValues
    }

    /// Encodes the comparison. A comparison with a block, or of a subclass, stops the program.
    ///
    /// - Parameter coder: a keyed archiver. Another coder stops the program.
    open func encode(with coder: NSCoder) { PredicateCoding.encode(self, with: coder) }

    /// True: comparisons support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// The predicate as a format string.
    @available(*, deprecated, message: "use description")
    open override var predicateFormat: String { predicateText }

    /// The predicate as a format string.
    open override var description: String { predicateText }

    /// The predicate itself, as it is immutable.
    ///
    /// - Parameter zone: ignored.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// True if the other object is a predicate of the same structure with equal constants.
    ///
    /// - Parameter object: the other object.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return structurallyEquals(other)
    }

    /// A hash that is equal for equal predicates.
    open override var hash: Int { structuralHash }

    /// Evaluates the comparison for an object.
    ///
    /// - Parameter object: the object, for example a managed object, on the queue of its context.
    open override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    /// Evaluates the comparison for an object, with values for variables.
    ///
    /// Stops the program if a variable has no value, if the object has no value for a key, and for a predicate from an
    /// archive before `allowEvaluation()`.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - bindings: the values by the variables' names, without `$`.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        let calls = max(leftExpression.node.depth.calls, rightExpression.node.depth.calls)
        StackSpace.require(levels: calls, "The predicate")
        permission?.check("The predicate \(description)")
        let comparison = Comparison(self)
        if case .unknown(let isNegated) = missingValues {
            return comparison.evaluate(object, bindings, isNegated: isNegated)
        }
        let right = rightExpression.value(for: object, bindings: bindings)
        // ANY and ALL test each object at the end of a path, also an object without a value.
        if comparisonPredicateModifier != .direct, let leaves = leftExpression.leaves(for: object, bindings: bindings) {
            return comparison.evaluate(leaves: leaves, right: right)
        }
        return comparison.evaluate(left: leftExpression.value(for: object, bindings: bindings), right: right)
    }
}
