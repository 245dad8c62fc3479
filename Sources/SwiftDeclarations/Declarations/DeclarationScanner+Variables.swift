// SPDX-License-Identifier: Apache-2.0

extension DeclarationScanner {
    /// Reads a `var` or `let` with all its properties.
    mutating func variable(_ marks: [DeclarationMark], _ scope: DeclarationScope) {
        let keyword = source.tokens[index]
        index += 1
        var bindings: [VariableDeclaration.Binding] = []
        repeat {
            if isAt(",") { index += 1 }
            guard let binding = binding() else { break }
            bindings.append(binding)
        } while isAt(",")
        let declaration = VariableDeclaration(
            marks: marks, scope: scope, keywordOffset: keyword.start,
            isConstant: source.isWritten(keyword, "let"), bindings: bindings)
        result.variables.append(declaration)
        for binding in bindings { addMember(binding, of: declaration) }
    }

    private mutating func addMember(_ binding: VariableDeclaration.Binding, of declaration: VariableDeclaration) {
        guard let name = binding.name else { return }
        let accessors = binding.accessors
        result.members.append(
            DeclaredMember(
                kind: .property(
                    .init(
                        typeText: binding.typeText, isComputed: accessors?.contains("get") ?? false,
                        isSettable: accessors.map { !$0.contains("get") || $0.contains("set") }
                            ?? !declaration.isConstant,
                        isUnusual: accessors.map { !$0.isSubset(of: ["get", "set"]) } ?? false)),
                name: name, scope: declaration.scope, marks: declaration.marks, source: source,
                keywordOffset: declaration.keywordOffset, nameRange: binding.nameRange,
                signatureEnd: binding.signatureEnd,
                access: declaration.access, objectiveCName: declaration.objectiveCName))
    }

    /// Reads `name: Type = value { accessors }`.
    private mutating func binding() -> VariableDeclaration.Binding? {
        guard let first = token else { return nil }
        let name = isName(at: index) ? source.name(first) : nil
        let start = index
        if name != nil {
            index += 1
        } else if isAt("(") {
            pass()
        } else {
            return nil
        }
        let nameRange = first.start..<source.tokens[index - 1].end
        if index == start { return nil }
        var type: TypeSyntax?
        var typeTokens: Range<Int>?
        if isAt(":") {
            var parser = TypeParser(source: source, at: index + 1)
            type = parser.type()
            let begin = index + 1
            index = begin
            if type != nil { index = parser.index } else { skipUnreadableType() }
            typeTokens = begin..<index
        }
        var value: Range<Int>?
        if isAt("=") {
            index += 1
            let begin = index
            skipExpression()
            value = source.range(ofTokens: begin..<index)
        }
        let signatureEnd = source.tokens[index - 1].end
        var found: Set<String>?
        if isAt("{"), value == nil || isAccessorBlock() {
            found = accessors()
            pass()
        }
        return VariableDeclaration.Binding(
            name: name, nameRange: nameRange, type: type,
            typeRange: typeTokens.flatMap { source.range(ofTokens: $0) },
            typeText: typeTokens.map { source.text(ofTokens: $0) }, valueRange: value, accessors: found,
            signatureEnd: signatureEnd)
    }

    /// Skips a type that the parser doesn't know, up to the value, the accessors or the next declaration.
    private mutating func skipUnreadableType() {
        let start = index
        while let token, index == start || !token.startsLine, !isAt("="), !isAt("{"), !isAt("}"), !isAt(","), !isAt(";")
        {
            pass()
        }
    }

    // MARK: Accessors

    /// The names of the accessors in the braces at the index, with their effects; `get` for a getter without a name.
    private func accessors() -> Set<String> {
        let close = source.endOfBalanced(from: index) - 1
        let names: Set<String> = ["get", "set", "willSet", "didSet", "_read", "_modify"]
        var found: Set<String> = []
        var position = index + 1
        while position < close {
            let token = source.tokens[position]
            if source.isWritten(token, "@"), isName(at: position + 1) {
                position += 2
                continue
            }
            let word = source.text(token)
            if ["mutating", "nonmutating"].contains(word) {
                position += 1
                continue
            }
            guard token.kind == .identifier, names.contains(word) else { break }
            found.insert(word)
            position += 1
            if position < close, source.isWritten(source.tokens[position], "(") {
                position = source.endOfBalanced(from: position)
            }
            while position < close, case let effect = source.text(source.tokens[position]),
                ["async", "throws"].contains(effect)
            {
                found.insert(effect)
                position += 1
            }
            guard position < close, source.isWritten(source.tokens[position], "{") else {
                // The accessors of a protocol have no bodies.
                continue
            }
            position = source.endOfBalanced(from: position)
        }
        return found.isEmpty ? ["get"] : found
    }

