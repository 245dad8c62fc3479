// SPDX-License-Identifier: Apache-2.0

extension PredicateParser {
    /// Parses a literal, a placeholder, a key path, a call, or an item in parentheses.
    mutating func primary() throws -> Item {
        switch current.kind {
        case .number(let number):
            advance()
            return .expression(NSExpression(forConstantValue: number))
        case .string(let string):
            advance()
            return .expression(NSExpression(forConstantValue: string))
        case .variable(let name):
            advance()
            return .expression(NSExpression(forVariable: name))
        case .placeholder(let letter):
            let value = try argument()
            let expression = try constant(value, letter)
            advance()
            return .expression(expression)
        case .keyPlaceholder:
            return .expression(NSExpression(forKeyPath: try keyPath()))
        case .symbol("#"):
            return .expression(NSExpression(forKeyPath: try keyPath()))
        case .symbol("("):
            advance()
            let item = try nested { try $0.disjunction() }
            try expectSymbol(")")
            return item
        case .symbol("{"):
            advance()
            return .expression(NSExpression(forAggregate: try list(until: "}")))
        case .symbol("<") where isNullWord:
            index += 3
            return .expression(NSExpression(forConstantValue: NSNull()))
        case .word(let word):
            return .expression(try namedOperand(word))
        case .end:
            throw error("expected a key path, a value or a parenthesis")
        case .symbol:
            throw error("expected a key path, a value or a parenthesis")
        }
    }

    /// `<null>`, the text of NSNull.
    private var isNullWord: Bool {
        guard index + 2 < tokens.count, case .word("null") = tokens[index + 1].kind else { return false }
        return isSymbol(">", ahead: 2)
    }

    private func constant(_ value: Any, _ letter: Unicode.Scalar) throws -> NSExpression {
        if letter == "@" {
            if let expression = value as? NSExpression { return expression }
            return NSExpression(forConstantValue: value)
        }
        if letter == "s", let string = value as? String { return NSExpression(forConstantValue: string) }
        guard let number = Numbers.number(value) else {
            throw error("the argument for %\(letter) must be a number, not \(Wording.withArticle(type(of: value)))")
        }
        return NSExpression(forConstantValue: number)
    }

    /// Parses expressions separated by commas, and the closing symbol.
    private mutating func list(until closing: String) throws -> [NSExpression] {
        var elements: [NSExpression] = []
        if consumeSymbol(closing) { return elements }
        repeat {
            elements.append(try nested { try $0.operand() })
        } while consumeSymbol(",")
        guard consumeSymbol(closing) else { throw error("expected , or \(closing)") }
        return elements
    }

    /// Parses an operand that begins with a word: a named constant, a call or a key path.
    private mutating func namedOperand(_ word: String) throws -> NSExpression {
        if isSymbol("(", ahead: 1) { return try call(word) }
        switch keyword {
        case "TRUE", "YES":
            advance()
            return NSExpression(forConstantValue: NSNumber(value: true))
        case "FALSE", "NO":
            advance()
            return NSExpression(forConstantValue: NSNumber(value: false))
        case "NULL", "NIL":
            advance()
            return NSExpression(forConstantValue: nil)
        case "SELF":
            advance()
            return NSExpression.expressionForEvaluatedObject()
        case "ANYKEY":
            advance()
            return NSExpression.expressionForAnyKey()
        default:
            if ReservedWords.requiresEscaping(word) {
                throw error("expected a key path or a value; write #\(word) for a key of that name")
            }
            return NSExpression(forKeyPath: try keyPath())
        }
    }

