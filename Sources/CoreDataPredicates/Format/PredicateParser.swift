/// Reads the format language.
///
/// A parenthesis may open a predicate or an expression, so the levels from `OR` down to the operand share one descent
/// and say by `Item` which of both they found. Precedence: `NOT` before `AND` before `OR`, as in Apple's grammar.
struct PredicateParser {
    /// What a level of the grammar found.
    enum Item {
        case predicate(NSPredicate)
        case expression(NSExpression)
    }

    /// Hostile texts nest without end; a person's don't get near this.
    static let depthLimit = 100
    /// From this depth on the thread's stack, which may be small, is looked at.
    private static let harmlessDepth = 24
    /// Operators and indexes nest to the left without depth, but the tree they make is as deep as they are many.
    static let operatorLimit = 1000

    let format: String
    let tokens: [PredicateToken]
    var index = 0
    var depth = 0
    var operatorCount = 0
    /// Where the thread's stack ends, once that was asked.
    private var stackEnd: UInt?
    private let arguments: [Any]
    private var nextArgument = 0

    init(format: String, arguments: [Any]) throws {
        var lexer = PredicateLexer(format: format)
        self.format = format
        tokens = try lexer.tokens()
        self.arguments = arguments
    }

    /// The whole text as a predicate.
    mutating func predicate() throws -> NSPredicate {
        let result = try condition()
        try expectEnd("expected AND, OR or the end")
        return result
    }

    /// The whole text as an expression.
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

    mutating func takeSymbol(_ symbol: String) -> Bool {
        guard isSymbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func expectSymbol(_ symbol: String) throws {
        guard takeSymbol(symbol) else { throw error("expected \(symbol)") }
    }

    /// The current word in upper case, if it is one and not a key in disguise.
    var keyword: String? {
        guard case .word(let word) = current.kind else { return nil }
        return word.uppercased()
    }

    mutating func takeKeyword(_ word: String, orSymbol symbol: String? = nil) -> Bool {
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
            throw error("there are \(arguments.count) arguments, too few for this placeholder")
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
            throw error("the text nests deeper than \(Self.depthLimit) levels")
        }
        if depth >= Self.harmlessDepth {
            if depth == Self.harmlessDepth { stackEnd = StackSpace.end }
            if let stackEnd, StackSpace.isShort(above: stackEnd) {
                throw error("the text nests \(depth) levels deep, for which the thread's stack is too small")
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