    /// Whether the braces at the index have accessors, and not the statements of a trailing closure.
    private func isAccessorBlock() -> Bool {
        var position = index + 1
        while position < source.tokens.count {
            if source.isWritten(source.tokens[position], "@"), isName(at: position + 1) {
                position += 2
                if position < source.tokens.count, source.isWritten(source.tokens[position], "(") {
                    position = source.endOfBalanced(from: position)
                }
                continue
            }
            let token = source.tokens[position]
            guard token.kind == .identifier else { return false }
            let word = source.text(token)
            if ["mutating", "nonmutating"].contains(word) {
                position += 1
                continue
            }
            guard Self.accessorNames.contains(word), position + 1 < source.tokens.count else { return false }
            let next = source.tokens[position + 1]
            return ["{", "(", "}", "get", "set", "async", "throws"].contains(source.text(next))
        }
        return false
    }

    // MARK: Expressions

    /// Moves the index after the expression at the index.
    ///
    /// The expression ends before a comma, a closing bracket, accessors, or a line that doesn't continue it.
    private mutating func skipExpression() {
        let start = index
        while let token {
            if token.startsLine && index > start && !continuesExpression() { return }
            switch token.kind {
            case .punctuation:
                if isAt("}") || isAt(")") || isAt("]") || isAt(",") || isAt(";") { return }
                if isAt("{"), index > start, isAccessorBlock() { return }
                if isAt(".") { index += 1 } else { pass() }
            case .interpolationStart:
                skipInterpolation()
            case .pound
            where source.isWritten(token, "#if") || source.isWritten(token, "#endif")
                || source.isWritten(token, "#else") || source.isWritten(token, "#elseif"):
                return
            case .identifier, .quotedIdentifier, .pound:
                index += 1
                _ = genericArguments()
            default:
                index += 1
            }
        }
    }

    private mutating func skipInterpolation() {
        var depth = 0
        while let token {
            if token.kind == .interpolationStart { depth += 1 }
            if token.kind == .interpolationEnd { depth -= 1 }
            index += 1
            if depth == 0 { return }
        }
    }

    /// Whether the token at the index, the first one of its line, continues the expression before it.
    private func continuesExpression() -> Bool {
        let previous = source.tokens[index - 1]
        if endsWithInfixOperator(at: index - 1) { return true }
        switch previous.kind {
        case .punctuation where source.isWritten(previous, ".") || source.isWritten(previous, ":"): return true
        case .identifier where Self.openWords.contains(source.text(previous)): return true
        default: break
        }
        guard let token else { return false }
        switch token.kind {
        case .punctuation: return isAt(".") || isAt(":") || isAt("{")
        case .identifier: return Self.continuingWords.contains(source.text(token))
        // The first token of an infix operator has space on both sides of the operator.
        case .operatorCharacter:
            var end = index
            while end + 1 < source.tokens.count, isOperator(at: end + 1), !source.tokens[end + 1].followsSpace {
                end += 1
            }
            return end + 1 < source.tokens.count && source.tokens[end + 1].followsSpace
        default: return false
        }
    }

    /// Whether an operator with space before it ends at a position.
    private func endsWithInfixOperator(at position: Int) -> Bool {
        guard isOperator(at: position) else { return false }
        var start = position
        while start > 0, isOperator(at: start - 1), !source.tokens[start].followsSpace { start -= 1 }
        return source.tokens[start].followsSpace
    }

    private func isOperator(at position: Int) -> Bool {
        position < source.tokens.count && source.tokens[position].kind == .operatorCharacter
    }

    private static let accessorNames: Set<String> = ["get", "set", "willSet", "didSet", "init", "_read", "_modify"]
    private static let openWords: Set<String> = ["try", "await", "as", "is", "in", "return", "else", "if", "switch"]
    private static let continuingWords: Set<String> = ["as", "is", "else"]
}
