// SPDX-License-Identifier: Apache-2.0

// Regular expressions, and string comparisons by the rules of a language.

extension PredicateExpressions.StringContainsRegex: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        guard Subject.Output.self is any StringProtocol.Type,
            let value = (regex as? any ConstantPart)?.constant,
            let regex = value as? PredicateExpressions.PredicateRegex
        else { throw UntranslatableError("\(type(of: regex))") }
        // MATCHES compares the complete text.
        let pattern = NSExpression(forConstantValue: "(?s).*(?-s:\(regex.stringRepresentation)).*")
        return .predicate(try translation.expression(subject).compared(.matches, pattern))
    }
}

private protocol ConstantPart { var constant: Any { get } }
extension PredicateExpressions.Value: ConstantPart { fileprivate var constant: Any { value } }

/// A comparison of two strings that gives their order.
protocol StringOrderExpression: PredicateExpression<ComparisonResult> {
    /// The predicate that the order is the given one.
    func predicate(for order: ComparisonResult, by translation: PredicateTranslation) throws -> NSPredicate
}

extension PredicateExpressions {
    /// Whether a string contains another one, without regard to case and diacritics:
    /// `text.localizedStandardContains(other)`.
    ///
    /// Foundation on Linux lacks it. In the format language it is `CONTAINS[cdl]`.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = Bool

        /// The string that is searched.
        public let root: Root
        /// The string to find.
        public let other: Other

        /// Creates the expression.
        ///
        /// - Parameters:
        ///   - root: the string that is searched.
        ///   - other: the string to find.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// True if the first string contains the second.
        ///
        /// - Parameter bindings: the values of variables.
        /// - Throws: the error of a part.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            Strings.contains(
                String(try root.evaluate(bindings)), String(try other.evaluate(bindings)),
                [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
        }
    }

    /// The order of two strings without regard to case: `text.caseInsensitiveCompare(other)`.
    ///
    /// Foundation on Linux lacks it. In the format language it is a comparison with `[c]`.
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = ComparisonResult

        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Creates the expression.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The order of the two texts.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            Strings.order(String(try root.evaluate(bindings)), String(try other.evaluate(bindings)), [.caseInsensitive])
        }
    }

    /// The order of two strings by the rules of the user's language: `text.localizedCompare(other)`.
    ///
    /// Foundation on Linux lacks it. The format language can't express it.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = ComparisonResult

        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Creates the expression.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The order of the two texts.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            (String(try root.evaluate(bindings)) as NSString).localizedCompare(String(try other.evaluate(bindings)))
        }
    }

    /// The expression that `#Predicate` makes for `localizedStandardContains(_:)`.
    ///
    /// - Parameters:
    ///   - root: the string that is searched.
    ///   - other: the string to find.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// The expression that `#Predicate` makes for `caseInsensitiveCompare(_:)`.
    ///
    /// - Parameters:
    ///   - root: the first string.
    ///   - other: the second string.
    public static func build_caseInsensitiveCompare<Root, Other>(_ root: Root, _ other: Other)
        -> StringCaseInsensitiveCompare<Root, Other>
    {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// The expression that `#Predicate` makes for `localizedCompare(_:)`.
    ///
    /// - Parameters:
    ///   - root: the first string.
    ///   - other: the second string.
    public static func build_localizedCompare<Root, Other>(_ root: Root, _ other: Other) -> StringLocalizedCompare<
        Root, Other
    > {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: TranslatablePredicateExpression {
    func translated(by translation: PredicateTranslation) throws -> TranslatedExpression {
        .predicate(
            try translation.expression(root).compared(
                .contains, try translation.expression(other),
                [.caseInsensitive, .diacriticInsensitive, .localeSensitive]))
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: StringOrderExpression {
    func predicate(for order: ComparisonResult, by translation: PredicateTranslation) throws -> NSPredicate {
        let type: NSComparisonPredicate.Operator =
            switch order {
            case .orderedAscending: .lessThan
            case .orderedSame: .equalTo
            case .orderedDescending: .greaterThan
            }
        return try translation.expression(root).compared(type, try translation.expression(other), [.caseInsensitive])
    }
}
