/// A predicate that compares the values of two expressions, for example `name BEGINSWITH[c] "a"`.
///
/// Instances are immutable and may be used from any thread, as long as the constants in their expressions may.
open class NSComparisonPredicate: NSPredicate, NSSecureCoding {
    /// How a comparison treats a left side that is a collection.
    public enum Modifier: UInt, Sendable {
        /// Compares the values as they are.
        case direct = 0
        /// True if all elements of the left side compare true.
        case all = 1
        /// True if at least one element of the left side compares true.
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
        /// The whole left string matches the regular expression on the right.
        case matches = 6
        /// The left string matches the pattern on the right, with `?` for one character and `*` for any number.
        case like = 7
        /// The left string begins with the right one.
        case beginsWith = 8
        /// The left string ends with the right one.
        case endsWith = 9
        /// The left value is an element of the collection on the right, or a part of the string on the right.
        case `in` = 10
        /// The left collection holds the right value, or the left string holds the right one.
        case contains = 99
        /// The left value lies between the two values of the collection on the right, both included.
        case between = 100
    }

    /// How strings are compared.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// `[c]`: upper and lower case are equal.
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: letters with and without diacritics are equal.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// `[n]`: the strings were normalised before and are compared byte by byte; overrides the other options.
        public static let normalized = Options(rawValue: 4)
        /// `[l]`: letters are folded by the rules of the current locale. Apple's parser knows it, its headers don't.
        package static let localeSensitive = Options(rawValue: 8)
    }

    /// The expression on the left of the operator.
    public let leftExpression: NSExpression
    /// The expression on the right of the operator.
    public let rightExpression: NSExpression
    /// How a collection on the left is treated.
    public let comparisonPredicateModifier: Modifier
    /// The operator.
    public let predicateOperatorType: Operator
    /// How strings are compared.
    public let options: Options

    /// Set for a predicate out of an archive, when it is made.
    final var permission: EvaluationPermission?

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - lhs: the expression on the left of the operator.
    ///   - rhs: the expression on the right of the operator.
    ///   - modifier: how a collection on the left is treated.
    ///   - type: the operator.
    ///   - options: how strings are compared; of no effect on other values.
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

    /// Reads a comparison that `encode(with:)` wrote. It may not be evaluated before `allowEvaluation()`.
    public required init?(coder: NSCoder) {
        guard let decoded = PredicateCoding.decode(NSComparisonPredicate.self, from: coder) else { return nil }
        leftExpression = decoded.leftExpression
        rightExpression = decoded.rightExpression
        comparisonPredicateModifier = decoded.comparisonPredicateModifier
        predicateOperatorType = decoded.predicateOperatorType
        options = decoded.options
        permission = decoded.permission
        super.init(value: true)
    }

    /// Writes the comparison; one with a block in it stops the program.
    open func encode(with coder: NSCoder) { PredicateCoding.encode(self, with: coder) }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// The predicate in the format language.
    @available(*, deprecated, message: "use description")
    open override var predicateFormat: String { predicateText }

    /// The predicate in the format language.
    open override var description: String { predicateText }

    /// A predicate never changes, so the copy is the predicate itself.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// True if the other object is a predicate of the same structure with equal constants.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return structurallyEquals(other)
    }

    open override var hash: Int { structuralHash }

    /// True if the comparison holds for the object.
    open override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    /// True if the comparison holds for the object, with `$variables` taken from `bindings`.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        let calls = max(leftExpression.node.depth.calls, rightExpression.node.depth.calls)
        StackSpace.require(levels: calls, "The predicate")
        permission?.check("The predicate \(description)")
        let comparison = Comparison(self)
        let right = rightExpression.value(for: object, bindings: bindings)
        // ANY and ALL look at each object at the end of a path, also at those whose value is missing.
        if comparisonPredicateModifier != .direct, let leaves = leftExpression.leaves(for: object, bindings: bindings) {
            return comparison.holds(leaves: leaves, right: right)
        }
        return comparison.holds(left: leftExpression.value(for: object, bindings: bindings), right: right)
    }
}
