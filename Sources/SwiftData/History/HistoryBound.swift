// SPDX-License-Identifier: Apache-2.0

/// The tokens in a predicate on transactions.
struct HistoryBound {
    /// The token after which all selected transactions are; nil if the predicate has no such token.
    let token: DefaultHistoryToken?
    /// All tokens of the predicate.
    let tokens: [DefaultHistoryToken]

    init(of predicate: Predicate<DefaultHistoryTransaction>?) {
        guard let predicate else {
            (token, tokens) = (nil, [])
            return
        }
        token = (predicate.expression as? any BoundedByToken)?.lowerToken
        var found: [DefaultHistoryToken] = []
        Self.find(in: predicate.expression, &found, depth: 0)
        tokens = found
    }

    /// Finds the tokens among the parts of an expression.
    private static func find(in part: Any, _ tokens: inout [DefaultHistoryToken], depth: Int) {
        if let token = part as? DefaultHistoryToken { return tokens.append(token) }
        // Expressions of the macro are not deeper than the source of the program.
        guard depth < 200, !(part is AnyKeyPath) else { return }
        for child in Mirror(reflecting: part).children { find(in: child.value, &tokens, depth: depth + 1) }
    }
}

/// A condition that may say which token all selected transactions are behind.
private protocol BoundedByToken {
    var lowerToken: DefaultHistoryToken? { get }
}

extension PredicateExpressions.Conjunction: BoundedByToken {
    fileprivate var lowerToken: DefaultHistoryToken? {
        (lhs as? any BoundedByToken)?.lowerToken ?? (rhs as? any BoundedByToken)?.lowerToken
    }
}

extension PredicateExpressions.Comparison: BoundedByToken
where
    LHS == PredicateExpressions.KeyPath<
        PredicateExpressions.Variable<DefaultHistoryTransaction>, DefaultHistoryToken
    >, RHS == PredicateExpressions.Value<DefaultHistoryToken>
{
    fileprivate var lowerToken: DefaultHistoryToken? { op == .greaterThan ? rhs.value : nil }
}
