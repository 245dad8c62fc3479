// SPDX-License-Identifier: Apache-2.0

/// A recursive descent parser of the format language.
///
/// A parenthesis may open a predicate or an expression. So the functions of all levels, from `OR` down to the operand,
/// return an `Item`, which is one of both. Precedence: `NOT` before `AND` before `OR`, as in Apple's grammar.
struct PredicateParser {
    /// The result of one level of the grammar.
    enum Item {
        case predicate(NSPredicate)
        case expression(NSExpression)
    }

    /// The deepest nesting that is parsed. It bounds the recursion for hostile texts.
    static let depthLimit = 100
    /// Below this depth, the parser doesn't check the free space of the thread's stack.
    private static let uncheckedDepth = 24
    /// The most operators and indexes in a text. They nest to the left without recursion of the parser, but each makes
    /// the tree one level deeper.
    static let operatorLimit = 1000

    let format: String
    let tokens: [PredicateToken]
    var index = 0
    var depth = 0
    var operatorCount = 0
    /// The end of the thread's stack, read once.
    private var stackEnd: UInt?
    private let arguments: [Any]
    private var nextArgument = 0

    init(format: String, arguments: [Any]) throws {
        self.format = format
        tokens = try PredicateTokens.tokens(of: format)
        self.arguments = arguments
    }

    /// Parses the complete text as a predicate.
    mutating func predicate() throws -> NSPredicate {
        let result = try condition()
        try expectEnd("expected AND, OR or the end")
        return result
    }

    /// Parses the complete text as an expression.
    mutating func expression() throws -> NSExpression {
        let position = current.position
        guard case .expression(let result) = try disjunction() else {
            throw error(at: position, "expected an expression, not a predicate")
        }
        try expectEnd("expected an operator or the end")
        return result
    }

    // MARK: Tokens

    var current: PredicateToken { tokens[index] }

    mutating func advance() {
        if index + 1 < tokens.count { index += 1 }
    }

    func isSymbol(_ symbol: String, ahead: Int = 0) -> Bool {
        guard index + ahead < tokens.count, case .symbol(symbol) = tokens[index + ahead].kind else { return false }
        return true
    }

    mutating func consumeSymbol(_ symbol: String) -> Bool {
        guard isSymbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func expectSymbol(_ symbol: String) throws {
        guard consumeSymbol(symbol) else { throw error("expected \(symbol)") }
    }

    /// The current token in upper case if it is a word.
    var keyword: String? { tokens[index].keyword }

    mutating func consumeKeyword(_ word: String, orSymbol symbol: String? = nil) -> Bool {
        if keyword == word || symbol.map({ isSymbol($0) }) == true {
            advance()
            return true
        }
        return false
    }

    private func expectEnd(_ expected: String) throws {
        guard case .end = current.kind else { throw error(expected) }
    }

    mutating func argument() throws -> Any {
        guard nextArgument < arguments.count else {
            throw error(
                """
                the format has only \(Wording.count(arguments.count, "argument")), too few for this placeholder
                """)
        }
        defer { nextArgument += 1 }
        return arguments[nextArgument]
    }

    // MARK: Errors and limits

    func error(_ expected: String) -> PredicateFormatError {
        error(at: current.position, expected)
    }

    func error(at position: Int, _ expected: String) -> PredicateFormatError {
        PredicateFormatError(format: format, position: position, expected: expected)
    }

    /// Runs a part of the grammar one level deeper.
    mutating func nested<Result>(_ body: (inout PredicateParser) throws -> Result) throws -> Result {
        guard depth < Self.depthLimit else {
            throw error("the text has more than \(Self.depthLimit) nested levels")
        }
        if depth >= Self.uncheckedDepth {
            if depth == Self.uncheckedDepth { stackEnd = StackSpace.end }
            if let stackEnd, StackSpace.isShort(above: stackEnd) {
                throw error("the thread's stack is too small for a text with \(depth) nested levels")
            }
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    mutating func countOperator() throws {
        operatorCount += 1
        guard operatorCount <= Self.operatorLimit else {
            throw error("the text has more than \(Self.operatorLimit) operators in expressions")
        }
    }
}
