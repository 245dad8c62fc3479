// SPDX-License-Identifier: Apache-2.0

extension PredicateParser {
    /// Parses `a OR b OR c`.
    mutating func disjunction() throws -> Item {
        try chain("OR", "||", .or) { try $0.conjunction() }
    }

    /// Parses `a AND b AND c`.
    private mutating func conjunction() throws -> Item {
        try chain("AND", "&&", .and) { try $0.negation() }
    }

    /// Parses predicates joined by one word into one compound.
    private mutating func chain(
        _ word: String, _ symbol: String, _ type: NSCompoundPredicate.LogicalType,
        _ next: (inout PredicateParser) throws -> Item
    ) throws -> Item {
        let first = try next(&self)
        guard keyword == word || isSymbol(symbol) else { return first }
        var predicates = [try predicate { _ in first }]
        while consumeKeyword(word, orSymbol: symbol) {
            predicates.append(try predicate(next))
        }
        return .predicate(CompoundPredicate(type: type, subpredicates: predicates))
    }

    /// Parses `NOT a`.
    private mutating func negation() throws -> Item {
        guard consumeKeyword("NOT", orSymbol: "!") else { return try comparison() }
        let negated = try nested { try $0.predicate { try $0.negation() } }
        return .predicate(CompoundPredicate(type: .not, subpredicates: [negated]))
    }

    /// Parses a predicate on the highest level of the grammar.
    mutating func condition() throws -> NSPredicate {
        try predicate { try $0.disjunction() }
    }

    /// Parses one level of the grammar, whose result must be a predicate.
    private mutating func predicate(_ level: (inout PredicateParser) throws -> Item) throws -> NSPredicate {
        guard case .predicate(let predicate) = try level(&self) else { throw error("expected a comparison operator") }
        return predicate
    }

    /// Parses `[ANY|ALL|NONE|SOME] a operator b`, an item in parentheses, or an expression alone.
    private mutating func comparison() throws -> Item {
        if consumeKeyword("TRUEPREDICATE") { return .predicate(NSPredicate(value: true)) }
        if consumeKeyword("FALSEPREDICATE") { return .predicate(NSPredicate(value: false)) }
        var modifier = NSComparisonPredicate.Modifier.direct
        var isNegated = false
        let hasModifier = keyword.map { Self.modifiers.contains($0) } ?? false
        if consumeKeyword("ANY") || consumeKeyword("SOME") {
            modifier = .any
        } else if consumeKeyword("ALL") {
            modifier = .all
        } else if consumeKeyword("NONE") {
            modifier = .any
            isNegated = true
        }
        let position = current.position
        let item = try operation()
        guard case .expression(let left) = item else {
            if hasModifier { throw error(at: position, "expected a key path of a collection") }
            return item
        }
        guard let type = comparisonOperator() else {
            if hasModifier { throw error("expected a comparison operator") }
            return item
        }
        let options = try comparisonOptions()
        let rightPosition = current.position
        guard case .expression(let right) = try operation() else {
            throw error(at: rightPosition, "expected an expression to compare with")
        }
        try checkPattern(right, type, options, at: rightPosition)
        let comparison = NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: modifier, type: type, options: options)
        return .predicate(isNegated ? CompoundPredicate(type: .not, subpredicates: [comparison]) : comparison)
    }

    private static let modifiers: Set<String> = ["ANY", "SOME", "ALL", "NONE"]

    private mutating func comparisonOperator() -> NSComparisonPredicate.Operator? {
        let type: NSComparisonPredicate.Operator? =
            switch current.kind {
            case .symbol(let symbol): Self.symbolOperators[symbol]
            case .word: keyword.flatMap { Self.wordOperators[$0] }
            default: nil
            }
        if type != nil { advance() }
        return type
    }

    private static let symbolOperators: [String: NSComparisonPredicate.Operator] = [
        "=": .equalTo, "==": .equalTo, "!=": .notEqualTo, "<>": .notEqualTo, "<": .lessThan, "<=": .lessThanOrEqualTo,
        "=<": .lessThanOrEqualTo, ">": .greaterThan, ">=": .greaterThanOrEqualTo, "=>": .greaterThanOrEqualTo,
    ]

    private static let wordOperators: [String: NSComparisonPredicate.Operator] = [
        "BETWEEN": .between, "IN": .in, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "CONTAINS": .contains,
        "LIKE": .like, "MATCHES": .matches,
    ]

    /// Parses the options after an operator, for example `[cd]`.
    private mutating func comparisonOptions() throws -> NSComparisonPredicate.Options {
        guard consumeSymbol("[") else { return [] }
        guard case .word(let letters) = current.kind else { throw error("expected c, d, n or l") }
        var options: NSComparisonPredicate.Options = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(.localeSensitive)
            default: throw error("expected c, d, n or l")
            }
        }
        advance()
        try expectSymbol("]")
        return options
    }

    /// Checks a constant pattern of `MATCHES`, so that the evaluation can't fail.
    private func checkPattern(
        _ right: NSExpression, _ type: NSComparisonPredicate.Operator, _ options: NSComparisonPredicate.Options,
        at position: Int
    ) throws {
        guard type == .matches, let pattern = (right.node as? ConstantNode)?.value as? String else { return }
        do {
            _ = try Strings.regularExpression(pattern, options)
        } catch {
            throw self.error(at: position, "expected a regular expression, not \"\(pattern)\"")
        }
    }
}