    private mutating func call(_ name: String) throws -> NSExpression {
        let position = current.position
        switch name.uppercased() {
        case "SUBQUERY": return try nested { try $0.subquery() }
        case "TERNARY": return try nested { try $0.ternary() }
        case "FETCH": return try nested { try $0.fetch() }
        case "CAST", "FUNCTION": break
        default:
            if ReservedWords.requiresEscaping(name) { throw error("expected a key path, a value or a function") }
        }
        advance()
        advance()
        let arguments = try nested { try $0.list(until: ")") }
        switch name.uppercased() {
        case "CAST":
            guard arguments.count == 2 else { throw error(at: position, "CAST takes a value and the name of a type") }
            if let type = arguments[1].node as? ConstantNode,
                !FunctionLibrary.castTypes.contains(type.value as? String ?? "")
            {
                let known = FunctionLibrary.castTypes.prefix(6).joined(separator: ", ")
                throw error(at: position, "CAST doesn't know the type \(type.text); it knows \(known)")
            }
            return NSExpression(forFunction: "castObject:toType:", arguments: arguments)
        case "FUNCTION":
            guard arguments.count >= 2, let selector = (arguments[1].node as? ConstantNode)?.value as? String else {
                throw error(at: position, "FUNCTION takes a target, a selector as a string, and arguments")
            }
            if arguments[0].node is EvaluatedObjectNode, selector == "valueForKeyPath:", arguments.count == 3,
                let path = (arguments[2].node as? ConstantNode)?.value as? String
            {
                return NSExpression(forKeyPath: path)
            }
            return NSExpression(
                forFunction: arguments[0], selectorName: selector, arguments: Array(arguments.dropFirst(2)))
        default:
            return try libraryCall(name, arguments, at: position)
        }
    }

    private func wrongCount(
        _ name: String, _ function: LibraryFunction, _ arguments: [NSExpression], at position: Int
    ) -> PredicateFormatError {
        error(
            at: position,
            "\(name) takes \(Wording.count(function.argumentCount, "argument")), not \(arguments.count)")
    }

    private func libraryCall(_ name: String, _ arguments: [NSExpression], at position: Int) throws -> NSExpression {
        let selector = name.contains(":") || arguments.isEmpty ? name : name + ":"
        guard let function = FunctionLibrary.function(named: selector) else {
            if let other = FunctionLibrary.function(named: name + ":") ?? FunctionLibrary.function(named: name) {
                throw wrongCount(name, other, arguments, at: position)
            }
            throw error(at: position, "there is no function \(name)")
        }
        guard function.accepts(argumentCount: arguments.count) else {
            throw wrongCount(name, function, arguments, at: position)
        }
        return NSExpression(forFunction: selector, arguments: arguments)
    }

    /// `SUBQUERY(collection, $element, predicate)`
    private mutating func subquery() throws -> NSExpression {
        advance()
        try expectSymbol("(")
        let collection = try operand()
        try expectSymbol(",")
        guard case .variable(let variable) = current.kind else { throw error("expected a variable such as $element") }
        advance()
        try expectSymbol(",")
        let predicate = try condition()
        try expectSymbol(")")
        return NSExpression(forSubquery: collection, usingIteratorVariable: variable, predicate: predicate)
    }

    /// `TERNARY(predicate, value, value)`
    private mutating func ternary() throws -> NSExpression {
        advance()
        try expectSymbol("(")
        let predicate = try condition()
        try expectSymbol(",")
        let whenTrue = try operand()
        try expectSymbol(",")
        let whenFalse = try operand()
        try expectSymbol(")")
        return NSExpression(forConditional: predicate, trueExpression: whenTrue, falseExpression: whenFalse)
    }

    /// `FETCH(request, context, countOnly)`; the last is YES or NO.
    private mutating func fetch() throws -> NSExpression {
        advance()
        try expectSymbol("(")
        let request = try operand()
        try expectSymbol(",")
        let context = try operand()
        try expectSymbol(",")
        let isCountOnly: Bool
        switch keyword {
        case "YES", "TRUE": isCountOnly = true
        case "NO", "FALSE": isCountOnly = false
        default: throw error("expected YES (count only) or NO")
        }
        advance()
        try expectSymbol(")")
        return NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: isCountOnly)
    }
}
