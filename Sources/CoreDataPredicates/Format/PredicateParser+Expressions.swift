// SPDX-License-Identifier: Apache-2.0

extension PredicateParser {
    /// Parses operands and binary operators by precedence.
    mutating func operation(above precedence: Int = 0) throws -> Item {
        let position = current.position
        var left = try unary()
        while let (level, join) = binaryOperator(), level > precedence {
            guard case .expression(let first) = left else {
                throw error(at: position, "expected an expression before the operator, not a predicate")
            }
            try countOperator()
            advance()
            let rightPosition = current.position
            guard case .expression(let second) = try nested({ try $0.operation(above: level) }) else {
                throw error(at: rightPosition, "expected an expression after the operator, not a predicate")
            }
            left = .expression(join(first, second))
        }
        return left
    }

    private typealias Join = (NSExpression, NSExpression) -> NSExpression

    private func binaryOperator() -> (level: Int, join: Join)? {
        switch current.kind {
        case .symbol(let symbol):
            guard let (level, function) = Self.functions[symbol] else { return nil }
            return (level, { NSExpression(forFunction: function, arguments: [$0, $1]) })
        case .word(let word):
            switch word.uppercased() {
            case "UNION": return (1, { NSExpression(forUnionSet: $0, with: $1) })
            case "INTERSECT": return (1, { NSExpression(forIntersectSet: $0, with: $1) })
            case "MINUS": return (1, { NSExpression(forMinusSet: $0, with: $1) })
            default: return nil
            }
        default: return nil
        }
    }

    private static let functions: [String: (level: Int, function: String)] = [
        "|": (2, "bitwiseOr:with:"), "^": (3, "bitwiseXor:with:"), "&": (4, "bitwiseAnd:with:"),
        "<<": (5, "leftshift:by:"), ">>": (5, "rightshift:by:"), "+": (6, "add:to:"), "-": (6, "from:subtract:"),
        "*": (7, "multiply:by:"), "/": (7, "divide:by:"), "%": (7, "modulus:by:"), "**": (8, "raise:toPower:"),
    ]

    /// Parses an operand with an optional sign.
    private mutating func unary() throws -> Item {
        let isMinus = isSymbol("-")
        guard isMinus || isSymbol("~") || isSymbol("+") else { return try postfix() }
        let isPlus = isSymbol("+")
        advance()
        let position = current.position
        guard case .expression(let operand) = try nested({ try $0.unary() }) else {
            throw error(at: position, "expected an expression after the sign, not a predicate")
        }
        if isPlus { return .expression(operand) }
        guard isMinus else { return .expression(NSExpression(forFunction: "onesComplement:", arguments: [operand])) }
        if let number = Numbers.number((operand.node as? ConstantNode)?.value) {
            return .expression(NSExpression(forConstantValue: Numbers.subtract(NSNumber(value: 0), number)))
        }
        let zero = NSExpression(forConstantValue: NSNumber(value: 0))
        return .expression(NSExpression(forFunction: "from:subtract:", arguments: [zero, operand]))
    }

    /// Parses an operand with the key paths and indexes after it.
    private mutating func postfix() throws -> Item {
        let first = try primary()
        guard case .expression(var result) = first else { return first }
        while true {
            if consumeSymbol(".") {
                try countOperator()
                result = result.appendingKeyPath(try keyPath())
            } else if isSymbol("[") {
                try countOperator()
                advance()
                let index = try nested { try $0.collectionIndex() }
                try expectSymbol("]")
                result = NSExpression(forFunction: "objectFrom:withIndex:", arguments: [result, index])
            } else {
                return .expression(result)
            }
        }
    }

    private mutating func collectionIndex() throws -> NSExpression {
        if let symbol = keyword.flatMap(CollectionIndex.init(rawValue:)), isSymbol("]", ahead: 1) {
            advance()
            return NSExpression(forConstantValue: symbol)
        }
        return try operand()
    }

    /// Parses keys separated by dots.
    mutating func keyPath() throws -> String {
        var keys = [try key(isFirst: false)]
        while isSymbol("."), startsKey(ahead: 1) {
            advance()
            keys.append(try key(isFirst: false))
        }
        return keys.joined(separator: ".")
    }

    private func startsKey(ahead: Int) -> Bool {
        guard index + ahead < tokens.count else { return false }
        switch tokens[index + ahead].kind {
        case .word, .keyPlaceholder: return true
        case .symbol("#"): return true
        default: return false
        }
    }

    /// Parses one key: a word, a reserved word after `#`, or `%K`.
    mutating func key(isFirst: Bool) throws -> String {
        let isEscaped = consumeSymbol("#")
        switch current.kind {
        case .word(let word):
            if isFirst, !isEscaped, ReservedWords.requiresEscaping(word) {
                throw error("\(word) is a reserved word. Write #\(word) for a key of that name")
            }
            advance()
            return word
        case .keyPlaceholder:
            let argument = try self.argument()
            advance()
            if let path = argument as? String { return path }
            if let path = (argument as? NSExpression)?.node as? KeyPathNode { return path.keyPath }
            throw error("the argument for %K must be a string, not \(Wording.withArticle(type(of: argument)))")
        default:
            throw error("expected a key")
        }
    }

    /// Parses an item that must be an expression.
    mutating func operand() throws -> NSExpression {
        let position = current.position
        guard case .expression(let expression) = try operation() else {
            throw error(at: position, "expected an expression, not a predicate")
        }
        return expression
    }
}
